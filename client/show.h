/* Answers for people: verdicts in words, tables, a grid with the moves on it. */
#ifndef CATMOUSE_CLIENT_SHOW_H
#define CATMOUSE_CLIENT_SHOW_H

#include "client/cmclient.h"
#include "client/colour.h"

/* How answers are written, and on which puzzle. */
struct style {
  bool colour;
  uint32_t columns;               /* of the terminal; 0 where there is none */
  const struct cm_puzzle *puzzle; /* borrowed; NULL where none was given */
  uint32_t grid_cols;             /* of `puzzle`; 0 where it is no grid */
};

/* For stdout as it is, and for no puzzle. */
void style_init(struct style *style, enum colour_when when);

/* `puzzle` may be NULL. */
void style_set_puzzle(struct style *style, const struct cm_puzzle *puzzle);

/* A line of its own, in bold where there is colour. */
void show_head(const struct style *style, const char *words);

/* "mouse at 1, cat at 2, the mouse to move" */
void show_state(uint32_t cols, const struct cm_state *state);

void show_solved(const struct style *style, const struct cm_solved *solved);

/* What LeetCode asks for: 1, 2 or 0 for a graph, true or false for a grid. */
void show_leetcode(const struct cm_solved *solved);

/* `limited` takes the place of the verdict, unless it is NULL. */
void show_query(const struct style *style, const struct cm_query *query, const char *limited);
void show_stats(const struct style *style, const struct cm_stats *stats);
void show_verify(const struct cm_verify *verify);

#endif
