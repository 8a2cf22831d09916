/* A gearbox controller: eight events from the input drive a table of guarded transitions. */
enum state { OFF, CRANK, IDLE, DRIVE, REVERSE, LIMP };
enum event { KEY_ON, KEY_OFF, STARTED, LEVER_D, LEVER_R, LEVER_N, SENSOR_LOST, SENSOR_BACK, TICK };

struct machine {
    enum state state;
    int timer, faults, speed;
};

static int standing(const struct machine *m) { return m->speed < 3; }
static int slow(const struct machine *m) { return m->speed < 40; }
static int healthy(const struct machine *m) { return m->faults < 3; }
static int always(const struct machine *m) { return m->timer >= 0; }

static const struct transition {
    enum state from;
    enum event on;
    int (*guard)(const struct machine *);
    enum state to;
} transitions[] = {
    {OFF, KEY_ON, always, CRANK},        {CRANK, STARTED, healthy, IDLE},   {CRANK, STARTED, always, LIMP},
    {CRANK, KEY_OFF, always, OFF},       {IDLE, LEVER_D, standing, DRIVE},  {IDLE, LEVER_R, standing, REVERSE},
    {DRIVE, LEVER_N, slow, IDLE},        {REVERSE, LEVER_N, always, IDLE},  {REVERSE, LEVER_D, standing, DRIVE},
    {DRIVE, SENSOR_LOST, always, LIMP},  {LIMP, SENSOR_BACK, healthy, IDLE}, {IDLE, KEY_OFF, standing, OFF},
};

static void tick(struct machine *m)
{
    m->timer++;
    switch (m->state) {
    case DRIVE: m->speed += 4; break;
    case REVERSE: m->speed += 1; break;
    case LIMP: m->speed = m->speed > 50 ? m->speed - 5 : m->speed; break;
    case CRANK:
        if (m->timer > 3) m->state = OFF;
        break;
    default: m->speed -= m->speed > 0; break;
    }
}

static void step(struct machine *m, unsigned char event)
{
    if (event == TICK) {
        tick(m);
        return;
    }
    if (event == SENSOR_LOST) m->faults++;
    if (event == SENSOR_BACK && m->faults > 0) m->faults--;
    for (unsigned i = 0; i < sizeof transitions / sizeof *transitions; i++) {
        const struct transition *t = &transitions[i];
        if (t->from == m->state && t->on == event && t->guard(m)) {
            m->state = t->to;
            m->timer = 0;
            return;
        }
    }
}

struct events {
    unsigned char of[8];
};

int state_machine(struct events events)
{
    struct machine m = {OFF, 0, 0, 0};
    for (int i = 0; i < 8; i++) step(&m, events.of[i]);
    return (int)m.state * 100 + m.speed;
}
