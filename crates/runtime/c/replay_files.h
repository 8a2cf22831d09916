/* What replay.c asks of replay_files.c. */
#ifndef CTN_REPLAY_FILES_H
#define CTN_REPLAY_FILES_H

/* Makes the slots of standard input the process's standard input. */
void replay_standard_input(void);

#endif
