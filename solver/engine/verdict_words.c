/*
 * The verdict of up to 64 nodes: a row for each place of the winner is one word, a bit of it for each place of the
 * loser. The same method as verdict_register.c, states of one parity only, but each round looks at no more rows
 * than the last one changed, as small.c does.
 */
#include "solver/engine/level.h"

#include "solver/engine/verdict_ways.h"

#include <string.h>

#ifdef __AVX512F__
#include <immintrin.h>
#endif

enum { NODES = VERDICT_NODES_MAX };

/* States of one turn: `won` so far, and what the last step added to it. */
struct side {
  uint64_t won[NODES], fresh[NODES]; /* `fresh` is meant only in `fresh_rows` */
  uint64_t fresh_rows;
};

struct winner {
  const struct set_arena *sets;
  enum player player;
  uint64_t all;
  uint64_t goes_on;            /* the loser's places where the game is not over */
  uint64_t can_move;           /* of these, places where it has a move */
  uint64_t over[NODES];        /* states in which the game is over and won */
  uint64_t loser_moves[NODES]; /* of the loser; all of it beyond the nodes is 0 */
  struct side exists, forall;  /* the winner to move, the loser to move */
};

static uint64_t bit(uint32_t node)
{
  return UINT64_C(1) << node;
}

/* The mouse never wins where the cat stands on it. */
static uint64_t missing(const struct winner *winner, const struct side *side, uint64_t places,
                        uint32_t row)
{
  uint64_t open = places & ~side->won[row];
  return winner->player == PLAYER_MOUSE ? open & ~bit(row) : open;
}

#ifdef __AVX512F__

/* Those of `places` from which every move of the loser leads to a bit of `winning`. */
static uint64_t lost_places(const struct winner *winner, uint64_t winning, uint64_t places)
{
  __m512i escapes = _mm512_set1_epi64((int64_t)~winning);
  uint64_t lost = 0;
  for (uint32_t start = 0; start < winner->sets->nodes; start += 8)
    lost |=
        (uint64_t)_mm512_testn_epi64_mask(_mm512_loadu_si512(winner->loser_moves + start), escapes)
        << start;
  return lost & places;
}

#else

static uint64_t lost_places(const struct winner *winner, uint64_t winning, uint64_t places)
{
  uint64_t lost = 0;
  for (; places; places &= places - 1)
    if (!(winner->loser_moves[__builtin_ctzll(places)] & ~winning))
      lost |= places & -places;
  return lost;
}

#endif

static void exists_step(struct winner *winner)
{
  struct side *side = &winner->exists;
  side->fresh_rows = 0;
  for (uint64_t leads = winner->forall.fresh_rows; leads; leads &= leads - 1) {
    uint32_t lead = (uint32_t)__builtin_ctzll(leads);
    for (uint64_t from = winner->sets->before[winner->player][lead]; from; from &= from - 1) {
      uint32_t row = (uint32_t)__builtin_ctzll(from);
      uint64_t found = winner->forall.fresh[lead] & missing(winner, side, winner->goes_on, row);
      if (!found)
        continue;
      side->won[row] |= found;
      side->fresh_rows |= bit(row);
    }
  }
}

static void forall_step(struct winner *winner, uint64_t rows)
{
  struct side *side = &winner->forall;
  side->fresh_rows = 0;
  for (; rows; rows &= rows - 1) {
    uint32_t row = (uint32_t)__builtin_ctzll(rows);
    uint64_t found =
        lost_places(winner, winner->exists.won[row], missing(winner, side, winner->can_move, row));
    if (!found)
      continue;
    side->won[row] |= found;
    side->fresh[row] = found;
    side->fresh_rows |= bit(row);
  }
}

/* The cat on the mouse comes before any home, and the mouse's home before the cat's. */
static uint64_t over_row(const struct winner *winner, uint32_t row)
{
  uint64_t home = winner->sets->home[winner->player] & bit(row) ? winner->all : 0;
  return winner->player == PLAYER_MOUSE ? home & ~bit(row) : (home & winner->goes_on) | bit(row);
}

/* Nothing is found yet but what is over; that is fresh with the loser to move. */
static void winner_begin(struct winner *winner)
{
  size_t bytes = winner->sets->nodes * sizeof *winner->over;
  memcpy(winner->exists.won, winner->over, bytes);
  memcpy(winner->forall.won, winner->over, bytes);
  memcpy(winner->forall.fresh, winner->over, bytes);
  winner->forall.fresh_rows = winner->all;
}

static void winner_init(const struct set_arena *sets, enum player player, struct winner *winner)
{
  enum player loser = player_other(player);
  uint64_t stuck = 0;
  winner->sets = sets;
  winner->player = player;
  winner->all = ~UINT64_C(0) >> (NODES - sets->nodes);
  winner->goes_on = winner->all & ~sets->home[loser];
  memset(winner->loser_moves, 0, sizeof winner->loser_moves);
  for (uint32_t node = 0; node < sets->nodes; node++) {
    winner->loser_moves[node] = sets->moves[loser][node];
    stuck |= sets->moves[loser][node] ? 0 : bit(node);
    winner->over[node] = over_row(winner, node);
  }
  winner->can_move = winner->goes_on & ~stuck;
  winner_begin(winner);
}

/* The cat was found to win in so many plies, or in one less. */
static uint32_t cat_plies(struct winner *cat, uint32_t plies)
{
  const struct set_arena *sets = cat->sets;
  winner_begin(cat);
  forall_step(cat, cat->all);
  memcpy(cat->forall.fresh, cat->forall.won, sets->nodes * sizeof *cat->forall.won);
  cat->forall.fresh_rows = cat->all;
  for (uint32_t depth = 1; depth + 1 < plies && cat->forall.fresh_rows; depth += 2) {
    exists_step(cat);
    forall_step(cat, cat->exists.fresh_rows);
  }
  return cat->forall.won[sets->cat] & bit(sets->mouse) ? plies - 1 : plies;
}

struct table_value verdict_words(const struct set_arena *sets)
{
  struct winner mouse, cat;
  winner_init(sets, PLAYER_MOUSE, &mouse);
  winner_init(sets, PLAYER_CAT, &cat);
  if (mouse.over[sets->mouse] & bit(sets->cat))
    return (struct table_value){OUTCOME_MOUSE, 0};
  if (cat.over[sets->cat] & bit(sets->mouse))
    return (struct table_value){OUTCOME_CAT, 0};
  for (uint32_t plies = 1;; plies += 2) {
    exists_step(&mouse);
    if (mouse.exists.won[sets->mouse] & bit(sets->cat))
      return (struct table_value){OUTCOME_MOUSE, plies};
    exists_step(&cat);
    forall_step(&cat, plies == 1 ? cat.all : cat.exists.fresh_rows);
    if (cat.forall.won[sets->cat] & bit(sets->mouse))
      return (struct table_value){OUTCOME_CAT, cat_plies(&cat, plies + 1)};
    forall_step(&mouse, mouse.exists.fresh_rows);
    if (!(mouse.forall.fresh_rows | cat.forall.fresh_rows))
      return (struct table_value){OUTCOME_DRAW, PLIES_NONE};
  }
}
