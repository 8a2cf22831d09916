/* Arrays that functions only read through pointers into them are not written. */
int folds[] = { 1, 2, 3, 4 };
int filled[4];
int scratch[4];
int rows[2][2] = { { 1, 2 }, { 3, 4 } };
int kept_somewhere[2];
static const int *last;

static int sum(const int *p, int n) {
    int all = 0;
    while (n-- > 0)
        all += *p++;
    return all;
}

int reads(int n, int which) {
    int *at = folds + n;
    int *row;
    row = rows[which];
    return at[0] + *at + row[1] + (folds + n)[1] + *(folds + 1) + sum(folds + n, 2) + sum(&folds[n], 1);
}

int writes(int n) {
    int *to;
    to = filled + n;
    to[1] = n;
    *(scratch + n) = 1;
    return n;
}

void keeps(void) {
    const int *from = kept_somewhere;
    last = from;
}
