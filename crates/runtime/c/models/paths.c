/* Models of the functions that take names of files apart. */
#include "models.h"

/* POSIX: trailing slashes are cut off, in place. */
char *ctn_model_xpg_basename(char *path)
{
    if (path == NULL || *path == '\0') return (char *)".";
    char *end = path + ctn_model_strlen(path);
    while (end > path + 1 && end[-1] == '/') *--end = '\0';
    char *slash = ctn_model_strrchr(path, '/');
    return slash == NULL || slash[1] == '\0' ? path : slash + 1;
}

/* GNU: what follows the last slash. */
char *ctn_model_basename(const char *path)
{
    char *slash = ctn_model_strrchr(path, '/');
    return slash == NULL ? (char *)path : slash + 1;
}

char *ctn_model_dirname(char *path)
{
    if (path == NULL || *path == '\0') return (char *)".";
    char *end = path + ctn_model_strlen(path);
    while (end > path + 1 && end[-1] == '/') end--;
    while (end > path && end[-1] != '/') end--;
    if (end == path) return (char *)".";
    while (end > path + 1 && end[-1] == '/') end--;
    /* Two slashes at the beginning may mean something, and are kept where nothing else is left. */
    if (end == path + 1 && path[0] == '/' && path[1] == '/' && path[2] != '/') end++;
    *end = '\0';
    return path;
}
