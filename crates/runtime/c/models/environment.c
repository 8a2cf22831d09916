/* Models of the environment: each variable is an input slot, getenv("NAME"), absent by default. A variable
 * is asked for once and then stays what it was, until the program changes it.
 * A driver may say which variables there are, and how long; then there are no others.
 * Limits: values of at most VALUE_MAX bytes, VARIABLES_MAX names; `environ` itself is not modelled. */
#include "../ctn.h"
#include "models.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { VARIABLES_MAX = 64, VALUE_MAX = 16 };

static struct {
    char *name;
    char *value; /* NULL: not set */
} variables[VARIABLES_MAX];
static unsigned variable_count;

static struct {
    const char *name;
    unsigned long most;
} declared[VARIABLES_MAX];
static unsigned declared_count;

void ctn_symbolic_variable(const char *name, unsigned long most)
{
    if (declared_count == VARIABLES_MAX) return;
    declared[declared_count].name = name;
    declared[declared_count++].most = most;
}

/* The longest value that a variable may have; 0: it is never set. */
static unsigned long most_of(const char *name)
{
    for (unsigned i = 0; i < declared_count; i++)
        if (ctn_model_strcmp(declared[i].name, name) == 0) return declared[i].most;
    return declared_count > 0 ? 0 : VALUE_MAX;
}

static char *value_from_input(const char *name)
{
    unsigned long most = most_of(name);
    if (most == 0) return NULL;
    ctn_path open = {0, "getenv(\"", 0}, named = {&open, name, 0}, path = {&named, "\")", 0};
    if (ctn_choice(2, &path) == 0) return NULL;
    char *value = ctn_alloc(most + 1);
    ctn_array(value, 1, most + 1, CTN_NAME(&path, "[]"));
    ctn_limit(value[most] == '\0');
    return value;
}

/* The entry of the name of that length, made if there is none; -1 when there is no room. */
static int entry(const char *name, size_t length, int ask)
{
    for (unsigned i = 0; i < variable_count; i++)
        if (ctn_model_strncmp(variables[i].name, name, length) == 0 && variables[i].name[length] == '\0')
            return (int)i;
    if (variable_count == VARIABLES_MAX) return -1;
    char *copy = ctn_model_strndup(name, length);
    if (copy == NULL) return -1;
    variables[variable_count].name = copy;
    variables[variable_count].value = ask ? value_from_input(copy) : NULL;
    return (int)variable_count++;
}

char *ctn_model_getenv(const char *name)
{
    int at = entry(name, ctn_model_strlen(name), 1);
    return at < 0 ? NULL : variables[at].value;
}

static int is_name(const char *name)
{
    return name != NULL && *name != '\0' && ctn_model_strchr(name, '=') == NULL;
}

int ctn_model_setenv(const char *name, const char *value, int overwrite)
{
    if (!is_name(name)) {
        errno = EINVAL;
        return -1;
    }
    int at = entry(name, ctn_model_strlen(name), !overwrite);
    if (at >= 0 && !overwrite && variables[at].value != NULL) return 0;
    char *copy = at < 0 ? NULL : ctn_model_strdup(value);
    if (copy == NULL) {
        errno = ENOMEM;
        return -1;
    }
    variables[at].value = copy;
    return 0;
}

int ctn_model_unsetenv(const char *name)
{
    if (!is_name(name)) {
        errno = EINVAL;
        return -1;
    }
    int at = entry(name, ctn_model_strlen(name), 0);
    if (at >= 0) variables[at].value = NULL;
    return 0;
}

/* The string becomes part of the environment: it is not copied. */
int ctn_model_putenv(char *assignment)
{
    char *equals = ctn_model_strchr(assignment, '=');
    if (equals == NULL) return ctn_model_unsetenv(assignment);
    int at = entry(assignment, (size_t)(equals - assignment), 0);
    if (at < 0) {
        errno = ENOMEM;
        return -1;
    }
    variables[at].value = equals + 1;
    return 0;
}

int ctn_model_clearenv(void)
{
    for (unsigned i = 0; i < variable_count; i++) variables[i].value = NULL;
    return 0;
}
