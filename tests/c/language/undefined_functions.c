/* Functions that nothing defines become stubs with inputs for answers; macros of the library keep working. */
/* EXPECT-FILE covered all */
int read_sensor(int channel);
unsigned char *find_block(unsigned id);
void log_event(const char *format, ...);

int control(int channel)
{
    int value = read_sensor(channel);
    if (value == 512) {
        log_event("value %d", value);
        return 1;
    }
    return 0;
}

int block_kind(unsigned id)
{
    unsigned char *block = find_block(id);
    if (!block) return 0;
    if (block[0] == 0xa5) return 1;
    return 2;
}
