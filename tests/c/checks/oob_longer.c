/* Overruns of arrays that take a buffer longer than the usual long one: it is as long as the arrays ask for. */
#include <string.h>

struct satellite {
    short number, elevation, azimuth;
    double strength;
};

struct view {
    int visible;
    struct satellite seen[140];
    int used;
};

int copies_a_line(const char *text)
{
    char line[1024];
    if (!text)
        return 0;
    strcpy(line, text); /* EXPECT alarm out-of-bounds */
    return line[0];
}

int copies_a_fitting_line(const char *text)
{
    char line[1024];
    if (!text || strlen(text) >= sizeof line)
        return 0;
    strcpy(line, text);
    return line[0];
}

int takes_satellites(struct view *view, const unsigned char *packet, int length)
{
    int i;
    if (!view || !packet || length < 3)
        return 0;
    view->visible = packet[2];
    if (3 + 12 * view->visible > length)
        return -1;
    for (i = 0; i < view->visible; i++) {
        view->seen[i].number = packet[3 + 12 * i]; /* EXPECT alarm out-of-bounds */
        view->seen[i].strength = packet[3 + 12 * i + 5] * 1e-2;
    }
    return view->visible;
}
