/* Text under construction: what the printf family formats into. */
#ifndef CTN_FORMAT_H
#define CTN_FORMAT_H

#include "models.h"

#include <stdarg.h>

typedef struct {
    char *bytes;
    size_t room;  /* bytes that may be written */
    size_t used;  /* bytes that the whole text has; more than the room, where that does not grow */
    int grows;    /* the bytes are from malloc, or NULL */
    int failed;   /* no memory, or a wide character that has no bytes */
} text_sink;

/* Appends what the format says. The list is used up as far as the format goes. */
void ctn_format(text_sink *out, const char *format, va_list arguments);

#endif
