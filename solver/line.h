/* The line of best play from a state, read off a finished table. */
#ifndef CATMOUSE_SOLVER_LINE_H
#define CATMOUSE_SOLVER_LINE_H

#include <stdint.h>

#include "solver/arena.h"
#include "solver/table.h"

enum line_end {
  LINE_HOME,    /* someone reached home */
  LINE_CAUGHT,  /* the cat stands on the mouse */
  LINE_REPEATS, /* the last move led to a state the line had seen */
  LINE_LIMIT,   /* the limit's plies are played */
  LINE_STUCK,   /* the mover has no move */
  LINE_FULL,    /* `max` moves are written */
};

struct line {
  uint32_t
      *moves; /* nodes, the players taking turns from the asked state on; the caller free()s it */
  uint32_t count;
  enum line_end end;
};

/* Best play from a state, at most `max` moves. 0 or -ENOMEM. */
int answer_line(const struct arena *arena, const struct table *table, const struct state *state,
                uint32_t limit_plies, uint32_t max, struct line *line);

#endif
