/* EXPECT-FILE only contexts */
/* Members that belong together, by the loops over them and by their names: what has no elements is null for some. */
#include <stddef.h>

struct server {
    int address;
    int port;
};

struct options {
    struct server *servers;
    int nservers; /* -1: none given */
    short *weights;
    int ports; /* a loop says so: three for each */
};

int use_servers(const struct options *options, int *sum)
{
    int i;
    if (!options || !sum || options->nservers == -1)
        return 0;
    *sum = 0;
    if (options->nservers > 0)
        for (i = 0; i < options->nservers; i++)
            *sum += options->servers[i].address;
    return options->servers ? 1 : 2;
}

int use_weights(const struct options *options)
{
    int i, sum = 0;
    if (!options)
        return 0;
    for (i = 0; i < options->ports; i++) {
        if (options->weights[3 * i] > options->weights[3 * i + 2])
            sum++;
    }
    return options->weights ? sum : -1;
}

int beyond(const struct options *options)
{
    int i;
    if (!options)
        return 0;
    for (i = 0; i <= options->ports; i++)
        if (options->weights && options->weights[3 * i + 2] == 1) /* EXPECT alarm out-of-bounds unit */
            return i;
    return -1;
}
