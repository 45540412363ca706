/*
 * Another hole than node 0 is node 0 with the two swapped: the solver sees the swapped graph, and what it says is
 * swapped back. One table then answers every start beside that hole.
 */
#include "client/batch/answer.h"

#include <errno.h>
#include <string.h>

#include "client/words.h"
#include "proto/units.h"
#include "solver/answer.h"
#include "solver/solve.h"

/* One item under way. */
struct asking {
  struct item *item;
  struct puzzle puzzle; /* the swapped one */
  const struct question *question;
  const struct answer_taker *taker;
};

static uint32_t swapped(uint32_t hole, uint32_t node)
{
  if (node == 0)
    return hole;
  return node == hole ? 0 : node;
}

static int bad_roles(struct item *item, uint32_t node)
{
  item_refuse(item, "--roles names node %u, but there are %u nodes", node, item->nodes);
  return -EINVAL;
}

static int check_roles(struct item *item, const struct question *question)
{
  const struct roles *roles = &question->roles;
  if (!question->roles_given)
    return 0;
  if (item->game == GAME_GRID) {
    item_refuse(item, "--roles names nodes of a graph, but this is a grid");
    return -EINVAL;
  }
  if (question->all_roles && item->has_state) {
    item_refuse(item, "it asks about a state of its own, but --roles all about every start");
    return -EINVAL;
  }
  if (roles->hole >= item->nodes)
    return bad_roles(item, roles->hole);
  if (roles->mouse >= item->nodes)
    return bad_roles(item, roles->mouse);
  return roles->cat >= item->nodes ? bad_roles(item, roles->cat) : 0;
}

static uint32_t degree_sum(const struct item *item)
{
  uint32_t sum = 0;
  if (!item->is_sets)
    return item->puzzle.graph.first[item->nodes];
  for (uint32_t node = 0; node < item->nodes; node++)
    sum += (uint32_t)__builtin_popcountll(item->neighbours[node]);
  return sum;
}

/* Appends the neighbours of a node, swapped. */
static uint32_t copy_list(const struct item *item, uint32_t node, uint32_t hole, int32_t *neighbour,
                          uint32_t count)
{
  if (item->is_sets) {
    for (uint64_t left = item->neighbours[node]; left; left &= left - 1)
      neighbour[count++] = (int32_t)swapped(hole, (uint32_t)__builtin_ctzll(left));
    return count;
  }
  const uint32_t *first = item->puzzle.graph.first;
  for (uint32_t i = first[node]; i < first[node + 1]; i++)
    neighbour[count++] = (int32_t)swapped(hole, (uint32_t)item->puzzle.graph.neighbour[i]);
  return count;
}

/* The graph with this hole as node 0. Its lists lie in the room of pairs, which reading no longer needs. */
static int swap_hole(struct item *item, uint32_t hole, struct puzzle *puzzle)
{
  size_t offsets = (size_t)item->nodes + 1;
  uint32_t *first = item_room(item, &item->pairs, (offsets + degree_sum(item)) * sizeof *first);
  if (!first)
    return -EINVAL;
  int32_t *neighbour = (int32_t *)(first + offsets);
  uint32_t count = 0;
  for (uint32_t node = 0; node < item->nodes; node++) {
    first[node] = count;
    count = copy_list(item, swapped(hole, node), hole, neighbour, count);
  }
  first[item->nodes] = count;
  *puzzle = (struct puzzle){GAME_GRAPH, .graph = {item->nodes, first, neighbour}};
  return 0;
}

static int make_arena(struct item *item, const struct puzzle *puzzle, struct arena **arena)
{
  struct complaint complaint = {.text = "out of memory while reading the puzzle"};
  if (arena_new(puzzle, arena, &complaint) == 0)
    return 0;
  item_refuse(item, "%s", complaint.text);
  return -EINVAL;
}

/* The lists are checked as they were written first, so that a complaint names nodes as their author does. */
static int arena_with_hole(struct asking *asking, uint32_t hole, struct arena **arena)
{
  struct item *item = asking->item;
  if (item->game == GAME_GRID || (hole == 0 && !item->is_sets)) {
    asking->puzzle = item->puzzle;
    return make_arena(item, &item->puzzle, arena);
  }
  if (!item->is_sets) {
    int error = make_arena(item, &item->puzzle, arena);
    if (error)
      return error;
    arena_free(*arena);
  }
  int error = swap_hole(item, hole, &asking->puzzle);
  return error ? error : make_arena(item, &asking->puzzle, arena);
}

/* NULL where somebody else is asked. */
static int make_table(const struct asking *asking, const struct arena *arena, struct table **table)
{
  *table = NULL;
  if (asking->taker->ask)
    return 0;
  const struct solve_options options = {
      .threads = 1, .max_bytes = asking->question->max_bytes, .stop = asking->question->stop};
  char needed[WORDS_MAX], allowed[WORDS_MAX];
  int error = solve(arena, &options, table);
  if (error == 0 || error == -ECANCELED)
    return error;
  bytes_words(solve_bytes(arena), needed);
  bytes_words(options.max_bytes, allowed);
  if (error == -EFBIG)
    item_refuse(asking->item, "solving it takes about %s, more than the %s there are", needed,
                allowed);
  else
    item_refuse(asking->item, "out of memory for %s to solve it", needed);
  return -EINVAL;
}

static uint32_t limit_of(const struct item *item, const struct arena *arena)
{
  return item->has_limit ? item->question.limit_plies : arena->limit_plies;
}

static struct answer answer_about(const struct item *item, const struct arena *arena)
{
  return (struct answer){
      .game = item->game, .nodes = arena->nodes, .cols = arena->cols, .best = NO_MOVE};
}

static int best_move(struct item *item, const struct arena *arena, const struct table *table,
                     const struct state *state, uint32_t *best)
{
  size_t count = answer_move_count(arena, state);
  struct ranked_move *moves = item_room(item, &item->moves, (count + 1) * sizeof *moves);
  if (!moves)
    return -EINVAL;
  answer_moves(arena, table, state, limit_of(item, arena), moves);
  *best = count ? moves[0].to : NO_MOVE;
  return 0;
}

void answer_set(struct answer *answer, enum outcome outcome, uint32_t plies, uint32_t best)
{
  bool is_swapped = answer->game == GAME_GRAPH && best != NO_MOVE;
  answer->outcome = outcome;
  answer->plies = plies;
  answer->best = is_swapped ? swapped(answer->roles.hole, best) : best;
}

/* About a state of the swapped arena: from its table, or asked of somebody else where that is NULL. */
static int tell(const struct asking *asking, const struct arena *arena, const struct table *table,
                const struct state *state, struct roles roles)
{
  struct item *item = asking->item;
  const struct answer_taker *taker = asking->taker;
  const uint32_t limit_plies = limit_of(item, arena);
  struct answer answer = answer_about(item, arena);
  uint32_t best = NO_MOVE;
  answer.roles = roles;
  if (!table)
    return taker->ask(taker->context, &asking->puzzle, state, limit_plies, &answer);
  if (asking->question->best && best_move(item, arena, table, state, &best))
    return -EINVAL;
  struct answer_value value = answer_value(arena, table, state, limit_plies);
  answer_set(&answer, value.outcome, value.plies, best);
  taker->take(taker->context, &answer);
  return 0;
}

/* The state that is asked about, in the swapped arena. */
static int find_state(const struct asking *asking, const struct arena *arena, struct state *state)
{
  struct item *item = asking->item;
  uint32_t hole = asking->question->roles.hole;
  struct fault fault;
  struct complaint complaint;
  if (item->has_state) {
    if (request_find_cells(&item->question, arena->rows, arena->cols, &fault)) {
      item_refuse(item, "%s", fault.text);
      return -EINVAL;
    }
    *state = item->question.state;
  } else if (item->game == GAME_GRID) {
    *state = arena->start;
  } else {
    *state =
        (struct state){asking->question->roles.mouse, asking->question->roles.cat, PLAYER_MOUSE};
  }
  if (item->game == GAME_GRAPH && state->mouse < arena->nodes && state->cat < arena->nodes) {
    state->mouse = swapped(hole, state->mouse);
    state->cat = swapped(hole, state->cat);
  }
  if (arena_check_state(arena, state, &complaint) == 0)
    return 0;
  item_refuse(item, "%s", complaint.text);
  return -EINVAL;
}

static struct answer counted(struct answer answer, struct table_value value, enum outcome endless,
                             uint32_t limit_plies)
{
  bool in_time =
      value.plies != PLIES_NONE && (limit_plies == LIMIT_NONE || value.plies <= limit_plies);
  answer.outcome = in_time ? value.outcome : endless;
  answer.plies = in_time ? value.plies : PLIES_NONE;
  return answer;
}

/* The start of a small arena. */
static void tell_verdict(const struct asking *asking, struct arena *arena,
                         const struct state *start)
{
  struct set_arena sets;
  arena->start = *start;
  set_arena_from(arena, &sets);
  struct answer answer = counted(answer_about(asking->item, arena), verdict(&sets), arena->endless,
                                 limit_of(asking->item, arena));
  answer.roles = asking->question->roles;
  asking->taker->take(asking->taker->context, &answer);
}

static int ask_arena(struct asking *asking)
{
  const struct question *question = asking->question;
  struct arena *arena;
  struct table *table;
  struct state state;
  int error = arena_with_hole(asking, question->roles.hole, &arena);
  if (error)
    return error;
  error = find_state(asking, arena, &state);
  if (error == 0 && arena->nodes <= VERDICT_NODES_MAX && !question->best && !asking->taker->ask &&
      state.turn == PLAYER_MOUSE) {
    tell_verdict(asking, arena, &state);
  } else if (error == 0) {
    error = make_table(asking, arena, &table);
    if (error == 0) {
      error = tell(asking, arena, table, &state, question->roles);
      if (table)
        table_free(table);
    }
  }
  arena_free(arena);
  return error;
}

static int tell_starts(const struct asking *asking, const struct arena *arena,
                       const struct table *table, uint32_t hole)
{
  int error = 0;
  for (uint32_t mouse = 0; mouse < arena->nodes && error == 0; mouse++) {
    for (uint32_t cat = 0; cat < arena->nodes && error == 0; cat++) {
      if (mouse == hole || cat == hole || mouse == cat)
        continue;
      const struct state state = {swapped(hole, mouse), swapped(hole, cat), PLAYER_MOUSE};
      error = tell(asking, arena, table, &state, (struct roles){hole, mouse, cat});
    }
  }
  return error;
}

static int ask_all_roles(struct asking *asking)
{
  int error = 0;
  for (uint32_t hole = 0; error == 0 && hole < asking->item->nodes; hole++) {
    struct arena *arena;
    struct table *table;
    error = arena_with_hole(asking, hole, &arena);
    if (error)
      return error;
    error = make_table(asking, arena, &table);
    if (error == 0) {
      error = tell_starts(asking, arena, table, hole);
      if (table)
        table_free(table);
    }
    arena_free(arena);
  }
  return error;
}

static void ask_sets(const struct asking *asking)
{
  const struct item *item = asking->item;
  const struct roles *roles = &asking->question->roles;
  struct set_arena sets;
  set_arena_graph(item->nodes, item->neighbours, roles->hole, roles->mouse, roles->cat, &sets);
  struct answer answer = {.nodes = item->nodes, .best = NO_MOVE, .roles = *roles};
  answer = counted(answer, verdict(&sets), OUTCOME_DRAW, LIMIT_NONE);
  asking->taker->take(asking->taker->context, &answer);
}

int item_answer(struct item *item, const struct question *question,
                const struct answer_taker *taker)
{
  struct asking asking = {.item = item, .question = question, .taker = taker};
  int error = check_roles(item, question);
  if (error)
    return error;
  if (question->all_roles)
    return ask_all_roles(&asking);
  if (!item->is_sets || question->best || item->has_state || item->has_limit || taker->ask)
    return ask_arena(&asking);
  ask_sets(&asking);
  return 0;
}
