static int state;
int part(void) { return state++; }
