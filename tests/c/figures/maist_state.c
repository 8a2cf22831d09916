/* MAIST, section III-C: a static local keeps what the last call left. Its branch is reached by calling the
 * function more than once, or by setting the state. */
/* EXPECT-FILE covered all */
int door_events(int event)
{
    static int last_event = -1;
    int repeated = 0;
    if (last_event == 3 && event == 7) repeated = 1;
    last_event = event;
    return repeated;
}
