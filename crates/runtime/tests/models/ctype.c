/* ctype.h: every function on every value that it is defined for, and every entry of the three tables. */
#define _GNU_SOURCE
#include "../../c/models/models.h"
#include "check.h"

#include <ctype.h>

void check_ctype(void)
{
    char text[8];
    for (int c = -128; c < 256; c++) {
        snprintf(text, sizeof text, "%d", c);
        SAME(ctn_model_isalpha(c), isalpha(c), text);
        SAME(ctn_model_isdigit(c), isdigit(c), text);
        SAME(ctn_model_isalnum(c), isalnum(c), text);
        SAME(ctn_model_isupper(c), isupper(c), text);
        SAME(ctn_model_islower(c), islower(c), text);
        SAME(ctn_model_isspace(c), isspace(c), text);
        SAME(ctn_model_isblank(c), isblank(c), text);
        SAME(ctn_model_iscntrl(c), iscntrl(c), text);
        SAME(ctn_model_isprint(c), isprint(c), text);
        SAME(ctn_model_isgraph(c), isgraph(c), text);
        SAME(ctn_model_ispunct(c), ispunct(c), text);
        SAME(ctn_model_isxdigit(c), isxdigit(c), text);
        SAME(ctn_model_isascii(c), isascii(c), text);
        SAME(ctn_model_toascii(c), toascii(c), text);
        SAME(ctn_model_toupper(c), toupper(c), text);
        SAME(ctn_model_tolower(c), tolower(c), text);
        SAME((*ctn_model_ctype_b_loc())[c], (*__ctype_b_loc())[c], text);
        SAME((*ctn_model_ctype_tolower_loc())[c], (*__ctype_tolower_loc())[c], text);
        SAME((*ctn_model_ctype_toupper_loc())[c], (*__ctype_toupper_loc())[c], text);
    }
    SAME(ctn_model_toupper(100000), toupper(100000), "beyond the table");
    SAME(ctn_model_tolower(-100000), tolower(-100000), "beyond the table");
}
