/* What the caller of solve() may ask for. */
#ifndef CATMOUSE_SOLVER_SOLVE_OPTIONS_H
#define CATMOUSE_SOLVER_SOLVE_OPTIONS_H

#include <stdatomic.h>
#include <stdint.h>

struct solve_options {
  unsigned threads;   /* at most; 0 lets the solver choose, up to solve_processors() */
  uint64_t max_bytes; /* never hold more than this at once, the table included; 0 for no bound */
  const atomic_bool *stop; /* NULL, or: set from any thread, solve() gives up within 20 ms */
  atomic_uint_fast64_t
      *decided; /* NULL, or: how many states are decided so far, for others to read */
  atomic_uint_fast32_t
      *layers; /* NULL, or: how many plies deep the analysis has come, for others to read */
};

/*
 * A puzzle of more nodes is refused: what the engine keeps of a node and of a tile is 32 bits wide.
 */
enum { SOLVE_NODES_MAX = 1 << 19 };

#endif
