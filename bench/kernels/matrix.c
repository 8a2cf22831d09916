/* Dense matrices of doubles: product, and elimination with pivoting. */
#include "kernel.h"

#include <math.h>
#include <string.h>

enum { N = 24 };

static void product(double out[N][N], double a[N][N], double b[N][N])
{
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++) {
            double sum = 0;
            for (int j = 0; j < N; j++) sum += a[i][j] * b[j][k];
            out[i][k] = sum;
        }
}

static double determinant(double m[N][N])
{
    double d = 1;
    for (int c = 0; c < N; c++) {
        int pivot = c;
        for (int r = c + 1; r < N; r++)
            if (fabs(m[r][c]) > fabs(m[pivot][c])) pivot = r;
        if (m[pivot][c] == 0) return 0;
        if (pivot != c) {
            double row[N];
            memcpy(row, m[c], sizeof row);
            memcpy(m[c], m[pivot], sizeof row);
            memcpy(m[pivot], row, sizeof row);
            d = -d;
        }
        d *= m[c][c];
        for (int r = c + 1; r < N; r++) {
            double factor = m[r][c] / m[c][c];
            for (int k = c; k < N; k++) m[r][k] -= factor * m[c][k];
        }
    }
    return d;
}

int main(int argc, char **argv)
{
    static double a[N][N], b[N][N], c[N][N];
    uint64_t sum = 0;
    for (unsigned n = kernel_repeats(argc, argv, 4000); n > 0; n--) {
        for (int i = 0; i < N; i++)
            for (int k = 0; k < N; k++) {
                a[i][k] = (double)(kernel_random() % 17) - 8;
                b[i][k] = i == k ? 1.0 : (double)(kernel_random() % 3) / 8;
            }
        product(c, a, b);
        double d = determinant(c);
        uint64_t bits;
        memcpy(&bits, &d, sizeof bits);
        sum = kernel_mix(sum, bits);
    }
    return kernel_done("matrix", sum);
}
