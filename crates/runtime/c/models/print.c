/* Models of the printf family. What goes to memory or to a file is formatted here, symbolically; what is only
 * shown (standard output and error) is formatted by the C library, with the values as they are, because no
 * branch can depend on it. */
#include "../host_calls.h"
#include "files.h"
#include "format.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static int result_of(const text_sink *out)
{
    if (out->failed) return -1;
    if (out->used <= INT_MAX) return (int)out->used;
    errno = EOVERFLOW;
    return -1;
}

/* --- to memory --------------------------------------------------------------------------------------------------- */

int ctn_model_vsnprintf(char *to, size_t size, const char *format, va_list more)
{
    text_sink out = {to, size > 0 ? size - 1 : 0, 0, 0, 0};
    ctn_format(&out, format, more);
    if (size > 0) to[out.used < size ? out.used : size - 1] = '\0';
    return result_of(&out);
}

int ctn_model_vsprintf(char *to, const char *format, va_list more)
{
    text_sink out = {to, SIZE_MAX, 0, 0, 0};
    ctn_format(&out, format, more);
    to[out.used] = '\0';
    return result_of(&out);
}

int ctn_model_vasprintf(char **to, const char *format, va_list more)
{
    text_sink out = {NULL, 0, 0, 1, 0};
    ctn_format(&out, format, more);
    char *text = out.failed ? NULL : realloc(out.bytes, out.used + 1);
    if (text == NULL) {
        free(out.bytes);
        return -1;
    }
    text[out.used] = '\0';
    *to = text;
    return result_of(&out);
}

int ctn_model_snprintf(char *to, size_t size, const char *format, ...)
{
    va_list more;
    va_start(more, format);
    int result = ctn_model_vsnprintf(to, size, format, more);
    va_end(more);
    return result;
}

int ctn_model_sprintf(char *to, const char *format, ...)
{
    va_list more;
    va_start(more, format);
    int result = ctn_model_vsprintf(to, format, more);
    va_end(more);
    return result;
}

int ctn_model_asprintf(char **to, const char *format, ...)
{
    va_list more;
    va_start(more, format);
    int result = ctn_model_vasprintf(to, format, more);
    va_end(more);
    return result;
}

/* --- to streams and descriptors -------------------------------------------------------------------------------------- */

int ctn_model_vdprintf(int fd, const char *format, va_list more)
{
    description *d = ctn_description(fd);
    if (d == NULL) return -1;
    text_sink out = {NULL, 0, 0, 1, 0};
    ctn_format(&out, format, more);
    int result = result_of(&out);
    if (result > 0 && ctn_write_at(fd, d, out.bytes, out.used) < 0) result = -1;
    free(out.bytes);
    return result;
}

int ctn_model_vfprintf(FILE *stream, const char *format, va_list more)
{
    model_stream *s = ctn_stream(stream);
    if (s == NULL) return -1;
    if (ctn_is_output(s)) return ctn_show_format(ctn_stream_descriptor(s), format, more);
    text_sink out = {NULL, 0, 0, 1, 0};
    ctn_format(&out, format, more);
    int result = result_of(&out);
    if (result > 0 && ctn_put(s, out.bytes, out.used) != out.used) result = -1;
    free(out.bytes);
    return result;
}

int ctn_model_vprintf(const char *format, va_list more) { return ctn_model_vfprintf(stdout, format, more); }

int ctn_model_fprintf(FILE *stream, const char *format, ...)
{
    va_list more;
    va_start(more, format);
    int result = ctn_model_vfprintf(stream, format, more);
    va_end(more);
    return result;
}

int ctn_model_dprintf(int fd, const char *format, ...)
{
    va_list more;
    va_start(more, format);
    int result = ctn_model_vdprintf(fd, format, more);
    va_end(more);
    return result;
}

int ctn_model_printf(const char *format, ...)
{
    va_list more;
    va_start(more, format);
    int result = ctn_model_vprintf(format, more);
    va_end(more);
    return result;
}

void ctn_model_perror(const char *text)
{
    const char *error = strerror(errno);
    if (text != NULL && *text != '\0') ctn_model_fprintf(stderr, "%s: ", text);
    ctn_model_fprintf(stderr, "%s\n", error);
}
