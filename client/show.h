/* Answers for people: verdicts in words, tables, a grid with the moves on it. */
#ifndef CATMOUSE_CLIENT_SHOW_H
#define CATMOUSE_CLIENT_SHOW_H

#include "client/cmclient.h"

/* How answers are written: in colour or not, and on which puzzle where that is known. */
struct style {
  bool colour;                    /* stdout is a terminal and $NO_COLOR is not set */
  const struct cm_puzzle *puzzle; /* NULL where the puzzle was named by its id */
};

void style_init(struct style *style, const struct cm_puzzle *puzzle);

void show_solved(const struct style *style, const struct cm_solved *solved);

/* What LeetCode asks for: 1, 2 or 0 for a graph, true or false for a grid. */
void show_leetcode(const struct cm_solved *solved);
void show_query(const struct style *style, const struct cm_query *query);
void show_line(const struct style *style, const struct cm_line *line);
void show_stats(const struct cm_stats *stats);
void show_verify(const struct cm_verify *verify);
void show_list(const struct cm_list *list);
void show_evicted(const struct cm_evicted *evicted);
void show_status(const struct cm_status *status);

#endif
