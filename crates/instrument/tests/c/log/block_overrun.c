//
#include <string.h>
static void copy(char *to, const char *from, unsigned long n) { memcpy(to, from, n); }
int main(void)
{
    char small[6], large[10] = "123456789";
    copy(small, large, sizeof large);
    return small[0];
}
