int unreached(void) { return 2; }
