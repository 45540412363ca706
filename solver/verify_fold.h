/*
 * The inner loops of verify.c, included once for each type of cells: CELL is the type, BY_CELL(name)
 * gives each function a name of its own. In the type of the cells a vector holds as many as it can.
 *
 * A cell's rank is the cell less 1: the more plies, the higher, and undecided, 0, becomes the highest
 * rank of all, NONE.
 */
#define NONE ((CELL)-1)

static inline void BY_CELL(fold)(CELL cell, enum player mover, CELL *best, CELL *worst)
{
  CELL rank = (CELL)(cell - 1);
  CELL win = rank | ((rank & 1) == (CELL)mover ? 0 : NONE);
  *best = win < *best ? win : *best;
  *worst = rank > *worst ? rank : *worst;
}

/* Successor row by successor row. */
static void BY_CELL(fold_mouse)(const struct run *run, void *folded)
{
  const struct moves *moves = &run->arena->moves[PLAYER_MOUSE];
  uint32_t first = moves->begin[run->mouse], end = moves->end[run->mouse];
  CELL best[CATS], worst[CATS];
  for (uint32_t i = 0; i < CATS; i++) {
    best[i] = NONE;
    worst[i] = first < end ? 0 : NONE;
  }
  for (uint32_t at = first; at < end; at++) {
    const CELL *cells = run_cells(run, PLAYER_CAT, moves->to[at]);
    cells += run->cat;
    for (uint32_t i = 0; i < run->count; i++)
      BY_CELL(fold)(cells[i], PLAYER_MOUSE, &best[i], &worst[i]);
  }
  for (uint32_t i = 0; i < CATS; i++)
    ((CELL *)folded)[i] = best[i] == NONE ? worst[i] : best[i];
}

/* All successors lie in one row. */
static void BY_CELL(fold_cat)(const struct run *run, void *folded)
{
  const struct moves *moves = &run->arena->moves[PLAYER_CAT];
  const CELL *cells = run_cells(run, PLAYER_MOUSE, run->mouse);
  for (uint32_t i = 0; i < run->count; i++) {
    uint32_t first = moves->begin[run->cat + i], end = moves->end[run->cat + i];
    CELL best = NONE, worst = first < end ? 0 : NONE;
    for (uint32_t at = first; at < end; at++)
      BY_CELL(fold)(cells[moves->to[at]], PLAYER_CAT, &best, &worst);
    ((CELL *)folded)[i] = best == NONE ? worst : best;
  }
}

/* Is each state as its successors say? Two ranks more than the type holds fit nothing. */
static bool BY_CELL(fits)(const struct run *run, const void *folded)
{
  const CELL *cells = run_cells(run, run->turn, run->mouse), *ranks = folded;
  CELL misfits = 0;
  cells += run->cat;
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

#undef NONE
#undef CELL
#undef BY_CELL
