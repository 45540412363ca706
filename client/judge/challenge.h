/* A puzzle that a solver is tried on, of LeetCode's sizes, in a form that is easily made and made smaller. */
#ifndef CATMOUSE_CLIENT_JUDGE_CHALLENGE_H
#define CATMOUSE_CLIENT_JUDGE_CHALLENGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "solver/answer.h"
#include "solver/arena.h"

enum { NODES_MOST = 50, SIDE_MOST = 8, JUMP_MOST = 8, CHALLENGE_TEXT_BYTES = 16 << 10 };

struct challenge {
  enum game game;
  uint32_t nodes;
  uint64_t neighbours[NODES_MOST]; /* bit v: node v */
  uint32_t rows, cols;
  char cell[SIDE_MOST][SIDE_MOST];
  int32_t jump[2]; /* by enum player */
};

/* As LeetCode promises: everybody can move, no loops, one M, C and F each. */
bool challenge_is_legal(const struct challenge *challenge);

/* The test-case box's text, with a line end. Returns its length. */
size_t challenge_write(const struct challenge *challenge, char text[static CHALLENGE_TEXT_BYTES]);

/* Such a text of a graph, known to be good. */
void challenge_read_graph(const char *text, struct challenge *challenge);
void challenge_read_grid(const char *const *rows, uint32_t count, int32_t cat_jump,
                         int32_t mouse_jump, struct challenge *challenge);

/* The caller frees it. NULL when out of memory: the challenge is legal. */
struct arena *challenge_arena(const struct challenge *challenge);

/* Who wins from the start, as the game counts it. -ENOMEM. */
int challenge_solve(const struct challenge *challenge, struct answer_value *value);

/* What LeetCode calls an outcome: "0", "1", "2"; "true", "false". */
const char *outcome_word(enum game game, enum outcome outcome);

/* Which outcome a line of output means. False where it is none. In a grid "false" is the cat's win. */
bool outcome_read(enum game game, const char *line, enum outcome *outcome);

#endif
