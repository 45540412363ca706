/*
 * What batch answers about an item: who wins from its start, or from each start where every choice of roles is asked.
 * The shortest way is taken: the verdict of the start alone up to 64 nodes, else the whole table.
 */
#ifndef CATMOUSE_CLIENT_BATCH_ANSWER_H
#define CATMOUSE_CLIENT_BATCH_ANSWER_H

#include <stdatomic.h>

#include "client/batch/item.h"
#include "solver/game.h"

#define NO_MOVE UINT32_MAX

/* Which nodes of a graph are hole, mouse and cat. */
struct roles {
  uint32_t hole, mouse, cat;
};

/* What is asked of every item. */
struct question {
  struct roles roles;
  bool all_roles;     /* every ordered triple of distinct nodes */
  bool roles_given;   /* which a grid does not have */
  bool best;          /* the best move too */
  uint64_t max_bytes; /* that one solve may hold */
  const atomic_bool *stop;
};

struct answer {
  enum game game;
  uint32_t nodes;
  uint32_t cols; /* of a grid, else 0 */
  enum outcome outcome;
  uint32_t plies; /* PLIES_NONE where nobody forces the end */
  uint32_t best;  /* a node, or NO_MOVE */
  struct roles roles;
};

struct answer_taker {
  /* Takes each answer as it is found. */
  void (*take)(void *context, const struct answer *answer);

  /*
   * Where this is not NULL, nothing is solved and nothing taken: it notes the question who wins `puzzle` from `state`,
   * and what is known of its answer already; answer_set() adds the rest. 0, or a negative errno that ends the item.
   */
  int (*ask)(void *context, const struct puzzle *puzzle, const struct state *state,
             uint32_t limit_plies, const struct answer *answer);
  void *context;
};

/* What somebody else answered about the puzzle that was asked about; `best` may be NO_MOVE. */
void answer_set(struct answer *answer, enum outcome outcome, uint32_t plies, uint32_t best);

/*
 * Answers an item that was read. 0; -EINVAL with `item->bad` where it is bad, perhaps after some answers; -ECANCELED
 * where it was told to stop; what `ask` returned. Any thread, an item each.
 */
int item_answer(struct item *item, const struct question *question,
                const struct answer_taker *taker);

#endif
