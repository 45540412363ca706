/*
 * The inner loops of verify.c, included once for each type of cells: CELL is the type,
 * BY_CELL(name) gives each function a name of its own. In the type of the cells a vector holds as
 * many as it can.
 *
 * A cell's rank is the cell less 1: the more plies, the higher, and undecided, 0, becomes the
 * highest rank of all, NONE.
 */
#define NONE ((CELL)-1)

/* Successor by successor. */
static inline void BY_CELL(fold_so_many)(const struct run *run, uint32_t count, CELL *best,
                                         CELL *worst)
{
  const struct moves *moves = &run->arena->moves[run->mover];
  const CELL *after = (const void *)run->after;
  const CELL mover = (CELL)run->mover;
  for (uint32_t at = moves->begin[run->place]; at < moves->end[run->place]; at++) {
    const CELL *cells = after + moves->to[at] * run->stride;
    for (uint32_t i = 0; i < count; i++) {
      CELL rank = (CELL)(cells[i] - 1);
      CELL win = (CELL)(rank | (CELL) - ((rank & 1) ^ mover));
      best[i] = win < best[i] ? win : best[i];
      worst[i] = rank > worst[i] ? rank : worst[i];
    }
  }
}

static void BY_CELL(fold)(const struct run *run, void *folded)
{
  const struct moves *moves = &run->arena->moves[run->mover];
  bool is_stuck = moves->begin[run->place] == moves->end[run->place];
  CELL best[RUN_STATES], worst[RUN_STATES];
  memset(best, 0xff, sizeof best);
  memset(worst, is_stuck ? 0xff : 0, sizeof worst);
  if (run->count == RUN_STATES)
    BY_CELL(fold_so_many)(run, RUN_STATES, best, worst);
  else
    BY_CELL(fold_so_many)(run, run->count, best, worst);
  for (uint32_t i = 0; i < RUN_STATES; i++)
    ((CELL *)folded)[i] = best[i] == NONE ? worst[i] : best[i];
}

/* Is each state as its successors say? Two ranks more than the type holds fit nothing. */
static bool BY_CELL(fits)(const struct run *run, const void *folded)
{
  const CELL *cells = run->cells, *ranks = folded;
  CELL misfits = 0;
  for (uint32_t i = 0; i < run->count; i++) {
    CELL rank = ranks[i], proper = rank == NONE ? NONE : (CELL)(rank + 2);
    misfits |= (CELL)(cells[i] - 1) ^ proper;
    misfits |= rank != NONE && rank >= NONE - 2;
  }
  return !misfits;
}

static uint32_t BY_CELL(proper_cell)(const void *folded, uint32_t at)
{
  CELL rank = ((const CELL *)folded)[at];
  return rank == NONE ? 0 : (uint32_t)rank + 3;
}

/* Columns have room for RUN_STATES cells each. A cache line of each row is turned at a time. */
static void BY_CELL(turn_rows)(const void *rows, uint32_t count, uint32_t nodes, void *columns)
{
  enum { LINE = 64 / sizeof(CELL) };
  const CELL *from = rows;
  CELL *to = columns;
  for (uint32_t first = 0; first < nodes; first += LINE) {
    uint32_t end = first + LINE < nodes ? first + LINE : nodes;
    for (uint32_t row = 0; row < count; row++)
      for (uint32_t column = first; column < end; column++)
        to[(size_t)column * RUN_STATES + row] = from[(size_t)row * nodes + column];
  }
}

#undef NONE
#undef CELL
#undef BY_CELL
