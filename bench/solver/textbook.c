/*
 * Happy path: every state gets its number of moves, the finished ones are queued with 0 plies, and each
 * state that leaves the queue tells its predecessors: the winner's take the move, the loser's lose one,
 * and with the last one the game. First in, first out makes the plies exact on both sides.
 */
#include "bench/solver/textbook.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The move lists turned round: who can come to a node. */
struct sources {
  uint32_t *first; /* nodes + 1 offsets into `from` */
  uint32_t *from;
};

struct analysis {
  const struct arena *arena;
  uint32_t nodes;
  struct sources sources[2];
  uint16_t *moves_left;
  uint32_t *queue;
  uint32_t queued;
  struct textbook *result;
};

static int sources_init(struct sources *sources, const struct moves *moves, uint32_t nodes)
{
  uint32_t total = 0;
  for (uint32_t node = 0; node < nodes; node++)
    total += moves->end[node] - moves->begin[node];
  sources->first = calloc((size_t)nodes + 1, sizeof *sources->first);
  sources->from = malloc((total + (size_t)1) * sizeof *sources->from);
  if (!sources->first || !sources->from)
    return -ENOMEM;
  for (uint32_t node = 0; node < nodes; node++)
    for (uint32_t i = moves->begin[node]; i < moves->end[node]; i++)
      sources->first[moves->to[i]]++;
  for (uint32_t node = 0; node < nodes; node++)
    sources->first[node + 1] += sources->first[node];
  for (uint32_t node = 0; node < nodes; node++)
    for (uint32_t i = moves->begin[node]; i < moves->end[node]; i++)
      sources->from[--sources->first[moves->to[i]]] = node;
  return 0;
}

static void decide(struct analysis *analysis, uint32_t state, enum player winner, uint32_t plies)
{
  analysis->result->outcome[state] = (uint8_t)winner;
  analysis->result->plies[state] = (uint16_t)plies;
  analysis->queue[analysis->queued++] = state;
}

static uint32_t state_number(const struct analysis *analysis, enum player turn, uint32_t mouse,
                             uint32_t cat)
{
  return ((uint32_t)turn * analysis->nodes + mouse) * analysis->nodes + cat;
}

static void begin_state(struct analysis *analysis, uint32_t mouse, uint32_t cat)
{
  const struct arena *arena = analysis->arena;
  if (node_in(arena->barred[PLAYER_MOUSE], mouse) || node_in(arena->barred[PLAYER_CAT], cat))
    return;
  const uint32_t node[2] = {mouse, cat};
  for (int turn = 0; turn < 2; turn++) {
    uint32_t state = state_number(analysis, turn, mouse, cat);
    const struct moves *moves = &arena->moves[turn];
    analysis->moves_left[state] = (uint16_t)(moves->end[node[turn]] - moves->begin[node[turn]]);
    if (mouse != cat && node_in(arena->home[PLAYER_MOUSE], mouse))
      decide(analysis, state, PLAYER_MOUSE, 0);
    else if (mouse == cat || node_in(arena->home[PLAYER_CAT], cat))
      decide(analysis, state, PLAYER_CAT, 0);
  }
}

static void tell_predecessor(struct analysis *analysis, uint32_t predecessor, enum player mover,
                             uint32_t state)
{
  const struct textbook *result = analysis->result;
  if (result->outcome[predecessor] != OUTCOME_DRAW)
    return;
  if (result->outcome[state] == mover || --analysis->moves_left[predecessor] == 0)
    decide(analysis, predecessor, result->outcome[state], result->plies[state] + 1u);
}

static void tell_predecessors(struct analysis *analysis, uint32_t state)
{
  uint32_t nodes = analysis->nodes;
  assert(nodes > 0);
  uint32_t mouse = state / nodes % nodes, cat = state % nodes;
  if (state >= nodes * nodes) {
    const struct sources *sources = &analysis->sources[PLAYER_MOUSE];
    for (uint32_t i = sources->first[mouse]; i < sources->first[mouse + 1]; i++)
      tell_predecessor(analysis, state_number(analysis, PLAYER_MOUSE, sources->from[i], cat),
                       PLAYER_MOUSE, state);
  } else {
    const struct sources *sources = &analysis->sources[PLAYER_CAT];
    for (uint32_t i = sources->first[cat]; i < sources->first[cat + 1]; i++)
      tell_predecessor(analysis, state_number(analysis, PLAYER_CAT, mouse, sources->from[i]),
                       PLAYER_CAT, state);
  }
}

static int run(struct analysis *analysis)
{
  memset(analysis->result->outcome, OUTCOME_DRAW, arena_states(analysis->arena));
  for (uint32_t mouse = 0; mouse < analysis->nodes; mouse++)
    for (uint32_t cat = 0; cat < analysis->nodes; cat++)
      begin_state(analysis, mouse, cat);
  for (uint32_t taken = 0; taken < analysis->queued; taken++) {
    if (analysis->result->plies[analysis->queue[taken]] == UINT16_MAX)
      return -EOVERFLOW;
    tell_predecessors(analysis, analysis->queue[taken]);
  }
  return 0;
}

static int allocate(struct analysis *analysis, uint64_t states)
{
  const struct arena *arena = analysis->arena;
  analysis->result->outcome = malloc(states * sizeof *analysis->result->outcome);
  analysis->result->plies = malloc(states * sizeof *analysis->result->plies);
  analysis->moves_left = malloc(states * sizeof *analysis->moves_left);
  analysis->queue = malloc(states * sizeof *analysis->queue);
  if (!analysis->result->outcome || !analysis->result->plies || !analysis->moves_left ||
      !analysis->queue)
    return -ENOMEM;
  for (int player = 0; player < 2; player++)
    if (sources_init(&analysis->sources[player], &arena->moves[player], arena->nodes) < 0)
      return -ENOMEM;
  return 0;
}

int textbook_solve(const struct arena *arena, struct textbook *textbook)
{
  if (arena_states(arena) > UINT32_MAX)
    return -EOVERFLOW;
  struct textbook result = {.nodes = arena->nodes};
  struct analysis analysis = {.arena = arena, .nodes = arena->nodes, .result = &result};
  int status = allocate(&analysis, arena_states(arena));
  if (status == 0)
    status = run(&analysis);
  for (int player = 0; player < 2; player++) {
    free(analysis.sources[player].first);
    free(analysis.sources[player].from);
  }
  free(analysis.moves_left);
  free(analysis.queue);
  if (status == 0)
    *textbook = result;
  else
    textbook_deinit(&result);
  return status;
}

void textbook_deinit(struct textbook *textbook)
{
  free(textbook->outcome);
  free(textbook->plies);
}

bool textbook_differs(const struct textbook *textbook, const struct arena *arena,
                      const struct table *table, struct state *where)
{
  size_t at = 0;
  for (int turn = 0; turn < 2; turn++)
    for (uint32_t mouse = 0; mouse < table->nodes; mouse++)
      for (uint32_t cat = 0; cat < table->nodes; cat++, at++) {
        struct state state = {mouse, cat, turn};
        struct table_value value = table_value(table, state);
        if (value.outcome == (enum outcome)textbook->outcome[at] &&
            (value.outcome == OUTCOME_DRAW || value.plies == textbook->plies[at]))
          continue;
        if (node_in(arena->barred[PLAYER_MOUSE], mouse) || node_in(arena->barred[PLAYER_CAT], cat))
          continue;
        *where = state;
        return true;
      }
  return false;
}
