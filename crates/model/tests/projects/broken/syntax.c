int bad(void) {
    return 1 +;
}
int worse( { }
