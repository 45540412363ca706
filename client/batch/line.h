/* One answer, or one bad record, as a line. */
#ifndef CATMOUSE_CLIENT_BATCH_LINE_H
#define CATMOUSE_CLIENT_BATCH_LINE_H

#include "client/batch/answer.h"
#include "proto/buffer.h"

enum line_form {
  LINE_TABS, /* nodes, outcome, plies; then the best move, then the roles, where they are asked for */
  LINE_JSON,
  LINE_LEETCODE, /* 0, 1, 2 for a graph, true or false for a grid */
};

/* X(constant, name): which lines are wanted. */
#define LINE_SORTS(X) X(ALL, "all") X(MOUSE, "mouse") X(CAT, "cat") X(DRAW, "draw") X(BAD, "bad")

enum line_sort {
#define X(constant, name) LINES_##constant,
  LINE_SORTS(X)
#undef X
};

/* By enum line_sort, ended by NULL. */
extern const char *const line_sort_names[];

struct line_style {
  enum line_form form;
  enum line_sort only;
  bool best, roles; /* are shown */
};

/* The record that a line is about. */
struct origin {
  uint64_t number; /* from 1 */
  struct record record;
  const char *tag; /* as in struct item */
  size_t tag_length;
};

/* Nothing where the style does not want it. */
void line_answer(const struct line_style *style, const struct origin *origin,
                 const struct answer *answer, struct buffer *out);
void line_bad(const struct line_style *style, const struct origin *origin, const char *why,
              struct buffer *out);

#endif
