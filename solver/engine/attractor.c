/*
 * How an attractor begins: its memory, the places where the game goes on, and layer 0, where it is
 * over. Time O(nodes^2 / 512) lines at worst.
 */
#include "solver/engine/level.h"

#include "solver/engine/attractor.h"

#include <errno.h>

/* A tile more than there are lines, for forall_tiles.c reads whole tiles. */
static size_t side_bytes(const struct attractor *attractor)
{
  return ((size_t)attractor->lines * attractor->nodes + LINE_BITS) * LINE_BYTES;
}

static size_t tile_count(const struct attractor *attractor)
{
  return (size_t)attractor->lines * attractor->lines;
}

/* Every array of a side but the bits, in one block; `open` first, being lines. */
static size_t side_index_bytes(const struct attractor *attractor)
{
  return attractor->lines * (size_t)LINE_BYTES + tile_count(attractor) * sizeof(struct tile_log) +
         2 * (size_t)attractor->lines * sizeof(uint32_t);
}

static int side_init(struct side *side, const struct attractor *attractor)
{
  side->bits = solving_alloc(attractor->solving, side_bytes(attractor));
  side->open = solving_alloc(attractor->solving, side_index_bytes(attractor));
  if (!side->bits || !side->open)
    return -ENOMEM;
  side->logs = (struct tile_log *)(side->open + (size_t)attractor->lines * LINE_WORDS);
  side->units = (uint32_t *)(side->logs + tile_count(attractor));
  side->unit_tile = side->units + attractor->lines;
  for (size_t tile = 0; tile < tile_count(attractor); tile++)
    side->logs[tile].layer = LAYER_NONE;
  return 0;
}

static void open_init(struct attractor *attractor)
{
  const struct lists *lists = attractor->lists;
  const struct moves *moves = &lists->moves[attractor->loser];
  for (uint32_t place = 0; place < attractor->nodes; place++) {
    if (node_in(lists->barred[attractor->loser], place) ||
        node_in(lists->home[attractor->loser], place))
      continue;
    attractor->exists.open[place / 64] |= UINT64_C(1) << place % 64;
    if (moves->begin[place] < moves->end[place])
      attractor->forall.open[place / 64] |= UINT64_C(1) << place % 64;
  }
}

/* Where the game is over with this winner. The cat on the mouse comes before any home. */
static bit_line over_line(const struct attractor *attractor, uint32_t row, uint32_t column)
{
  const struct lists *lists = attractor->lists;
  bit_line over = {0};
  if (node_in(lists->home[attractor->winner], row)) {
    over = ~line_load(lists->barred[attractor->loser] + (size_t)column * LINE_WORDS);
    if (attractor->winner == PLAYER_CAT)
      over &= ~line_load(lists->home[PLAYER_MOUSE] + (size_t)column * LINE_WORDS);
    if (column == attractor->lines - 1)
      for (uint32_t word = 0; word < LINE_WORDS; word++) {
        uint64_t first = (uint64_t)column * LINE_BITS + word * 64;
        if (first + 64 > attractor->nodes)
          over[word] &=
              first < attractor->nodes ? ~UINT64_C(0) >> (first + 64 - attractor->nodes) : 0;
      }
  }
  if (row / LINE_BITS == column && !node_in(lists->barred[attractor->loser], row)) {
    uint64_t same = UINT64_C(1) << row % 64;
    unsigned word = row % LINE_BITS / 64;
    over[word] = attractor->winner == PLAYER_CAT ? over[word] | same : over[word] & ~same;
  }
  return over;
}

static void decide_over(struct attractor *attractor, struct worker *worker, struct side *side,
                        uint32_t row, uint32_t column)
{
  bit_line over = over_line(attractor, row, column);
  if (!line_any(over))
    return;
  line_store(side_line(attractor, side, row, column), over);
  side_log(attractor, worker, side, row, column, over);
}

/* Rows that the winner is barred from are filled without being logged: they never wait. */
static void decide_row_over(struct attractor *attractor, struct worker *worker, uint32_t row)
{
  bool home = node_in(attractor->lists->home[attractor->winner], row);
  bool barred = node_in(attractor->lists->barred[attractor->winner], row);
  for (uint32_t column = 0; column < attractor->lines && !solving_over(attractor->solving);
       column++) {
    if (barred) {
      line_store(side_line(attractor, &attractor->exists, row, column), ~(bit_line){0});
      line_store(side_line(attractor, &attractor->forall, row, column), ~(bit_line){0});
    } else if (home || (attractor->winner == PLAYER_CAT && row / LINE_BITS == column)) {
      decide_over(attractor, worker, &attractor->exists, row, column);
      decide_over(attractor, worker, &attractor->forall, row, column);
    }
  }
}

int attractor_init(struct attractor *attractor, struct solving *solving,
                   const struct engine_options *options, const struct lists *lists,
                   const struct move_sets *sets, enum player winner)
{
  *attractor = (struct attractor){.solving = solving,
                                  .options = options,
                                  .lists = lists,
                                  .sets = sets,
                                  .winner = winner,
                                  .loser = player_other(winner),
                                  .nodes = lists->nodes,
                                  .lines = lists->lines,
                                  .exists = {.name = SIDE_EXISTS},
                                  .forall = {.name = SIDE_FORALL}};
  if (side_init(&attractor->exists, attractor) < 0 || side_init(&attractor->forall, attractor) < 0)
    goto fail;
  if (!sets->made &&
      shift_plan_init(&attractor->plan, solving, options, lists, attractor->loser) < 0)
    goto fail;
  size_t choices = attractor->lines * (sizeof *attractor->way + sizeof *attractor->pulls);
  attractor->way = solving_alloc(solving, choices);
  if (!attractor->way)
    goto fail;
  attractor->pulls = (bool *)(attractor->way + attractor->lines);
  open_init(attractor);
  return 0;

fail:
  attractor_deinit(attractor);
  return solving->error;
}

void attractor_drop_bits(struct attractor *attractor)
{
  shift_plan_deinit(&attractor->plan, attractor->solving);
  solving_free(attractor->solving, attractor->exists.bits, side_bytes(attractor));
  solving_free(attractor->solving, attractor->forall.bits, side_bytes(attractor));
  solving_free(attractor->solving, attractor->way,
               attractor->lines * (sizeof *attractor->way + sizeof *attractor->pulls));
  attractor->exists.bits = attractor->forall.bits = NULL;
  attractor->way = NULL;
}

void attractor_deinit(struct attractor *attractor)
{
  attractor_drop_bits(attractor);
  solving_free(attractor->solving, attractor->exists.open, side_index_bytes(attractor));
  solving_free(attractor->solving, attractor->forall.open, side_index_bytes(attractor));
  attractor->exists.open = attractor->forall.open = NULL;
}

void attractor_decide_over(struct attractor *attractor, struct worker *worker)
{
  for (uint32_t row = 0; row < attractor->nodes && !solving_over(attractor->solving); row++)
    decide_row_over(attractor, worker, row);
}
