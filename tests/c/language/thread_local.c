/* Thread-local variables. */
/* EXPECT-FILE covered all */
static __thread int per_thread = 5;
_Thread_local int exported;

int uses_tls(int x)
{
    per_thread += x;
    exported = per_thread;
    if (exported == 25) return 1;
    return 0;
}
