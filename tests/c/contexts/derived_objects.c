/* Objects with a common head: a pointer to the head is converted to one to the whole, by a cast or by the distance of a
 * member. A driver that makes only the head lets every such function read beyond it. Which object it is an input; where
 * names say so, its tag agrees. */
/* EXPECT-FILE only contexts */
#include <stddef.h>

enum kind { SHAPE_NONE, SHAPE_CIRCLE, SHAPE_SQUARE };
struct shape { enum kind kind; };
struct circle { struct shape shape; int radius; const char *label; };
struct square { struct shape shape; long sides[4]; };

/* Trap: every object is as large as its tag says, and its pointers are pointers. */
long size(const struct shape *shape)
{
    if (!shape)
        return 0;
    switch (shape->kind) { /* EXPECT covered all */
    case SHAPE_CIRCLE: {
        const struct circle *circle = (const struct circle *)shape;
        return circle->label ? circle->radius + circle->label[0] : circle->radius;
    }
    case SHAPE_SQUARE: return ((const struct square *)shape)->sides[3];
    default: return 0;
    }
}

/* Bug: four sides, and a fifth is let through. */
long side(struct shape *shape, int n)
{
    if (!shape || shape->kind != SHAPE_SQUARE || n < 0 || n > 4)
        return 0;
    return ((struct square *)shape)->sides[n]; /* EXPECT alarm out-of-bounds unit reported */
}

struct link { struct link *next; };
struct job { int id; struct link link; int cost; };

static struct job *job_of(struct link *link) { return (struct job *)((char *)link - offsetof(struct job, link)); }

/* Trap: the link is part of a job. */
int cost(struct link *link) { return link && job_of(link)->id == 7 ? job_of(link)->cost : 0; } /* EXPECT covered all */

/* Bug: nothing says that a job costs something. */
int rate(struct link *link)
{
    if (!link)
        return 0;
    return 100 / job_of(link)->cost; /* EXPECT alarm division-by-zero unit reported */
}
