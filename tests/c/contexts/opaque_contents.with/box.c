struct box { int count; int *numbers; };

int *box_numbers(struct box *box)
{
    return box ? box->numbers : 0;
}
