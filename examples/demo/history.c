/* The last samples of a sensor, newest first. */
#include "telemetry.h"

#include <stdlib.h>

int history_push(history *h, int32_t value, uint16_t time)
{
    if (h == NULL) return 0;
    sample *s = malloc(sizeof *s);
    if (s == NULL) return 0;
    s->value = value;
    s->time = time;
    s->next = h->newest;
    h->newest = s;
    h->count++;
    return 1;
}

void history_discard(history *h, sample *s)
{
    if (h == NULL || s == NULL) return;
    h->count--;
    free(s);
}

/* Samples are in order of time: once one is too old, all that follow are. */
void history_forget(history *h, uint16_t before)
{
    if (h == NULL) return;
    sample **link = &h->newest;
    while (*link != NULL && (*link)->time >= before) link = &(*link)->next;
    sample *old = *link;
    *link = NULL;
    for (; old != NULL; old = old->next) history_discard(h, old);
}

void history_clear(history *h)
{
    while (h != NULL && h->newest != NULL) {
        sample *gone = h->newest;
        h->newest = gone->next;
        history_discard(h, gone);
    }
}
