/* MAIST, figure 2: a static function loops up to its argument; its only caller passes a remainder. Tested as
 * a task (entry and callees of the file together) there is nothing to report. */
#define MODELS 10
#define MODEL_SOUGHT 9

int model[MODELS];
int sought;

static void count_sought(int limit)
{
    for (int i = 0; i < limit; i++)
        if (model[i] == MODEL_SOUGHT) /* EXPECT alarm out-of-bounds dropped where limit > 10 */ /* EXPECT covered all */
            sought++;
}

void task(int x)
{
    count_sought(x % MODELS);
}
