/*
 * A mistake is a game with other rules, or a search that stops too early. Its answer is found by solving that game, or
 * by asking what holds under that limit on plies.
 */
#include "client/judge/mistakes.h"

#include <stdlib.h>
#include <string.h>

#include "solver/solve.h"

/* Another game, beside the one that it should be. */
struct variant {
  bool cat_enters_hole, mouse_stays, cat_stays, nobody_stays, over_walls, cat_begins, jumps_swapped;
};

struct mistake {
  const char *words;
  unsigned games; /* bit set of enum game */
  uint32_t turns; /* it stops after so many times n, 0: it does not */
  uint32_t less;  /* and by so many turns earlier */
  struct variant variant;
  bool repeats; /* a placing that comes again is a draw, whoever is to move */
  int constant; /* an outcome that it always gives, plus 1 */
};

enum { GRAPHS = 1 << GAME_GRAPH, GRIDS = 1 << GAME_GRID, BOTH = GRAPHS | GRIDS };

static const struct mistake mistakes[] = {
    {.words = "always gives the same answer", .games = BOTH, .constant = OUTCOME_MOUSE + 1},
    {.words = "always gives the same answer", .games = BOTH, .constant = OUTCOME_CAT + 1},
    {.words = "always gives the same answer", .games = GRAPHS, .constant = OUTCOME_DRAW + 1},
    {.words = "counts a position as repeated whoever is to move", .games = GRAPHS, .repeats = true},
    /* One turn less: they look at the turns played before they look at the board. */
    {.words = "answers as if the game ended after 4n turns", .games = GRAPHS, .turns = 4},
    {.words = "answers as if the game ended after 4n - 1 turns",
     .games = GRAPHS,
     .turns = 4,
     .less = 1},
    {.words = "answers as if the game ended after 3n turns", .games = GRAPHS, .turns = 3},
    {.words = "answers as if the game ended after 3n - 1 turns",
     .games = GRAPHS,
     .turns = 3,
     .less = 1},
    {.words = "answers as if the game ended after 2n turns", .games = GRAPHS, .turns = 2},
    {.words = "answers as if the game ended after 2n - 1 turns",
     .games = GRAPHS,
     .turns = 2,
     .less = 1},
    {.words = "answers as if the game ended after n turns", .games = BOTH, .turns = 1},
    {.words = "answers as if the game ended after n - 1 turns",
     .games = BOTH,
     .turns = 1,
     .less = 1},
    {.words = "answers as if the cat may enter the hole",
     .games = GRAPHS,
     .variant.cat_enters_hole = true},
    {.words = "answers as if the mouse may stay where it is",
     .games = GRAPHS,
     .variant.mouse_stays = true},
    {.words = "answers as if the cat may stay where it is",
     .games = GRAPHS,
     .variant.cat_stays = true},
    {.words = "answers as if the cat moved first", .games = BOTH, .variant.cat_begins = true},
    {.words = "answers as if nobody may stay", .games = GRIDS, .variant.nobody_stays = true},
    {.words = "answers as if one could jump over walls",
     .games = GRIDS,
     .variant.over_walls = true},
    {.words = "answers as if catJump and mouseJump were swapped",
     .games = GRIDS,
     .variant.jumps_swapped = true},
};

const char *mistake_words(size_t number)
{
  return mistakes[number].words;
}

/* An arena's moves as sets, to be changed. */
struct rules {
  uint32_t nodes;
  uint64_t moves[2][64], home[2], barred[2];
  enum outcome endless;
  struct state start;
};

static void rules_of(const struct arena *arena, struct rules *rules)
{
  *rules = (struct rules){.nodes = arena->nodes, .endless = arena->endless, .start = arena->start};
  for (int player = 0; player < 2; player++) {
    const struct moves *lists = &arena->moves[player];
    rules->home[player] = arena->home[player][0];
    rules->barred[player] = arena->barred[player][0];
    for (uint32_t node = 0; node < arena->nodes; node++) {
      for (uint32_t at = lists->begin[node]; at < lists->end[node]; at++)
        rules->moves[player][node] |= UINT64_C(1) << lists->to[at];
    }
  }
}

/* Every cell in reach, walls between or not. */
static void jump_over_walls(const struct challenge *challenge, enum player player,
                            struct rules *rules)
{
  static const int down[] = {-1, 1, 0, 0}, right[] = {0, 0, -1, 1};
  for (uint32_t from = 0; from < rules->nodes; from++) {
    int row = (int)(from / challenge->cols), col = (int)(from % challenge->cols);
    for (int way = 0; way < 4; way++) {
      for (int far = 1; far <= challenge->jump[player]; far++) {
        int to_row = row + far * down[way], to_col = col + far * right[way];
        if (to_row < 0 || to_col < 0 || to_row >= (int)challenge->rows ||
            to_col >= (int)challenge->cols)
          break;
        if (challenge->cell[to_row][to_col] != '#' && challenge->cell[row][col] != '#')
          rules->moves[player][from] |= UINT64_C(1) << (to_row * (int)challenge->cols + to_col);
      }
    }
  }
}

static void change(const struct challenge *challenge, const struct variant *variant,
                   struct rules *rules)
{
  if (variant->cat_enters_hole) {
    memcpy(rules->moves[PLAYER_CAT], rules->moves[PLAYER_MOUSE], sizeof rules->moves[PLAYER_CAT]);
    rules->barred[PLAYER_CAT] = 0;
  }
  for (uint32_t node = 0; node < rules->nodes; node++) {
    uint64_t here = UINT64_C(1) << node;
    rules->moves[PLAYER_MOUSE][node] |= variant->mouse_stays ? here : 0;
    rules->moves[PLAYER_CAT][node] |= variant->cat_stays && node != 0 ? here : 0;
    for (int player = 0; player < 2; player++)
      rules->moves[player][node] &= variant->nobody_stays ? ~here : ~UINT64_C(0);
  }
  for (int player = 0; player < 2 && variant->over_walls; player++)
    jump_over_walls(challenge, (enum player)player, rules);
  if (variant->cat_begins)
    rules->start.turn = PLAYER_CAT;
}

static int solve_rules(const struct rules *rules, enum outcome *outcome)
{
  uint32_t begin[2][64], end[2][64], *to = malloc((size_t)2 * 64 * 64 * sizeof *to), at = 0;
  struct arena parts = {.nodes = rules->nodes, .endless = rules->endless, .start = rules->start},
               *arena;
  struct table *table;
  if (!to)
    return -1;
  for (int player = 0; player < 2; player++) {
    for (uint32_t node = 0; node < rules->nodes; node++) {
      begin[player][node] = at;
      for (uint64_t left = rules->moves[player][node]; left; left &= left - 1)
        to[at++] = (uint32_t)__builtin_ctzll(left);
      end[player][node] = at;
    }
    parts.moves[player] = (struct moves){begin[player], end[player], to};
    parts.home[player] = &rules->home[player];
    parts.barred[player] = &rules->barred[player];
  }
  int error = arena_new_from_parts(&parts, &arena);
  free(to);
  if (error)
    return error;
  error = solve(arena, NULL, &table);
  if (error == 0) {
    *outcome = answer_value(arena, table, &rules->start, LIMIT_NONE).outcome;
    table_free(table);
  }
  arena_free(arena);
  return error;
}

static int solve_variant(const struct challenge *challenge, const struct variant *variant,
                         enum outcome *outcome)
{
  struct challenge changed = *challenge;
  struct rules rules;
  if (variant->jumps_swapped) {
    changed.jump[PLAYER_MOUSE] = challenge->jump[PLAYER_CAT];
    changed.jump[PLAYER_CAT] = challenge->jump[PLAYER_MOUSE];
  }
  struct arena *arena = challenge_arena(&changed);
  if (!arena)
    return -1;
  rules_of(arena, &rules);
  arena_free(arena);
  change(&changed, variant, &rules);
  return solve_rules(&rules, outcome);
}

/* A search that knows the placings on its own path, but not who was to move there. */
struct search {
  const struct challenge *challenge;
  bool seen[NODES_MOST][NODES_MOST];
  uint64_t steps;
};

enum { STEPS_MOST = 100000 };

static enum outcome search_from(struct search *search,
                                struct state state) /* NOLINT(misc-no-recursion) */
{
  if (state.mouse == 0)
    return OUTCOME_MOUSE;
  if (state.mouse == state.cat)
    return OUTCOME_CAT;
  if (search->seen[state.mouse][state.cat] || search->steps++ > STEPS_MOST)
    return OUTCOME_DRAW;
  search->seen[state.mouse][state.cat] = true;
  enum outcome wanted = (enum outcome)state.turn, best = (enum outcome)player_other(state.turn);
  uint32_t from = state.turn == PLAYER_MOUSE ? state.mouse : state.cat;
  uint64_t moves = search->challenge->neighbours[from] &
                   (state.turn == PLAYER_CAT ? ~UINT64_C(1) : ~UINT64_C(0));
  for (; moves && best != wanted; moves &= moves - 1) {
    uint32_t to = (uint32_t)__builtin_ctzll(moves);
    struct state next = {state.turn == PLAYER_MOUSE ? to : state.mouse,
                         state.turn == PLAYER_CAT ? to : state.cat, player_other(state.turn)};
    enum outcome found = search_from(search, next);
    if (found == wanted || found == OUTCOME_DRAW)
      best = found;
  }
  search->seen[state.mouse][state.cat] = false;
  return best;
}

/* False where it cannot be said. */
static bool mistaken(const struct mistake *mistake, const struct challenge *challenge,
                     enum outcome *outcome)
{
  struct answer_value value;
  if (mistake->constant) {
    *outcome = (enum outcome)(mistake->constant - 1);
    return true;
  }
  if (mistake->repeats) {
    struct search search = {.challenge = challenge};
    *outcome = search_from(&search, (struct state){1, 2, PLAYER_MOUSE});
    return search.steps <= STEPS_MOST;
  }
  if (!mistake->turns)
    return solve_variant(challenge, &mistake->variant, outcome) == 0;
  if (challenge_solve(challenge, &value))
    return false;
  uint32_t nodes =
      challenge->game == GAME_GRAPH ? challenge->nodes : challenge->rows * challenge->cols;
  bool in_time = value.plies <= mistake->turns * nodes - mistake->less;
  enum outcome endless = challenge->game == GAME_GRAPH ? OUTCOME_DRAW : OUTCOME_CAT;
  *outcome = in_time ? value.outcome : endless;
  return true;
}

static bool explains(const struct mistake *mistake, const struct said *said, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    enum outcome outcome;
    if (!(mistake->games >> said[i].challenge.game & 1))
      return false;
    bool known = mistaken(mistake, &said[i].challenge, &outcome);
    if (known ? outcome != said[i].outcome : i == 0)
      return false;
  }
  return true;
}

size_t mistakes_behind(const struct said *said, size_t count, size_t most, size_t *numbers)
{
  size_t found = 0;
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes && found < most; i++) {
    if (explains(&mistakes[i], said, count))
      numbers[found++] = i;
  }
  return found;
}

bool mistakes_differ(size_t one, size_t other, const struct challenge *challenge)
{
  enum outcome outcome[2];
  return mistaken(&mistakes[one], challenge, &outcome[0]) &&
         mistaken(&mistakes[other], challenge, &outcome[1]) && outcome[0] != outcome[1];
}
