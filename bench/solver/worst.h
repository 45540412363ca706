/* Puzzles that are made to take long before they are solved. */
#ifndef CATMOUSE_BENCH_SOLVER_WORST_H
#define CATMOUSE_BENCH_SOLVER_WORST_H

/* Prints what making the arena, its id, the numbering and the lists of each takes, in all and a byte of its message. */
void worst_measure(void);

#endif
