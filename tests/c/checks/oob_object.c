/* A pointer to a record that nothing steps through leads to one object: what goes beyond its end is seen. Where there
 * are several, by index, by steps or by their number, there are more. */
#include <string.h>

struct user {
    int id;
    int rights[100];
    char name[16];
};

void renames(struct user *user, const char *name)
{
    if (!user || !name)
        return;
    strcpy(user->name, name); /* EXPECT alarm out-of-bounds */
}

void renames_in_part(struct user *user, const char *name)
{
    if (!user || !name)
        return;
    strncpy(user->name, name, sizeof user->name - 1);
    user->name[sizeof user->name - 1] = 0;
}

struct entry {
    short key, value;
};

int finds(const struct entry *entries, int wanted)
{
    int at;
    if (!entries)
        return -1;
    for (at = 0; at < 3; at++)
        if (entries[at].key == wanted) /* EXPECT covered all */
            return entries[at].value;
    return -1;
}

/* The length is that of the memory before it: there is one session. */
struct session {
    int id;
    char name[32];
};

int opens(struct session *session, const unsigned char *packet, size_t len)
{
    if (!session || !packet || len < 1 || packet[0] >= len)
        return -1;
    session->id = 0;
    memcpy(session->name, packet + 1, packet[0]); /* EXPECT alarm out-of-bounds */
    return 0;
}
