/*
 * Up to 64 nodes: a row is one word, and nothing is allocated but the table.
 *
 * Each winner has a square of its own for each turn, in which its places are rows. The cat's wins
 * come first; their squares are transposed, the mouse's are written on them, and all is copied into
 * the table. Cells are one byte; if a layer does not fit, all is done again with two.
 *
 * Time O(nodes^2 * moves) words at worst. Memory: the table, and 40 kB of stack.
 */
#include "solver/engine/level.h"

#include "solver/engine/small.h"

#include <errno.h>
#include <string.h>

#include "solver/engine/cells.h"
#include "solver/engine/small_attract.h"

_Static_assert((int)SMALL_NODES_MAX == (int)NODES, "a row of all nodes is a word");

static void player_init(struct small *small, const struct arena *arena, enum player player)
{
  struct small_player *side = &small->players[player];
  const struct moves *moves = &arena->moves[player];
  side->home = arena->home[player][0] & small->all;
  side->barred = arena->barred[player][0] & small->all;
  side->stuck = 0;
  for (uint32_t node = 0; node < NODES; node++)
    side->moves[node] = side->before[node] = 0;
  for (uint32_t node = 0; node < small->nodes; node++) {
    for (uint32_t at = moves->begin[node]; at < moves->end[node]; at++) {
      side->moves[node] |= bit(moves->to[at]);
      side->before[moves->to[at]] |= bit(node);
    }
    side->stuck |= side->moves[node] ? 0 : bit(node);
  }
}

/*
 * The cat's squares become the mouse's, to be written on. Whole blocks are quickest: what lies
 * beyond the nodes is the second square's, done later, or nobody's.
 */
static void swap_squares(struct small *small)
{
  uint32_t width = small->width, lanes = 16 / width;
  uint32_t rows = (small->nodes + lanes - 1) / lanes * lanes;
  for (int turn = 0; turn < 2; turn++) {
    size_t offset = (size_t)turn * square_bytes(small);
    struct cells cat = {.base = small->squares[PLAYER_CAT] + offset,
                        .stride_bytes = (size_t)NODES * width,
                        .width = width};
    struct cells mouse = cat;
    mouse.base = small->squares[PLAYER_MOUSE] + offset;
    cells_transpose(&cat, &mouse, 0, rows, 0, NODES);
  }
}

static int small_run(struct small *small)
{
  small->decided = 0;
  memset(small->squares[PLAYER_CAT], 0, 2 * square_bytes(small));
  int error = small_attract(small, PLAYER_CAT);
  if (error)
    return error;
  swap_squares(small);
  return small_attract(small, PLAYER_MOUSE);
}

/*
 * Rows of the squares are longer than the table's, so each row written spills into the next, which
 * is written after it; near the end they must not.
 */
static void copy_rows(const struct small *small, uint8_t *to)
{
  size_t row_bytes = (size_t)small->nodes * small->width, square_row = (size_t)NODES * small->width;
  const uint8_t *from = small->squares[PLAYER_MOUSE];
  for (size_t left = 2 * small->nodes * row_bytes; left; left -= row_bytes) {
    if (left < square_row)
      memcpy(to, from, row_bytes);
    else if (small->width == 1)
      memcpy(to, from, NODES);
    else
      memcpy(to, from, 2 * NODES);
    from += square_row;
    to += row_bytes;
  }
}

int small_solve(const struct arena *arena, struct solving *solving,
                const struct engine_options *forced, struct table **made)
{
  (void)forced;
  struct small small;
  small.solving = solving;
  small.nodes = arena->nodes;
  small.width = 1;
  small.all = ~UINT64_C(0) >> (NODES - arena->nodes);
  player_init(&small, arena, PLAYER_MOUSE);
  player_init(&small, arena, PLAYER_CAT);
  int error = small_run(&small);
  if (error == TOO_LONG) {
    small.width = 2;
    error = small_run(&small);
  }
  if (error)
    return error;
  if (solving_hold(solving, table_bytes(arena->nodes, small.width)) < 0)
    return -EFBIG;
  struct table *table = table_new(arena->nodes, small.width);
  if (!table) {
    solving_release(solving, table_bytes(arena->nodes, small.width));
    return -ENOMEM;
  }
  copy_rows(&small, table->cells);
  solving_count(solving, small.decided);
  *made = table;
  return 0;
}
