/*
 * The line of best play. Each ply takes the best move under the limit that is left; the line ends
 * where the game does, where a state comes back, or where the caller's or the limit's plies are
 * used up. Time O(moves looked at), memory O(line).
 */
#include "solver/line.h"

#include <errno.h>
#include <stdlib.h>

#include "solver/ranking.h"
#include "solver/state_index.h"

#define NODE_NONE UINT32_MAX

static int line_push(struct line *line, uint32_t to)
{
  bool full = (line->count & (line->count - 1)) == 0;
  if (full) {
    uint32_t *moves =
        realloc(line->moves, (line->count ? 2 * (size_t)line->count : 1) * sizeof *moves);
    if (!moves)
      return -ENOMEM;
    line->moves = moves;
  }
  line->moves[line->count++] = to;
  return 0;
}

/* The best move, or NODE_NONE where there is none. */
static uint32_t best_move(const struct arena *arena, const struct table *table,
                          const struct state *state, uint32_t limit_plies)
{
  struct choices choices = choices_of(arena, table, state, limit_plies);
  uint32_t best = NODE_NONE;
  uint64_t best_rank = UINT64_MAX;
  for (const uint32_t *to = choices.first; to < choices.last; to++) {
    uint64_t rank = cell_rank(choice_cell(&choices, *to), state->turn);
    if (rank < best_rank) {
      best_rank = rank;
      best = *to;
    }
  }
  return best;
}

/* Plays one ply: 1, or 0 where the line ended, with `line->end`, or -ENOMEM. */
static int play_ply(const struct arena *arena, const struct table *table, uint32_t limit_plies,
                    uint32_t max, struct state_index *visited, struct state *state,
                    struct line *line)
{
  bool limited = limit_plies != LIMIT_NONE;
  uint32_t left = limited ? limit_plies - line->count : LIMIT_NONE;
  uint32_t at;
  int fresh = state_index_add(visited, arena->nodes, *state, &at);
  if (fresh < 0)
    return fresh;
  if (state_is_over(arena, state)) {
    line->end = state->mouse == state->cat ? LINE_CAUGHT : LINE_HOME;
    return 0;
  }
  if (!fresh || (limited && left == 0) || line->count == max) {
    line->end = !fresh ? LINE_REPEATS : limited && left == 0 ? LINE_LIMIT : LINE_FULL;
    return 0;
  }
  uint32_t to = best_move(arena, table, state, left);
  if (to == NODE_NONE) {
    line->end = LINE_STUCK;
    return 0;
  }
  *state = state_after(*state, to);
  return line_push(line, to) < 0 ? -ENOMEM : 1;
}

int answer_line(const struct arena *arena, const struct table *table, const struct state *state,
                uint32_t limit_plies, uint32_t max, struct line *line)
{
  struct state_index visited = {0};
  struct line played = {0};
  struct state here = *state;
  int status;
  do {
    status = play_ply(arena, table, limit_plies, max, &visited, &here, &played);
  } while (status == 1);
  state_index_deinit(&visited);
  if (status < 0)
    free(played.moves);
  else
    *line = played;
  return status;
}
