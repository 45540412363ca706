/* One row of the report: a family at a size, measured in processes of its own. */
#ifndef CATMOUSE_BENCH_SOLVER_ROW_H
#define CATMOUSE_BENCH_SOLVER_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/solver/families.h"
#include "solver/engine/engine.h"

struct bench_options {
  uint64_t seed;
  uint32_t pairs;        /* ours beside the textbook, at least this often */
  uint32_t threads;      /* of the runs with several threads; below 2 for none */
  double textbook_max_s; /* where one textbook run takes longer, one has to do */
  bool cpu_time; /* one-thread runs by processor time, for machines that are busy otherwise */
  bool no_textbook;
  struct engine_options forced; /* what ours has to do without a choice */
};

enum contestant {
  CONTESTANT_OURS,    /* one thread */
  CONTESTANT_THREADS, /* as many as the options say, on one solve */
  CONTESTANT_APART,   /* as many, each on a solve of its own: what the processors have to give */
  CONTESTANT_LIMIT,   /* of the machine: the table written once, the moves read once */
  CONTESTANT_TEXTBOOK,
  CONTESTANTS,
};

/* All 0 where there were none. */
struct runs {
  uint32_t count;
  double ms;    /* the median of all rounds */
  double ratio; /* likewise, of ours' time to theirs; of the textbook's to ours */
};

struct row {
  const struct family *family;
  uint32_t asked_nodes; /* the size asked for */
  uint32_t nodes;       /* the size it came to */
  uint64_t states;
  uint32_t width;         /* bytes a cell */
  uint32_t longest_plies; /* of any state */
  struct runs runs[CONTESTANTS];
  double peak_bytes; /* held while solving, a state; 0 where the table is too small to tell */
  double stop_ms;    /* the longest that a solve went on once stopped; 0 likewise */
  double verify_ms;  /* of verify() on the table, in processor time; 0 likewise */
  double growth;     /* exponent of n since the family's last size; 0 where there is none */
};

/*
 * Measures family and sizes given in `row` and fills in the rest. Every run of ours, with one thread
 * and with several, is checked against the textbook's table state by state; a difference ends the
 * bench.
 */
void row_measure(struct row *row, const struct bench_options *options);

#endif
