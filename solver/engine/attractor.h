/*
 * The attractor of one player: every state from which that player, the winner, can force a win,
 * with the number of plies it takes. layers.c has the method. Private to the engine.
 *
 * A row is a place of the winner, a bit of a row a place of the loser. Lines are kept column by
 * column (512 bits wide), so that a column of all rows stays in the processor's cache.
 */
#ifndef CATMOUSE_SOLVER_ENGINE_ATTRACTOR_H
#define CATMOUSE_SOLVER_ENGINE_ATTRACTOR_H

#include "solver/engine/bit_line.h"
#include "solver/engine/engine_options.h"
#include "solver/engine/lists.h"
#include "solver/engine/move_sets.h"
#include "solver/engine/shift_plan.h"
#include "solver/engine/thread_pair.h"
#include "solver/engine/tile_log.h"

enum side_name { SIDE_EXISTS, SIDE_FORALL };

/*
 * The states with one of the players to move. A unit of `exists` is a block of rows of tiles, of
 * `forall` a column.
 */
struct side {
  enum side_name name;
  uint64_t *bits;        /* what is decided: lines * nodes lines */
  uint64_t *open;        /* one row: the loser's places where the game goes on */
  struct tile_log *logs; /* lines * lines tiles, [row block][column] */
  uint32_t *units;       /* the units the last layer wrote to */
  uint32_t *unit_tile;   /* by unit: its first tile of the frontier, plus 1; 0 for none */
  uint32_t unit_count;
  uint64_t frontier_records; /* how many the last layer logged */
};

struct attractor {
  struct solving *solving;
  const struct engine_options *options;
  const struct lists *lists;
  enum player winner, loser;
  uint32_t nodes, lines;
  uint32_t layer;         /* being computed: the plies of what is found now */
  struct side exists;     /* winner to move: one move into `forall` is enough */
  struct side forall;     /* loser to move: every move leads into `exists` */
  struct shift_plan plan; /* of the loser's moves, where that pays */
  const struct move_sets *sets;
  enum engine_forall *way; /* of this layer, by row block */
  bool *pulls;             /* in this layer, by column */
};

/* One row of places, zero between uses. */
struct candidates {
  uint64_t *words;
  uint64_t *touched; /* a bit for each of them */
};

#define NOT_PUSHED UINT32_MAX

/* What a thread needs for itself. */
struct worker {
  struct chunk_pool pool;
  uint64_t decided;   /* not yet reported */
  uint32_t *fresh[2]; /* by side: the tiles it was the first to write to in this layer; owned */
  uint32_t fresh_count[2];
  uint64_t *rows; /* the memory of what follows but for `tiles`; owned */
  struct candidates candidates[2];
  uint64_t *pushed;      /* the lines pushed into so far, in the order found */
  uint32_t *pushed_rows; /* their rows */
  uint32_t *pushed_at;   /* by row: which of them it is, NOT_PUSHED between uses */
  uint32_t pushed_count;
  uint64_t *tiles; /* for forall_tiles.c, NULL until used */
};

/* Who works on an attractor: its own workers, one for each thread. */
struct team {
  struct worker workers[2];
  unsigned count;           /* of workers */
  unsigned thread;          /* of the thread that runs the attractor */
  struct thread_pair *pair; /* NULL for one thread */
};

/* Borrows all that it is given. 0 or what the solve failed with. */
int attractor_init(struct attractor *attractor, struct solving *solving,
                   const struct engine_options *options, const struct lists *lists,
                   const struct move_sets *sets, enum player winner);
void attractor_deinit(struct attractor *attractor);

/* Frees all but the logs, once it has run. */
void attractor_drop_bits(struct attractor *attractor);

/* Layer 0: where the game is over with this winner. Time O(nodes^2 / 512) lines at worst. */
void attractor_decide_over(struct attractor *attractor, struct worker *worker);

static inline uint64_t *side_line(const struct attractor *attractor, const struct side *side,
                                  uint32_t row, uint32_t column)
{
  return side->bits + ((size_t)column * attractor->nodes + row) * LINE_WORDS;
}

/* What is still undecided of a line. The mouse never wins where the cat stands on it. */
static inline bit_line side_missing(const struct attractor *attractor, const struct side *side,
                                    uint32_t row, uint32_t column, bit_line decided)
{
  bit_line missing = line_load(side->open + (size_t)column * LINE_WORDS) & ~decided;
  if (row / LINE_BITS == column && attractor->winner == PLAYER_MOUSE)
    missing[row % LINE_BITS / 64] &= ~(UINT64_C(1) << row % 64);
  return missing;
}

/* Room for a record of this layer. False with the solve failed. */
static inline bool side_log_begin(struct attractor *attractor, struct worker *worker,
                                  struct side *side, uint32_t tile)
{
  struct tile_log *log = &side->logs[tile];
  if (!tile_log_room(log, &worker->pool))
    return false;
  if (log->layer == attractor->layer)
    return true;
  log->fresh = tile_log_end(log);
  log->fresh_bits = log->fresh_records = 0;
  tile_log_mark(log, attractor->layer);
  worker->fresh[side->name][worker->fresh_count[side->name]++] = tile;
  return true;
}

/* Logs bits found in this layer. */
static inline void side_log(struct attractor *attractor, struct worker *worker, struct side *side,
                            uint32_t row, uint32_t column, bit_line found)
{
  uint32_t tile = row / LINE_BITS * attractor->lines + column;
  struct tile_log *log = &side->logs[tile];
  if (!side_log_begin(attractor, worker, side, tile))
    return;
  tile_log_write(log, row, line_presence(found), found);
  unsigned count = line_count(found);
  log->fresh_bits += count;
  log->fresh_records++;
  worker->decided += count;
}

/* The same, word by word: only the present words of `found` are looked at. */
static inline void side_log_words(struct attractor *attractor, struct worker *worker,
                                  struct side *side, uint32_t row, uint32_t column,
                                  unsigned presence, const uint64_t *found)
{
  uint32_t tile = row / LINE_BITS * attractor->lines + column;
  struct tile_log *log = &side->logs[tile];
  if (!side_log_begin(attractor, worker, side, tile))
    return;
  unsigned count = tile_log_write_words(log, row, presence, found);
  log->fresh_bits += count;
  log->fresh_records++;
  worker->decided += count;
}

#endif
