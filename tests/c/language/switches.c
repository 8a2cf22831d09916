/* switch: dense, sparse, over 64 bits, with fall-through, nested in a loop (after Duff), over an enum. */
/* EXPECT-FILE covered all */
int dense(unsigned char op)
{
    switch (op) {
    case 0: return 10;
    case 1: return 11;
    case 2: return 12;
    case 3: return 13;
    case 4: return 14;
    default: return -1;
    }
}

int sparse(long long key)
{
    int value = 0;
    switch (key) {
    case -7000000000ll: value++; /* fall through */
    case 12: value += 10; break;
    case 0x7fffffffffffffff: return 3;
    }
    if (value == 11) return 4;
    return value;
}

int unrolled(unsigned count)
{
    int copied = 0, rounds = (int)(count % 12 + 3) / 4;
    switch (count % 5) {
    case 0: do { copied++; /* fall through */
    case 3: copied++; /* fall through */
    case 2: copied++; /* fall through */
    case 1: copied++;
            } while (--rounds > 0);
    }
    return copied;
}
