/*
 * The happy path: the table says who wins, and with it which strategies there are to show. Each is
 * grown from the asked state: where the strategy's player moves, one move is chosen; where the
 * other does, every move is followed.
 *
 * A win is grown in layers of falling plies. A layer's choices lead to the next one, so that all of
 * them are known before any has to be made, and those without an alternative are made first.
 * Holding is grown in the order of discovery, so that no state is met again with more plies to
 * hold.
 *
 * Fails where a strategy has more states than the caller wants, or for want of memory.
 */
#include "solver/explain.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "solver/answer.h"
#include "solver/ranking.h"
#include "solver/state_index.h"

/* States that one choice looks up at most to compare moves: more would cost more than it saves. */
enum { LOOKED_MOST = 256 };

/* Moves looked at for each state of a proof, at most: dense puzzles have thousands a state. */
enum { LOOKS_A_STATE = 10 };

#define END_OF_LAYER UINT32_MAX
#define MANY         2u

/* A strategy being made. */
struct maker {
  const struct arena *arena;
  const struct table *table;
  struct strategy *strategy;
  uint32_t states_max;
  int64_t looks_left; /* at moves; below 0 it is too much */
  uint32_t room;      /* states that there is memory for */
  struct state_index index;
  uint32_t *first; /* of a win: by plies, the layer's first state, or END_OF_LAYER */
  uint32_t *next;  /* by state, the next of its layer */
};

static void maker_deinit(struct maker *maker)
{
  state_index_deinit(&maker->index);
  free(maker->first);
  free(maker->next);
}

static int grow(struct maker *maker)
{
  size_t room = maker->room ? 2 * (size_t)maker->room : 64;
  struct strategy *strategy = maker->strategy;
  struct proof_state *states = realloc(strategy->states, room * sizeof *states);
  if (states)
    strategy->states = states;
  uint32_t *next = realloc(maker->next, room * sizeof *next);
  if (next)
    maker->next = next;
  if (!states || !next)
    return -ENOMEM;
  maker->room = (uint32_t)room;
  return 0;
}

/* Has the strategy answer a state, unless it does already or the game is over there. */
static int add(struct maker *maker, struct state state, uint32_t plies)
{
  uint32_t at;
  if (--maker->looks_left < 0)
    return -EFBIG;
  if (state_is_over(maker->arena, &state) ||
      state_index_find(&maker->index, maker->arena->nodes, state, &at))
    return 0;
  if (maker->index.count == maker->states_max)
    return -EFBIG;
  if (maker->index.count == maker->room && grow(maker) < 0)
    return -ENOMEM;
  if (state_index_add(&maker->index, maker->arena->nodes, state, &at) < 0)
    return -ENOMEM;
  maker->strategy->states[at] = (struct proof_state){state, MOVE_NONE, plies};
  maker->strategy->states_count = maker->index.count;
  if (maker->first) {
    maker->next[at] = maker->first[plies];
    maker->first[plies] = at;
  }
  return 0;
}

static bool is_known(const struct maker *maker, struct state state)
{
  uint32_t at;
  return state_is_over(maker->arena, &state) ||
         state_index_find(&maker->index, maker->arena->nodes, state, &at);
}

/* Does a move to `after` serve the strategy, with `plies` left before it? */
static bool serves(const struct maker *maker, struct state after, uint32_t plies)
{
  struct table_value value = table_value(maker->table, after);
  enum player player = maker->strategy->player;
  if (maker->strategy->goal == GOAL_WIN)
    return value.outcome == (enum outcome)player && value.plies == plies - 1;
  return value.outcome != (enum outcome)player_other(player) || value.plies >= plies;
}

/* How many states the strategy lacks to answer each move from `after`, but no more than `most`. */
static uint32_t lacking(const struct maker *maker, struct state after, uint32_t most,
                        uint32_t *looked)
{
  struct choices choices = choices_of(maker->arena, maker->table, &after, LIMIT_NONE);
  uint32_t count = 0;
  for (const uint32_t *to = choices.first; to < choices.last && count < most; to++, ++*looked)
    count += !is_known(maker, state_after(after, *to));
  return count;
}

struct choice {
  uint32_t to;    /* node */
  uint32_t count; /* of moves that serve, MANY for any more; 1 where one leads to what is known */
};

/* The lowest node that leads to what is known; else that after which fewest states are lacking. */
static struct choice choose(struct maker *maker, const struct proof_state *at,
                            const struct choices *choices)
{
  struct choice choice = {.to = MOVE_NONE};
  uint32_t fewest = UINT32_MAX, looked = 0;
  for (const uint32_t *to = choices->first; to < choices->last; to++) {
    struct state after = state_after(at->state, *to);
    maker->looks_left--;
    if (!serves(maker, after, at->plies))
      continue;
    if (is_known(maker, after)) {
      choice = (struct choice){*to, 1};
      break;
    }
    choice.count = choice.count ? MANY : 1;
    uint32_t lacks = looked < LOOKED_MOST ? lacking(maker, after, fewest, &looked) : fewest;
    if (lacks < fewest) {
      fewest = lacks;
      choice.to = *to;
    }
  }
  maker->looks_left -= looked;
  return choice;
}

static int follow(struct maker *maker, uint32_t at, uint32_t to)
{
  struct proof_state *here = &maker->strategy->states[at];
  here->move = to;
  struct state after = state_after(here->state, to);
  if (maker->strategy->goal == GOAL_WIN || here->plies == PLIES_NONE)
    return add(maker, after, here->plies == PLIES_NONE ? PLIES_NONE : here->plies - 1);
  return here->plies > 1 ? add(maker, after, here->plies - 1) : 0;
}

/* Every move of the other player has to be answered. */
static int follow_all(struct maker *maker, uint32_t at)
{
  const struct proof_state here = maker->strategy->states[at];
  struct choices choices;
  int status = 0;
  bool wins = maker->strategy->goal == GOAL_WIN;
  uint32_t left = here.plies == PLIES_NONE ? PLIES_NONE : here.plies - 1;
  if (left == 0)
    return 0;
  choices = choices_of(maker->arena, maker->table, &here.state, LIMIT_NONE);
  for (const uint32_t *to = choices.first; to < choices.last && status == 0; to++) {
    struct state after = state_after(here.state, *to);
    status = add(maker, after, wins ? table_value(maker->table, after).plies : left);
  }
  return status;
}

/* Makes the choice of one state, but leaves it alone where more than `most` moves serve. */
static int follow_one(struct maker *maker, uint32_t at, uint32_t most)
{
  const struct proof_state *here = &maker->strategy->states[at];
  struct choices choices = choices_of(maker->arena, maker->table, &here->state, LIMIT_NONE);
  struct choice choice = choose(maker, here, &choices);
  if (maker->looks_left < 0)
    return -EFBIG;
  return choice.count > 0 && choice.count <= most ? follow(maker, at, choice.to) : 0;
}

/* The other player's states of a layer, then the choices, those without an alternative first. */
static int win_layer(struct maker *maker, uint32_t plies)
{
  const struct strategy *strategy = maker->strategy;
  int status = 0;
  for (uint32_t at = maker->first[plies]; at != END_OF_LAYER && status == 0; at = maker->next[at]) {
    if (strategy->states[at].state.turn != strategy->player)
      status = follow_all(maker, at);
  }
  for (uint32_t most = 1; most <= MANY; most++) {
    for (uint32_t at = maker->first[plies]; at != END_OF_LAYER && status == 0;
         at = maker->next[at]) {
      const struct proof_state *here = &strategy->states[at];
      if (here->state.turn == strategy->player && here->move == MOVE_NONE)
        status = follow_one(maker, at, most);
    }
  }
  return status;
}

static int win(struct maker *maker, struct state start, uint32_t plies)
{
  maker->first = malloc(((size_t)plies + 1) * sizeof *maker->first);
  if (!maker->first)
    return -ENOMEM;
  for (uint32_t layer = 0; layer <= plies; layer++)
    maker->first[layer] = END_OF_LAYER;
  int status = add(maker, start, plies);
  for (uint32_t layer = plies; layer > 0 && status == 0; layer--)
    status = win_layer(maker, layer);
  return status;
}

/* In the order of discovery, as far as the states of `depth_plies` plies. */
static int spread(struct maker *maker, struct state start, uint32_t plies, uint32_t depth_plies)
{
  const struct strategy *strategy = maker->strategy;
  int status = add(maker, start, plies);
  uint32_t at = 0;
  for (uint32_t depth = 0; depth < depth_plies && at < strategy->states_count && status == 0;
       depth++) {
    for (uint32_t end = strategy->states_count; at < end && status == 0; at++) {
      bool chooses = strategy->states[at].state.turn == strategy->player;
      status = chooses ? follow_one(maker, at, MANY) : follow_all(maker, at);
    }
  }
  return status;
}

/* What is asked of the makers of a proof, and what of it they may still use. */
struct wish {
  const struct arena *arena;
  const struct table *table;
  uint32_t depth_plies; /* UINT32_MAX: all of them */
  uint32_t states_left;
  int64_t looks_left;
};

/* Adds a strategy to the proof. `plies` PLIES_NONE: the other never wins. */
static int make(struct wish *wish, struct proof *proof, enum player player, enum goal goal,
                uint32_t plies)
{
  struct strategy *strategy = &proof->strategies[proof->strategies_count++];
  *strategy = (struct strategy){.player = player, .goal = goal};
  struct maker maker = {
      .arena = wish->arena,
      .table = wish->table,
      .strategy = strategy,
      .states_max = wish->states_left,
      .looks_left = wish->looks_left,
  };
  bool whole = wish->depth_plies == UINT32_MAX;
  int status = whole && goal == GOAL_WIN
                   ? win(&maker, proof->claim.state, plies)
                   : spread(&maker, proof->claim.state, plies, wish->depth_plies);
  wish->states_left -= strategy->states_count;
  wish->looks_left = maker.looks_left;
  maker_deinit(&maker);
  return status;
}

/* The other may win later than the limit allows, or never. */
static int make_hold(struct wish *wish, struct proof *proof, enum player player)
{
  struct table_value value = table_value(wish->table, proof->claim.state);
  bool for_ever = value.outcome != (enum outcome)player_other(player);
  return make(wish, proof, player, GOAL_HOLD, for_ever ? PLIES_NONE : proof->claim.limit_plies);
}

static int make_strategies(struct wish *wish, struct proof *proof)
{
  const struct claim *claim = &proof->claim;
  int status = 0;
  if (state_is_over(wish->arena, &claim->state))
    return 0;
  if (claim->plies != PLIES_NONE)
    return make(wish, proof, (enum player)claim->outcome, GOAL_WIN, claim->plies);
  for (enum player player = PLAYER_MOUSE; player <= PLAYER_CAT && status == 0; player++) {
    if (claim->outcome == OUTCOME_DRAW || claim->outcome == (enum outcome)player)
      status = make_hold(wish, proof, player);
  }
  return status;
}

int explain_beginning(const struct arena *arena, const struct table *table,
                      const struct state *state, uint32_t limit_plies, uint32_t depth_plies,
                      uint32_t states_max, struct proof *proof)
{
  struct wish wish = {
      .arena = arena,
      .table = table,
      .depth_plies = depth_plies,
      .states_left = states_max,
      .looks_left = (int64_t)states_max * LOOKS_A_STATE + arena->nodes,
  };
  struct answer_value value = answer_value(arena, table, state, limit_plies);
  struct proof made = {.claim = {*state, value.outcome, value.plies, limit_plies}};
  int status = make_strategies(&wish, &made);
  if (status < 0)
    proof_deinit(&made);
  else
    *proof = made;
  return status;
}

int explain(const struct arena *arena, const struct table *table, const struct state *state,
            uint32_t limit_plies, uint32_t states_max, struct proof *proof)
{
  return explain_beginning(arena, table, state, limit_plies, UINT32_MAX, states_max, proof);
}
