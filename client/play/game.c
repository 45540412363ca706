#include "client/play/game.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint32_t plies_left(const struct game_under_way *game)
{
  return game->limit_plies == LIMIT_NONE ? LIMIT_NONE : game->limit_plies - game->plies_count;
}

static bool is_spent(const struct game_under_way *game)
{
  return game->limit_plies != LIMIT_NONE && game->plies_count >= game->limit_plies;
}

/* Room for as many moves as any state has, once. */
static size_t moves_most(const struct arena *arena)
{
  size_t most = 1;
  for (int player = 0; player < 2; player++) {
    const struct moves *moves = &arena->moves[player];
    for (uint32_t node = 0; node < arena->nodes; node++) {
      size_t count = moves->end[node] - moves->begin[node];
      most = count > most ? count : most;
    }
  }
  return most;
}

static void find_moves(struct game_under_way *game)
{
  game->moves_count = is_spent(game) ? 0 : answer_move_count(game->arena, &game->state);
  if (game->moves_count > 0)
    answer_moves(game->arena, game->table, &game->state, plies_left(game), game->moves);
}

int game_init(struct game_under_way *game, const struct arena *arena, const struct table *table,
              const struct state *start, uint32_t limit_plies, enum player person)
{
  *game = (struct game_under_way){.arena = arena,
                                  .table = table,
                                  .start = *start,
                                  .state = *start,
                                  .limit_plies = limit_plies,
                                  .person = person,
                                  .moves = calloc(moves_most(arena), sizeof *game->moves)};
  if (!game->moves)
    return -ENOMEM;
  find_moves(game);
  return 0;
}

void game_deinit(struct game_under_way *game)
{
  free(game->plies);
  free(game->moves);
}

static bool same(const struct state *a, const struct state *b)
{
  return a->mouse == b->mouse && a->cat == b->cat && a->turn == b->turn;
}

static bool is_repeated(const struct game_under_way *game)
{
  if (game->arena->game != GAME_GRAPH)
    return false;
  for (uint32_t i = 0; i < game->plies_count; i++) {
    if (same(&game->plies[i].before, &game->state))
      return true;
  }
  return false;
}

enum game_end game_end(const struct game_under_way *game)
{
  if (game->state.mouse == game->state.cat)
    return GAME_CAUGHT;
  if (state_is_over(game->arena, &game->state))
    return GAME_HOME;
  if (is_repeated(game))
    return GAME_REPEATED;
  if (is_spent(game))
    return GAME_LIMIT;
  return game->moves_count == 0 ? GAME_STUCK : GAME_GOES_ON;
}

enum outcome game_outcome(const struct game_under_way *game)
{
  switch (game_end(game)) {
  case GAME_CAUGHT: return OUTCOME_CAT;
  case GAME_HOME:
    return node_in(game->arena->home[PLAYER_MOUSE], game->state.mouse) ? OUTCOME_MOUSE
                                                                       : OUTCOME_CAT;
  default: return game->arena->endless;
  }
}

struct answer_value game_value(const struct game_under_way *game)
{
  return answer_value(game->arena, game->table, &game->state, plies_left(game));
}

static bool is_best(const struct game_under_way *game, uint32_t to)
{
  const struct answer_value *best = &game->moves[0].value;
  for (size_t i = 0; i < game->moves_count; i++) {
    if (game->moves[i].to == to)
      return game->moves[i].value.outcome == best->outcome &&
             game->moves[i].value.plies == best->plies;
  }
  return false;
}

int game_play(struct game_under_way *game, uint32_t to)
{
  struct state *state = &game->state;
  if (game->plies_count == game->plies_room) {
    uint32_t room = game->plies_room ? 2 * game->plies_room : 64;
    struct ply *plies = realloc(game->plies, room * sizeof *plies);
    if (!plies)
      return -ENOMEM;
    game->plies = plies;
    game->plies_room = room;
  }
  game->plies[game->plies_count++] =
      (struct ply){*state, to, state->turn == game->person, is_best(game, to)};
  *(state->turn == PLAYER_MOUSE ? &state->mouse : &state->cat) = to;
  state->turn = player_other(state->turn);
  find_moves(game);
  return 0;
}

bool game_undo(struct game_under_way *game)
{
  uint32_t at = game->plies_count;
  while (at > 0 && !game->plies[at - 1].by_person)
    at--;
  if (at == 0)
    return false;
  game->plies_count = at - 1;
  game->state = game->plies[at - 1].before;
  find_moves(game);
  return true;
}
