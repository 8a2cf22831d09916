/* Elements that the program takes by constant numbers are there, in objects behind objects too. */
/* EXPECT-FILE only contexts */

struct plane { int width; int *data; };
struct image { int kind; struct plane *planes; };

int ratio(struct image *image)
{
    if (!image || !image->planes)
        return 0;
    if (image->planes[2].width == 77 && image->kind == 3)
        return image->planes[1].width / image->kind;
    return image->planes[0].width > 3;
}
/* EXPECT-FILE covered all */
