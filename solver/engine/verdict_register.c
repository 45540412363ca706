/*
 * The verdict of up to 16 nodes. A side of the game is 256 bits: a lane for each place of the
 * winner, a bit of it for each place of the loser. The compiler keeps them in one register where
 * the processor has one so wide.
 *
 * Both attractors grow in step, two plies a round:
 * - exists, the winner to move: a lane takes the bits of each lane that the winner can go to;
 * - forall, the loser to move: a place is lost to the winner unless it has a move to a bit that is
 *   not set.
 *
 * Only states of one parity are followed. What ends with the winner's move is won in an odd number
 * of plies where the winner is to move, in an even number where the loser is; the mouse wins in no
 * other way. A cornered mouse, though, may have to step onto the cat and so lose after an odd
 * number: once the cat is known to win, its other parity is computed as deep to see which it was
 * (cat_plies()).
 */
#include "solver/engine/level.h"

#include "solver/engine/verdict_register.h"

enum { LANES = 16 };

typedef uint16_t lanes __attribute__((vector_size(LANES * sizeof(uint16_t))));

struct winner {
  uint32_t nodes;
  lanes into[LANES];      /* [w]: all ones in the lanes from which the winner can go to w */
  uint16_t before[LANES]; /* [l]: the places from which the loser can come to l */
  lanes over;             /* states in which the game is over and won */
  lanes goes_on;          /* states in which it is not over, or over is said above */
  lanes can_move;         /* of these, states in which the loser has a move */
  lanes start;            /* the start alone */
  lanes won;              /* states with the loser to move, won in at most so many plies */
};

static inline lanes splat(uint16_t bits)
{
  return bits - (lanes){0};
}

static inline bool any(lanes set)
{
  typedef uint64_t words __attribute__((vector_size(sizeof(lanes))));
  words folded = (words)set;
  return (folded[0] | folded[1] | folded[2] | folded[3]) != 0;
}

static inline lanes exists(const struct winner *winner, lanes loser_moves)
{
  lanes won = {0};
  for (uint32_t to = 0; to < winner->nodes; to++)
    won |= splat(loser_moves[to]) & winner->into[to];
  return (won & winner->goes_on) | winner->over;
}

static inline lanes forall(const struct winner *winner, lanes winner_moves)
{
  lanes escapes = {0};
  for (uint32_t to = 0; to < winner->nodes; to++)
    escapes |=
        (lanes)((winner_moves & splat((uint16_t)(1u << to))) == 0) & splat(winner->before[to]);
  return (winner->can_move & ~escapes) | winner->over;
}

/* The cat on the mouse comes before any home, and the mouse's home before the cat's. */
static void set_over(const struct set_arena *sets, enum player player, uint16_t stuck,
                     struct winner *winner)
{
  uint64_t loser_home = sets->home[player_other(player)];
  uint16_t all = (uint16_t)((1u << sets->nodes) - 1), goes_on = (uint16_t)(all & ~loser_home);
  for (uint32_t at = 0; at < sets->nodes; at++) {
    uint16_t caught = (uint16_t)(1u << at);
    uint16_t home = sets->home[player] >> at & 1 ? all : 0;
    winner->over[at] = player == PLAYER_MOUSE ? home & ~caught : (home & goes_on) | caught;
    winner->goes_on[at] = player == PLAYER_MOUSE ? goes_on & ~caught : goes_on;
    winner->can_move[at] = (uint16_t)(winner->goes_on[at] & ~stuck);
  }
}

static void winner_init(const struct set_arena *sets, enum player player, struct winner *winner)
{
  enum player loser = player_other(player);
  const uint32_t place[] = {sets->mouse, sets->cat};
  lanes moves = {0};
  uint16_t stuck = 0;
  winner->nodes = sets->nodes;
  winner->over = winner->goes_on = winner->can_move = winner->start = (lanes){0};
  for (uint32_t node = 0; node < sets->nodes; node++) {
    moves[node] = (uint16_t)sets->moves[player][node];
    winner->before[node] = (uint16_t)sets->before[loser][node];
    stuck |= (uint16_t)(sets->moves[loser][node] ? 0 : 1u << node);
  }
  for (uint32_t to = 0; to < sets->nodes; to++)
    winner->into[to] = (lanes)((moves & splat((uint16_t)(1u << to))) != 0);
  set_over(sets, player, stuck, winner);
  winner->start[place[player]] = (uint16_t)(1u << place[loser]);
  winner->won = winner->over;
}

/* The cat was found to win in so many plies, or in one less. */
static uint32_t cat_plies(const struct winner *cat, uint32_t plies)
{
  lanes won = forall(cat, cat->over);
  for (uint32_t depth = 1; depth + 1 < plies; depth += 2)
    won = forall(cat, exists(cat, won));
  return any(won & cat->start) ? plies - 1 : plies;
}

/* One more round for one who wins. Returns whether it found anything. */
static inline bool advance(struct winner *winner, lanes winner_moves)
{
  lanes won = forall(winner, winner_moves);
  bool found = any(won & ~winner->won);
  winner->won = won;
  return found;
}

struct table_value verdict_register(const struct set_arena *sets)
{
  struct winner mouse, cat;
  winner_init(sets, PLAYER_MOUSE, &mouse);
  winner_init(sets, PLAYER_CAT, &cat);
  if (any(mouse.over & mouse.start))
    return (struct table_value){OUTCOME_MOUSE, 0};
  if (any(cat.over & cat.start))
    return (struct table_value){OUTCOME_CAT, 0};
  for (uint32_t plies = 1;; plies += 2) {
    lanes mouse_moves = exists(&mouse, mouse.won), cat_moves = exists(&cat, cat.won);
    if (any(mouse_moves & mouse.start))
      return (struct table_value){OUTCOME_MOUSE, plies};
    bool found = advance(&cat, cat_moves);
    if (any(cat.won & cat.start))
      return (struct table_value){OUTCOME_CAT, cat_plies(&cat, plies + 1)};
    found |= advance(&mouse, mouse_moves);
    if (!found)
      return (struct table_value){OUTCOME_DRAW, PLIES_NONE};
  }
}
