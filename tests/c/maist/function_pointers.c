/* Function pointers wherever a program keeps them: each branch needs a certain function of the program there. */
/* EXPECT-FILE covered all */
typedef int check(int);

static int is_low(int n) { return n < 10; }
static int is_odd(int n) { return n & 1; }
static int never(int n) { return n * 0; }

/* In a global, by assignment. */
static check *current;
void select_low(void) { current = is_low; }
void select_odd(void) { current = is_odd; }
int in_global(int n)
{
    if (!current) return 0;
    if (current == is_odd && current(n)) return 1;
    return 2;
}

/* In a field, by initialiser and by assignment. */
struct rule { check *test; int weight; };
struct rule first = {is_low, 1};
void replace(struct rule *rule) { if (rule) rule->test = is_odd; }
int in_field(const struct rule *rule, int n)
{
    if (!rule || !rule->test) return 0;
    if (rule->test == is_low && rule->test(n) && rule->weight == 7) return 1;
    return 2;
}

/* In an array of a global. */
static check *table[3] = {is_low, is_odd, never};
void shuffle(unsigned at) { table[at % 3] = at > 100 ? is_odd : never; }
int in_array(unsigned at, int n)
{
    at %= 3;
    if (!table[at]) return 0;
    if (table[at](n) && table[2] == is_odd) return 1;
    return 2;
}

/* As a parameter, given by the callers. */
static int as_parameter(check *test, int n)
{
    if (!test) return 0;
    if (test == is_odd) return test(n) ? 1 : 2;
    return 3;
}
int gives_odd(int n) { return as_parameter(is_odd, n); }
int gives_low(int n) { return as_parameter(is_low, n); }

/* Nested: a structure in a structure, behind a pointer. */
struct module { struct rule *rules; struct rule own; };
int nested(const struct module *module, int n)
{
    if (!module || !module->rules || !module->rules->test) return 0;
    if (module->rules->test == is_low && module->own.test == is_odd) return module->own.test(n) ? 1 : 2;
    return 3;
}

/* A pointer to a pointer to a function. */
int twice_indirect(check **where, int n)
{
    if (!where || !*where) return 0;
    if (*where == is_low && (*where)(n)) return 1;
    return 2;
}
