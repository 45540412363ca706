/*
 * Up to 64 nodes: a row is one word, and nothing is allocated but the table.
 *
 * The method is that of layers.c. Where the start's verdict is all that is wanted, both attractors
 * grow in step until one has it, and nothing is written down. Each side keeps, beside the decided
 * bits of every row, those found in the last layer and in this one, and the set of rows that have
 * any, so a layer costs what it changes:
 * - winner to move: a row's fresh bits are or-ed into the rows from which the winner gets there;
 * - loser to move: a place is won where its moves, as a set, lie within the row.
 * What is found is written down as cells at once.
 *
 * Each winner has a square of its own for each turn, in which its places are rows. The cat's wins
 * come first; their squares are transposed, the mouse's are written on them, and all is copied into
 * the table. Cells are one byte; if a layer does not fit, all is done again with two.
 *
 * Time O(nodes^2 * moves) words at worst. Memory: the table, and 40 kB of stack.
 */
#include "solver/engine/level.h"

#include "solver/engine/small.h"

#include <errno.h>
#include <string.h>

#include "solver/engine/cells_spread.h"

enum {
  NODES = SMALL_NODES_MAX,
  SQUARE_BYTES_MAX = NODES * NODES * 2, /* one turn, two-byte cells */
  TOO_LONG = 1,                         /* the layers outgrew the width of the cells */
};

struct small_side {
  uint64_t bits[NODES];
  uint64_t fresh[NODES]; /* found in the last layer */
  uint64_t found[NODES]; /* found in this one; 0 outside `found_rows` */
  uint64_t fresh_rows, found_rows;
  uint64_t open; /* the loser's places where the game goes on */
};

struct small_attractor {
  const struct set_arena *sets;
  enum player winner;
  uint64_t all; /* every node */
  struct small_side exists, forall;
};

struct small {
  struct solving *solving;
  struct set_arena sets;
  uint32_t width;
  struct small_attractor attractor; /* of the winner at hand */
  uint64_t decided;
  uint8_t squares[2][2 * SQUARE_BYTES_MAX]; /* by winner, then by turn */
};

static inline uint64_t bit(uint32_t node)
{
  return UINT64_C(1) << node;
}

static inline size_t square_bytes(const struct small *small)
{
  return (size_t)small->sets.nodes * NODES * small->width;
}

static void side_init(struct small_side *side, uint64_t open)
{
  memset(side->bits, 0, sizeof side->bits);
  memset(side->found, 0, sizeof side->found);
  side->fresh_rows = side->found_rows = 0;
  side->open = open;
}

/* What is still undecided of a row. The mouse never wins where the cat stands on it. */
static uint64_t side_missing(const struct small_attractor *attractor, const struct small_side *side,
                             uint32_t row)
{
  uint64_t missing = side->open & ~side->bits[row];
  return attractor->winner == PLAYER_MOUSE ? missing & ~bit(row) : missing;
}

static void side_find(struct small_side *side, uint32_t row, uint64_t found)
{
  side->bits[row] |= found;
  side->found[row] |= found;
  side->found_rows |= found ? bit(row) : 0;
}

/* Where the game is over with this winner. The cat on the mouse comes before any home. */
static uint64_t over_row(const struct small_attractor *attractor, uint32_t row)
{
  const enum player winner = attractor->winner, loser = player_other(winner);
  const struct set_arena *sets = attractor->sets;
  uint64_t there = attractor->all & ~sets->barred[loser];
  uint64_t over = sets->home[winner] & bit(row) ? there : 0;
  if (winner == PLAYER_MOUSE)
    return over & ~bit(row);
  return (over & ~sets->home[loser]) | (bit(row) & there);
}

/* Layer 0. Rows that the winner is barred from are filled: they never wait. */
static void attractor_begin(struct small_attractor *attractor, const struct set_arena *sets,
                            enum player winner)
{
  const enum player loser = player_other(winner);
  uint64_t stuck = 0;
  attractor->sets = sets;
  attractor->winner = winner;
  attractor->all = ~UINT64_C(0) >> (NODES - sets->nodes);
  for (uint32_t node = 0; node < sets->nodes; node++)
    stuck |= sets->moves[loser][node] ? 0 : bit(node);
  uint64_t open = attractor->all & ~sets->barred[loser] & ~sets->home[loser];
  side_init(&attractor->exists, open);
  side_init(&attractor->forall, open & ~stuck);
  for (uint32_t row = 0; row < sets->nodes; row++) {
    if (sets->barred[winner] & bit(row)) {
      attractor->exists.bits[row] = attractor->forall.bits[row] = attractor->all;
      continue;
    }
    side_find(&attractor->exists, row, over_row(attractor, row));
    side_find(&attractor->forall, row, over_row(attractor, row));
  }
}

/*
 * Makes what a layer found the fresh of the next, and writes it down in a square of rows of 64
 * cells (NULL for nowhere). How many states that are.
 */
static inline uint64_t side_advance(struct small_side *side, uint8_t *cells, uint32_t width,
                                    uint32_t value)
{
  uint64_t decided = 0;
  side->fresh_rows = side->found_rows;
  side->found_rows = 0;
  for (uint64_t rows = side->fresh_rows; rows; rows &= rows - 1) {
    uint32_t row = (uint32_t)__builtin_ctzll(rows);
    side->fresh[row] = side->found[row];
    side->found[row] = 0;
    if (!cells)
      continue;
    decided += (unsigned)__builtin_popcountll(side->fresh[row]);
    cells_spread(cells + (size_t)row * NODES * width, width, side->fresh[row], value);
  }
  return decided;
}

#if !defined(__AVX512F__)

/*
 * Does each of a place's moves lead in? One by one, of those places that have a move to a fresh
 * bit.
 */
static inline uint64_t won_of_few(const uint64_t *moves, uint64_t winning, uint64_t candidates)
{
  uint64_t won = 0;
  for (; candidates; candidates &= candidates - 1)
    if (!(moves[__builtin_ctzll(candidates)] & ~winning))
      won |= candidates & -candidates;
  return won;
}

static inline uint64_t candidates_of(const uint64_t *before, uint64_t fresh)
{
  uint64_t candidates = 0;
  for (; fresh; fresh &= fresh - 1)
    candidates |= before[__builtin_ctzll(fresh)];
  return candidates;
}

#endif

#if defined(__AVX512F__)

/* Every place at once, eight at a time: no candidates needed. */
static uint64_t won_places(const struct set_arena *sets, enum player loser, uint64_t winning,
                           uint64_t fresh, uint64_t missing)
{
  (void)fresh;
  __m512i losing = _mm512_set1_epi64((int64_t)~winning);
  uint64_t won = 0;
  for (unsigned start = 0; start < NODES; start += 8)
    won |= (uint64_t)_mm512_testn_epi64_mask(_mm512_loadu_si512(sets->moves[loser] + start), losing)
           << start;
  return won & missing;
}

#elif defined(__AVX2__)

/* From so many fresh bits, or candidates, on, every place is looked at, four at a time. */
enum { MANY_FRESH = 6, MANY_CANDIDATES = 10 };

static inline uint64_t won_of_all(const struct set_arena *sets, enum player loser, uint64_t winning)
{
  const __m256i losing = _mm256_set1_epi64x((long long)~winning), none = _mm256_setzero_si256();
  uint64_t won = 0;
  for (unsigned start = 0; start < sets->nodes; start += 4) {
    __m256i moves = _mm256_loadu_si256((const void *)(sets->moves[loser] + start));
    __m256i inside = _mm256_cmpeq_epi64(_mm256_and_si256(moves, losing), none);
    won |= (uint64_t)_mm256_movemask_pd((__m256d)inside) << start;
  }
  return won;
}

static uint64_t won_places(const struct set_arena *sets, enum player loser, uint64_t winning,
                           uint64_t fresh, uint64_t missing)
{
  if (__builtin_popcountll(fresh) >= MANY_FRESH)
    return won_of_all(sets, loser, winning) & missing;
  uint64_t candidates = candidates_of(sets->before[loser], fresh) & missing;
  if (__builtin_popcountll(candidates) >= MANY_CANDIDATES)
    return won_of_all(sets, loser, winning) & missing;
  return won_of_few(sets->moves[loser], winning, candidates);
}

#else

static uint64_t won_places(const struct set_arena *sets, enum player loser, uint64_t winning,
                           uint64_t fresh, uint64_t missing)
{
  return won_of_few(sets->moves[loser], winning,
                    candidates_of(sets->before[loser], fresh) & missing);
}

#endif

static void forall_step(struct small_attractor *attractor)
{
  const enum player loser = player_other(attractor->winner);
  const struct small_side *exists = &attractor->exists;
  for (uint64_t rows = exists->fresh_rows; rows; rows &= rows - 1) {
    uint32_t row = (uint32_t)__builtin_ctzll(rows);
    uint64_t missing = side_missing(attractor, &attractor->forall, row);
    if (missing)
      side_find(&attractor->forall, row,
                won_places(attractor->sets, loser, exists->bits[row], exists->fresh[row], missing));
  }
}

static void exists_step(struct small_attractor *attractor)
{
  const uint64_t *before = attractor->sets->before[attractor->winner];
  for (uint64_t rows = attractor->forall.fresh_rows; rows; rows &= rows - 1) {
    uint32_t lead = (uint32_t)__builtin_ctzll(rows);
    for (uint64_t from = before[lead]; from; from &= from - 1) {
      uint32_t row = (uint32_t)__builtin_ctzll(from);
      side_find(&attractor->exists, row,
                attractor->forall.fresh[lead] & side_missing(attractor, &attractor->exists, row));
    }
  }
}

/*
 * Fills the attractor of one winner and writes it down in the winner's squares, whose cells must be
 * 0 or the loser's. 0, TOO_LONG or a negative errno.
 */
static int attract(struct small *small, enum player winner)
{
  struct small_attractor *attractor = &small->attractor;
  struct small_side *exists = &attractor->exists, *forall = &attractor->forall;
  uint8_t *squares[2]; /* by who moves */
  for (int turn = 0; turn < 2; turn++)
    squares[turn] = small->squares[winner] + (size_t)turn * square_bytes(small);
  attractor_begin(attractor, &small->sets, winner);
  for (uint32_t layer = 0;; layer++) {
    uint32_t value = cell_of(winner, layer);
    if (!(exists->found_rows | forall->found_rows))
      return 0;
    if (table_width(layer) > small->width)
      return TOO_LONG;
    small->decided += side_advance(exists, squares[winner], small->width, value);
    small->decided += side_advance(forall, squares[player_other(winner)], small->width, value);
    if (solving_over(small->solving))
      return small->solving->error;
    solving_layer(small->solving, layer);
    forall_step(attractor);
    exists_step(attractor);
  }
}

/*
 * The cat's squares become the mouse's, to be written on. Whole blocks are quickest: what lies
 * beyond the nodes is the second square's, done later, or nobody's.
 */
static void swap_squares(struct small *small)
{
  uint32_t width = small->width, lanes = 16 / width;
  uint32_t rows = (small->sets.nodes + lanes - 1) / lanes * lanes;
  for (int turn = 0; turn < 2; turn++) {
    size_t offset = (size_t)turn * square_bytes(small);
    struct cells cat = {.base = small->squares[PLAYER_CAT] + offset,
                        .stride_bytes = (size_t)NODES * width,
                        .width = width};
    struct cells mouse = cat;
    mouse.base = small->squares[PLAYER_MOUSE] + offset;
    cells_transpose(&cat, &mouse, 0, rows, 0, NODES);
  }
}

static int small_run(struct small *small)
{
  small->decided = 0;
  memset(small->squares[PLAYER_CAT], 0, 2 * square_bytes(small));
  int error = attract(small, PLAYER_CAT);
  if (error)
    return error;
  swap_squares(small);
  return attract(small, PLAYER_MOUSE);
}

/*
 * Rows of the squares are longer than the table's, so each row written spills into the next, which
 * is written after it; near the end they must not.
 */
static void copy_rows(const struct small *small, uint8_t *to)
{
  size_t row_bytes = (size_t)small->sets.nodes * small->width,
         square_row = (size_t)NODES * small->width;
  const uint8_t *from = small->squares[PLAYER_MOUSE];
  for (size_t left = 2 * small->sets.nodes * row_bytes; left; left -= row_bytes) {
    if (left < square_row)
      memcpy(to, from, row_bytes);
    else if (small->width == 1)
      memcpy(to, from, NODES);
    else
      memcpy(to, from, 2 * NODES);
    from += square_row;
    to += row_bytes;
  }
}

int small_solve(const struct arena *arena, struct solving *solving,
                const struct engine_options *forced, struct table **made)
{
  (void)forced;
  struct small small;
  small.solving = solving;
  small.width = 1;
  set_arena_from(arena, &small.sets);
  int error = small_run(&small);
  if (error == TOO_LONG) {
    small.width = 2;
    error = small_run(&small);
  }
  if (error)
    return error;
  if (solving_hold(solving, table_bytes(arena->nodes, small.width)) < 0)
    return -EFBIG;
  struct table *table = table_new(arena->nodes, small.width);
  if (!table) {
    solving_release(solving, table_bytes(arena->nodes, small.width));
    return -ENOMEM;
  }
  copy_rows(&small, table->cells);
  solving_count(solving, small.decided);
  *made = table;
  return 0;
}

/* Both winners' attractors grow in step. */
struct table_value small_verdict(const struct set_arena *sets)
{
  struct small_attractor mouse, cat;
  attractor_begin(&mouse, sets, PLAYER_MOUSE);
  attractor_begin(&cat, sets, PLAYER_CAT);
  for (uint32_t plies = 0;; plies++) {
    if (mouse.exists.bits[sets->mouse] & bit(sets->cat))
      return (struct table_value){OUTCOME_MOUSE, plies};
    if (cat.forall.bits[sets->cat] & bit(sets->mouse))
      return (struct table_value){OUTCOME_CAT, plies};
    struct small_side *const sides[] = {&mouse.exists, &mouse.forall, &cat.exists, &cat.forall};
    uint64_t found = 0;
    for (unsigned at = 0; at < 4; at++) {
      side_advance(sides[at], NULL, 0, 0);
      found |= sides[at]->fresh_rows;
    }
    if (!found)
      return (struct table_value){OUTCOME_DRAW, PLIES_NONE};
    forall_step(&mouse);
    exists_step(&mouse);
    forall_step(&cat);
    exists_step(&cat);
  }
}
