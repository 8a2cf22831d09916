// i=4
#include "ctn.h"
struct packet { int length; char name[4]; int checksum; };
int main(void)
{
    unsigned i;
    struct packet p = {0};
    ctn_value(&i, sizeof i, CTN_ROOT("i"));
    p.name[i] = 1; /* still inside the object, outside the array */
    return p.checksum;
}
