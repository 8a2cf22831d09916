/* A gearbox controller: a table-driven state machine with guards, timers and a fault counter. */
#include "kernel.h"

enum state { OFF, CRANK, IDLE, DRIVE, REVERSE, LIMP, STATES };
enum event { KEY_ON, KEY_OFF, STARTED, STALLED, LEVER_D, LEVER_R, LEVER_N, SENSOR_LOST, SENSOR_BACK, TICK, EVENTS };

struct machine {
    enum state state;
    unsigned timer, faults, speed;
    unsigned changes;
};

static int standing(const struct machine *m) { return m->speed < 3; }
static int slow(const struct machine *m) { return m->speed < 40; }
static int healthy(const struct machine *m) { return m->faults < 3; }
static int always(const struct machine *m) { return m != NULL; }

struct transition {
    enum state from;
    enum event on;
    int (*guard)(const struct machine *);
    enum state to;
};

static const struct transition transitions[] = {
    {OFF, KEY_ON, always, CRANK},       {CRANK, STARTED, healthy, IDLE},    {CRANK, STARTED, always, LIMP},
    {CRANK, KEY_OFF, always, OFF},      {IDLE, LEVER_D, standing, DRIVE},   {IDLE, LEVER_R, standing, REVERSE},
    {DRIVE, LEVER_N, slow, IDLE},       {DRIVE, LEVER_R, standing, REVERSE}, {REVERSE, LEVER_N, always, IDLE},
    {REVERSE, LEVER_D, standing, DRIVE}, {DRIVE, SENSOR_LOST, always, LIMP}, {IDLE, SENSOR_LOST, healthy, IDLE},
    {LIMP, SENSOR_BACK, healthy, IDLE}, {DRIVE, STALLED, always, OFF},      {IDLE, KEY_OFF, standing, OFF},
    {LIMP, KEY_OFF, standing, OFF},
};

static void tick(struct machine *m)
{
    m->timer++;
    switch (m->state) {
    case DRIVE: m->speed += m->speed < 120 ? 4 : 0; break;
    case REVERSE: m->speed = m->speed < 10 ? m->speed + 1 : 10; break;
    case LIMP: m->speed = m->speed > 50 ? m->speed - 5 : m->speed; break;
    case CRANK:
        if (m->timer > 20) m->state = OFF;
        break;
    default: m->speed -= m->speed > 0; break;
    }
}

static void step(struct machine *m, enum event e)
{
    if (e == TICK) {
        tick(m);
        return;
    }
    if (e == SENSOR_LOST) m->faults++;
    if (e == SENSOR_BACK && m->faults > 0) m->faults--;
    for (unsigned i = 0; i < sizeof transitions / sizeof *transitions; i++) {
        const struct transition *t = &transitions[i];
        if (t->from == m->state && t->on == e && t->guard(m)) {
            m->state = t->to;
            m->timer = 0;
            m->changes++;
            return;
        }
    }
}

int main(int argc, char **argv)
{
    struct machine m = {OFF, 0, 0, 0, 0};
    uint64_t sum = 0;
    for (unsigned n = kernel_repeats(argc, argv, 5000000); n > 0; n--) {
        uint32_t r = kernel_random();
        step(&m, r % 3 == 0 ? (enum event)(r / 3 % EVENTS) : TICK);
        if (n % 64 == 0) sum = kernel_mix(sum, m.state * 1000003u + m.speed * 101u + m.changes);
    }
    return kernel_done("state_machine", sum);
}
