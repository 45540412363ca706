/* What the engine chooses by itself, and what may be forced instead. */
#ifndef CATMOUSE_SOLVER_ENGINE_ENGINE_OPTIONS_H
#define CATMOUSE_SOLVER_ENGINE_ENGINE_OPTIONS_H

#include <stdbool.h>

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

/* Is the table stored through the caches, or past them (table_writer.c)? */
enum engine_output {
  ENGINE_OUTPUT_AUTO,
  ENGINE_OUTPUT_CACHED,
  ENGINE_OUTPUT_STREAMED,
};

/* How verdict() is computed. */
enum engine_verdict {
  ENGINE_VERDICT_AUTO,
  ENGINE_VERDICT_REGISTER, /* at most 16 nodes: verdict_register.c */
  ENGINE_VERDICT_WORDS,    /* small.c */
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

#endif
