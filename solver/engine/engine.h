/*
 * The engine behind solve(), with every choice it makes open to be forced. For tests and bench.
 */
#ifndef CATMOUSE_SOLVER_ENGINE_ENGINE_H
#define CATMOUSE_SOLVER_ENGINE_ENGINE_H

#include <stdbool.h>

#include "solver/solve.h"
#include "solver/verdict.h"

enum engine_level {
  ENGINE_LEVEL_AUTO,
  ENGINE_LEVEL_PLAIN,
  ENGINE_LEVEL_AVX2,
  ENGINE_LEVEL_AVX512,
};

enum engine_size {
  ENGINE_SIZE_AUTO,
  ENGINE_SIZE_SMALL, /* at most 64 nodes */
  ENGINE_SIZE_LARGE,
};

/* How "all moves of the loser lead in" is found; each way is a file, forall_*.c. */
enum engine_forall {
  ENGINE_FORALL_AUTO,
  ENGINE_FORALL_LISTS,  /* rows, move lists only */
  ENGINE_FORALL_SHIFTS, /* rows, shift plan only */
  ENGINE_FORALL_TILES,
  ENGINE_FORALL_UNION,
};

enum engine_exists {
  ENGINE_EXISTS_AUTO,
  ENGINE_EXISTS_PUSH,
  ENGINE_EXISTS_PULL,
};

enum engine_order {
  ENGINE_ORDER_AUTO,
  ENGINE_ORDER_KEEP,
  ENGINE_ORDER_RENUMBER,
};

/* Is the table stored through the caches, or past them (stream.h)? */
enum engine_output {
  ENGINE_OUTPUT_AUTO,
  ENGINE_OUTPUT_CACHED,
  ENGINE_OUTPUT_STREAMED,
};

/* All zero is what solve() uses. */
struct engine_options {
  enum engine_level level;
  enum engine_size size;
  enum engine_forall forall;
  enum engine_exists exists;
  enum engine_order order;
  enum engine_output output;
  bool share_always; /* two threads, where asked for, at any size and for every step */
};

/* "auto", "plain", ... */
extern const char *const engine_level_names[];

/* Can this machine run it? */
bool engine_level_works(enum engine_level level);

/* solve(), forced. A level that this machine lacks or a size that does not fit is an assert. */
int engine_solve(const struct arena *arena, const struct solve_options *options,
                 const struct engine_options *forced, struct table **table);

/* How verdict() is computed; each way is a file, verdict_*.c. */
enum engine_verdict {
  ENGINE_VERDICT_AUTO,
  ENGINE_VERDICT_REGISTER, /* at most 16 nodes */
  ENGINE_VERDICT_WORDS,
};

/* verdict(), forced. A level that this machine lacks or a way that does not fit is an assert. */
struct table_value engine_verdict(const struct set_arena *sets, enum engine_level level,
                                  enum engine_verdict way);

#endif
