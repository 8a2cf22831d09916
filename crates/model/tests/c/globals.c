/* Who reads and writes which global. */
#include <errno.h>

int a, b, c, d, e, f;
int array[4], matrix[2][3];
const int table[4] = { 1, 2, 3, 4 };
struct point { int x, y; int tail[2]; } origin, *where;
extern int elsewhere;
extern int never_used;
extern int completed[];
int completed[7];
static int hidden;

int reads(void) { return a + array[1] + table[2] + origin.x + where->y + *array + 1[array]; }
void writes(void) { a = 1; array[1] = 2; matrix[1][2] = 3; origin.y = 4; *array = 5; origin.tail[1] = 6; }
void updates(void) { a++; --b; c += 2; array[0] <<= 1; origin.x--; }
int *addresses(void) { int *p = &a; p = array; p = matrix[1]; p = &origin.x; p = origin.tail; return p; }
void through_pointers(void) { where->x = 1; where[2].y = 3; (*where).tail[0] = 1; }
unsigned long not_evaluated(void) { return sizeof(a) + sizeof array + _Alignof(b) + sizeof(int[3]); }
const int *constants(void) { return table; }
void chosen(int k) { (k ? a : b) + 1; k ? (c = 1) : (d = 2); (e, f) ; *(e = 1, &f) = 2; }
int outside(void) { errno = 0; return elsewhere; }
int local_extern(void) { extern int far_away; int a = 3; return far_away + a; }
int counter(void) { static int count; static const int step = 2; return count += step; }
int twice(void) { { static int n; n++; } { static int n; return n; } }
void assembly(void) { __asm__("" : "=r"(a) : "r"(b)); }
int statements(void) { return ({ int t = hidden; t; }); }
int of_array(int n) { int vla[a]; return sizeof(vla) + completed[n]; }
void whole(void) { struct point p = origin; origin = p; origin = (struct point){ a, b, { c } }; }
