/* Incomplete types: behind a pointer they can be driven (with null), the body unknown. */
struct opaque;
struct opaque *global_handle;

extern int opaque_size(struct opaque *o);

int holds(struct opaque *o, int x)
{
    if (x == 15) return 1; /* EXPECT covered all */
    return o == global_handle;
}
