/* The claim says which strategies it takes, and each is gone through state by state. */
#include "solver/proof_check.h"

#include <errno.h>
#include <stdio.h>

#include "solver/arena_parts.h"
#include "solver/state_index.h"

enum { STATE_TEXT = 64 };

/* One strategy under check. */
struct check {
  const struct arena *arena;
  const struct strategy *strategy;
  struct state_index index; /* its states, numbered as they come */
  struct complaint *complaint;
};

static const char *name_of(enum player player)
{
  return player == PLAYER_MOUSE ? "mouse" : "cat";
}

static const char *state_words(struct state state, char text[static STATE_TEXT])
{
  snprintf(text, STATE_TEXT, "state %u,%u,%s", state.mouse, state.cat, name_of(state.turn));
  return text;
}

/* "state 1,2,mouse, after the move to 5: ..." */
static int fails_after(const struct check *check, struct state state, uint32_t to, const char *what)
{
  char words[STATE_TEXT];
  return complain(check->complaint, "%s of the %s's strategy, after the move to %u: %s",
                  state_words(state, words), name_of(check->strategy->player), to, what);
}

static int fails(const struct check *check, struct state state, const char *what)
{
  char words[STATE_TEXT];
  return complain(check->complaint, "%s of the %s's strategy: %s", state_words(state, words),
                  name_of(check->strategy->player), what);
}

/* Plies are whole numbers, and PLIES_NONE, for ever, is more than any. */
static bool falls(uint32_t after, uint32_t before)
{
  return after < before && before != PLIES_NONE;
}

static bool lasts(uint32_t after, uint32_t before)
{
  return before == PLIES_NONE ? after == PLIES_NONE : after >= before - 1;
}

static int check_move(const struct check *check, const struct proof_state *here, uint32_t to)
{
  const struct strategy *strategy = check->strategy;
  struct state after = state_after(here->state, to);
  enum outcome winner = state_winner(check->arena, &after);
  uint32_t at;
  if (winner == (enum outcome)strategy->player)
    return strategy->goal == GOAL_WIN && here->plies == 0
               ? fails(check, here->state, "no plies are left, but it is not over")
               : 0;
  if (strategy->goal == GOAL_HOLD && here->plies == 0)
    return 0;
  if (winner != OUTCOME_DRAW)
    return fails_after(check, here->state, to, "the other player has won");
  if (strategy->goal == GOAL_HOLD && here->plies == 1)
    return 0;
  if (!state_index_find(&check->index, check->arena->nodes, after, &at))
    return fails_after(check, here->state, to, "the strategy does not know the state");
  uint32_t plies = strategy->states[at].plies;
  if (strategy->goal == GOAL_WIN && !falls(plies, here->plies))
    return fails_after(check, here->state, to, "the plies do not fall");
  if (strategy->goal == GOAL_HOLD && !lasts(plies, here->plies))
    return fails_after(check, here->state, to, "it does not hold for as many plies");
  return 0;
}

static bool is_legal(const struct moves *moves, uint32_t from, uint32_t to)
{
  for (uint32_t i = moves->begin[from]; i < moves->end[from]; i++) {
    if (moves->to[i] == to)
      return true;
  }
  return false;
}

static int check_state(const struct check *check, const struct proof_state *here)
{
  const struct moves *moves = &check->arena->moves[here->state.turn];
  uint32_t from = here->state.turn == PLAYER_MOUSE ? here->state.mouse : here->state.cat;
  bool stuck = moves->begin[from] == moves->end[from];
  bool chooses = here->state.turn == check->strategy->player;
  if (stuck && check->strategy->goal == GOAL_WIN)
    return fails(check, here->state, "there is no move, so the game stops there");
  if (!chooses || stuck) {
    if (here->move != MOVE_NONE)
      return fails(check, here->state, "a move is given where there is none to choose");
    int status = 0;
    for (uint32_t i = moves->begin[from]; i < moves->end[from] && status == 0; i++)
      status = check_move(check, here, moves->to[i]);
    return status;
  }
  if (here->move == MOVE_NONE)
    return fails(check, here->state, "no move is given");
  if (!is_legal(moves, from, here->move))
    return fails_after(check, here->state, here->move, "the rules do not allow it");
  return check_move(check, here, here->move);
}

static int number_states(struct check *check)
{
  const struct strategy *strategy = check->strategy;
  struct complaint why;
  uint32_t number;
  for (uint32_t at = 0; at < strategy->states_count; at++) {
    struct state state = strategy->states[at].state;
    if (arena_check_state(check->arena, &state, &why) < 0)
      return fails(check, state, why.text);
    if (state_winner(check->arena, &state) != OUTCOME_DRAW)
      return fails(check, state, "the game is over there");
    int added = state_index_add(&check->index, check->arena->nodes, state, &number);
    if (added < 0)
      return added;
    if (added == 0)
      return fails(check, state, "it comes twice");
  }
  return 0;
}

/* Where the claim is about, the strategy must do at least what is claimed. */
static int check_start(const struct check *check, const struct claim *claim)
{
  uint32_t at;
  if (!state_index_find(&check->index, check->arena->nodes, claim->state, &at))
    return fails(check, claim->state, "the claim is about it, but the strategy does not know it");
  uint32_t plies = check->strategy->states[at].plies;
  if (check->strategy->goal == GOAL_WIN)
    return plies <= claim->plies ? 0 : fails(check, claim->state, "more plies than are claimed");
  uint32_t needed = claim->limit_plies ? claim->limit_plies : PLIES_NONE;
  return plies >= needed ? 0 : fails(check, claim->state, "it does not hold for long enough");
}

static int check_strategy(const struct arena *arena, const struct claim *claim,
                          const struct strategy *strategy, struct complaint *complaint)
{
  struct check check = {.arena = arena, .strategy = strategy, .complaint = complaint};
  int status = number_states(&check);
  for (uint32_t at = 0; at < strategy->states_count && status == 0; at++)
    status = check_state(&check, &strategy->states[at]);
  if (status == 0)
    status = check_start(&check, claim);
  state_index_deinit(&check.index);
  return status;
}

/* The strategy of that player and goal, or NULL. */
static const struct strategy *find_strategy(const struct proof *proof, enum player player,
                                            enum goal goal)
{
  for (uint32_t i = 0; i < proof->strategies_count; i++) {
    if (proof->strategies[i].player == player && proof->strategies[i].goal == goal)
      return &proof->strategies[i];
  }
  return NULL;
}

static int check_needed(const struct arena *arena, const struct proof *proof, enum player player,
                        enum goal goal, struct complaint *complaint)
{
  const struct strategy *strategy = find_strategy(proof, player, goal);
  if (!strategy)
    return complain(complaint, "the claim takes a strategy of the %s that %s, but there is none",
                    name_of(player), goal == GOAL_WIN ? "wins" : "holds");
  return check_strategy(arena, &proof->claim, strategy, complaint);
}

/* A state where the game is over proves itself. */
static int check_over(const struct claim *claim, enum outcome winner, struct complaint *complaint)
{
  if (claim->outcome == winner && claim->plies == 0)
    return 0;
  return complain(complaint, "the claim's state is over: the %s has won there, in 0 plies",
                  name_of((enum player)winner));
}

/* Within the limit nobody wins. Each player holds whom the outcome would not suit otherwise. */
static int check_endless(const struct arena *arena, const struct proof *proof,
                         struct complaint *complaint)
{
  const struct claim *claim = &proof->claim;
  int status = 0;
  if (claim->outcome != arena->endless)
    return complain(complaint, "the claim has no plies, but a game without an end is %s",
                    arena->endless == OUTCOME_DRAW ? "a draw" : "the cat's");
  for (enum player player = PLAYER_MOUSE; player <= PLAYER_CAT && status == 0; player++) {
    if (claim->outcome == OUTCOME_DRAW || claim->outcome == (enum outcome)player)
      status = check_needed(arena, proof, player, GOAL_HOLD, complaint);
  }
  return status;
}

int proof_check(const struct arena *arena, const struct proof *proof, struct complaint *complaint)
{
  const struct claim *claim = &proof->claim;
  struct complaint why;
  if (arena_check_state(arena, &claim->state, &why) < 0)
    return complain(complaint, "the claim's %s", why.text);
  enum outcome winner = state_winner(arena, &claim->state);
  if (winner != OUTCOME_DRAW)
    return check_over(claim, winner, complaint);
  if (claim->plies == PLIES_NONE)
    return check_endless(arena, proof, complaint);
  if (claim->outcome == OUTCOME_DRAW)
    return complain(complaint, "the claim is a draw, which takes no plies to say");
  if (claim->limit_plies != 0 && claim->plies > claim->limit_plies)
    return complain(complaint, "the claim is a win in %u plies, but the limit is %u", claim->plies,
                    claim->limit_plies);
  return check_needed(arena, proof, (enum player)claim->outcome, GOAL_WIN, complaint);
}
