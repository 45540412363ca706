#ifndef CATMOUSE_BENCH_EXPLAIN_COMMANDS_H
#define CATMOUSE_BENCH_EXPLAIN_COMMANDS_H

/* Prints how long `cmclient explain` and `draw` of puzzles of 50 nodes take, beside `query` of the same file. */
void measure_commands(void);

#endif
