/* A made-up puzzle that owns its memory, and the edge list that a graph is drafted in. */
#ifndef CATMOUSE_BENCH_SOLVER_SPECIMEN_H
#define CATMOUSE_BENCH_SOLVER_SPECIMEN_H

#include <stddef.h>

#include "bench/random.h"
#include "solver/puzzle.h"

struct specimen {
  struct puzzle puzzle;
  void *memory[3]; /* what the puzzle borrows from; owned */
};

void specimen_deinit(struct specimen *specimen);

struct edge {
  uint32_t from, to;
};

struct draft {
  uint32_t nodes;
  size_t count, capacity;
  struct edge *edges;
};

void draft_init(struct draft *draft, uint32_t nodes);

/* An undirected edge; one that was there already, or a loop, counts for nothing in the end. */
void draft_join(struct draft *draft, uint32_t from, uint32_t to);

/*
 * Turns a draft into a puzzle whose nodes are numbered at random, as real puzzles come, and frees the
 * draft. A node without an edge is joined to a random other one: LeetCode's puzzles have none.
 */
void draft_finish(struct draft *draft, struct random *random, struct specimen *specimen);

#endif
