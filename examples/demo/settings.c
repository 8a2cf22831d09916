/* Settings, one per line: a name of at most seven letters, an equals sign, a value. */
#include "telemetry.h"

#include <stdlib.h>
#include <string.h>

static int apply_mode(settings *s, const char *value)
{
    if (s == NULL || value == NULL) return 0;
    if (strcmp(value, "off") == 0) s->mode = MODE_OFF;
    else if (strcmp(value, "normal") == 0) s->mode = MODE_NORMAL;
    else if (strcmp(value, "service") == 0) s->mode = MODE_SERVICE;
    else return 0;
    return 1;
}

int settings_apply(settings *s, const char *line)
{
    char name[8];
    unsigned n = 0;
    if (s == NULL || line == NULL) return 0;
    while (*line != '\0' && *line != '=') name[n++] = *line++;
    name[n] = '\0';
    if (*line++ != '=') return 0;
    if (strcmp(name, "mode") == 0) return apply_mode(s, line);
    char *end;
    long number = strtol(line, &end, 10);
    if (end == line || number < 0 || number > 60000) return 0;
    if (strcmp(name, "step") == 0) s->step = (int)number;
    else if (strcmp(name, "keep") == 0) s->keep_ms = (int)number;
    else return 0;
    return 1;
}
