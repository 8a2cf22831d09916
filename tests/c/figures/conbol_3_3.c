/* CONBOL, figure 3.3: an element is taken at an index that the function neither checks nor changes. Its
 * pre-condition is that the index fits, and the only caller keeps it. */
int elements[10];

int element_at(int i)
{
    return elements[i]; /* EXPECT alarm out-of-bounds dropped where i < 0 or i > 9 */
}

int sum_of_elements(void)
{
    int sum = 0;
    for (int i = 0; i < 10; i++) sum += element_at(i);
    return sum;
}
