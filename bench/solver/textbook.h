/*
 * The peer: retrograde analysis as textbooks have it. A FIFO queue of decided states, a counter of
 * undecided moves a state, flat arrays, outcome and plies.
 */
#ifndef CATMOUSE_BENCH_SOLVER_TEXTBOOK_H
#define CATMOUSE_BENCH_SOLVER_TEXTBOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "solver/arena.h"
#include "solver/table.h"

struct textbook {
  uint32_t nodes;
  uint8_t *outcome; /* enum outcome, [turn][mouse][cat] */
  uint16_t *plies;  /* in the same order; says nothing where the outcome is a draw */
};

/*
 * Time O(nodes * moves), memory 9 bytes a state. 0; -ENOMEM; -EOVERFLOW where a distance passes 65,535
 * plies or there are more than 46,340 nodes. The caller ends it with textbook_deinit().
 */
int textbook_solve(const struct arena *arena, struct textbook *textbook);
void textbook_deinit(struct textbook *textbook);

/* The first state where the two differ, of those that both players can stand in. */
bool textbook_differs(const struct textbook *textbook, const struct arena *arena,
                      const struct table *table, struct state *where);

#endif
