/*
 * A puzzle that still fails when something is taken from it is kept, until nothing can be taken. Nodes go before edges,
 * rows and columns before walls and jumps, since they take the most with them.
 */
#include <string.h>

#include "client/judge/judge.h"

enum { FIRST_FREE_NODE = 3 }; /* hole, mouse and cat stay */

static bool accept(struct challenge *challenge, const struct challenge *smaller,
                   fails_function *fails, void *context)
{
  if (!challenge_is_legal(smaller) || !fails(context, smaller))
    return false;
  *challenge = *smaller;
  return true;
}

static uint64_t without_bit(uint64_t set, uint32_t at)
{
  uint64_t low = set & ((UINT64_C(1) << at) - 1);
  return low | (set >> (at + 1) << at);
}

static void drop_node(struct challenge *challenge, uint32_t node)
{
  challenge->nodes--;
  for (uint32_t at = node; at < challenge->nodes; at++)
    challenge->neighbours[at] = challenge->neighbours[at + 1];
  challenge->neighbours[challenge->nodes] = 0;
  for (uint32_t at = 0; at < challenge->nodes; at++)
    challenge->neighbours[at] = without_bit(challenge->neighbours[at], node);
}

static bool shrink_nodes(struct challenge *challenge, fails_function *fails, void *context)
{
  bool changed = false;
  for (uint32_t node = challenge->nodes; node-- > FIRST_FREE_NODE;) {
    struct challenge smaller = *challenge;
    drop_node(&smaller, node);
    changed |= accept(challenge, &smaller, fails, context);
  }
  return changed;
}

static bool shrink_edges(struct challenge *challenge, fails_function *fails, void *context)
{
  bool changed = false;
  for (uint32_t a = 0; a < challenge->nodes; a++) {
    for (uint32_t b = a + 1; b < challenge->nodes; b++) {
      struct challenge smaller = *challenge;
      if (!(challenge->neighbours[a] >> b & 1))
        continue;
      smaller.neighbours[a] &= ~(UINT64_C(1) << b);
      smaller.neighbours[b] &= ~(UINT64_C(1) << a);
      changed |= accept(challenge, &smaller, fails, context);
    }
  }
  return changed;
}

static bool shrink_rows(struct challenge *challenge, fails_function *fails, void *context)
{
  bool changed = false;
  for (uint32_t row = challenge->rows; row-- > 0 && challenge->rows > 1;) {
    struct challenge smaller = *challenge;
    smaller.rows--;
    memmove(smaller.cell[row], smaller.cell[row + 1], (smaller.rows - row) * sizeof *smaller.cell);
    changed |= accept(challenge, &smaller, fails, context);
  }
  return changed;
}

static bool shrink_cols(struct challenge *challenge, fails_function *fails, void *context)
{
  bool changed = false;
  for (uint32_t col = challenge->cols; col-- > 0 && challenge->cols > 1;) {
    struct challenge smaller = *challenge;
    smaller.cols--;
    for (uint32_t row = 0; row < smaller.rows; row++)
      memmove(&smaller.cell[row][col], &smaller.cell[row][col + 1], smaller.cols - col);
    changed |= accept(challenge, &smaller, fails, context);
  }
  return changed;
}

static bool shrink_jumps(struct challenge *challenge, fails_function *fails, void *context)
{
  bool changed = false;
  for (int player = 0; player < 2; player++) {
    for (int32_t jump = 1; jump < challenge->jump[player]; jump++) {
      struct challenge smaller = *challenge;
      smaller.jump[player] = jump;
      changed |= accept(challenge, &smaller, fails, context);
    }
  }
  return changed;
}

/* A wall less is a simpler grid. */
static bool shrink_walls(struct challenge *challenge, fails_function *fails, void *context)
{
  bool changed = false;
  for (uint32_t cell = 0; cell < challenge->rows * challenge->cols; cell++) {
    uint32_t row = cell / challenge->cols, col = cell % challenge->cols;
    struct challenge smaller = *challenge;
    if (challenge->cell[row][col] != '#')
      continue;
    smaller.cell[row][col] = '.';
    changed |= accept(challenge, &smaller, fails, context);
  }
  return changed;
}

void challenge_shrink(struct challenge *challenge, fails_function *fails, void *context)
{
  bool changed = true;
  while (changed && challenge->game == GAME_GRAPH) {
    changed = shrink_nodes(challenge, fails, context);
    changed |= shrink_edges(challenge, fails, context);
  }
  while (changed && challenge->game == GAME_GRID) {
    changed = shrink_rows(challenge, fails, context);
    changed |= shrink_cols(challenge, fails, context);
    changed |= shrink_walls(challenge, fails, context);
    changed |= shrink_jumps(challenge, fails, context);
  }
}
