/* What each method answers, as C structs. result_shapes.c packs, reads and documents them. */
#ifndef CATMOUSE_PROTO_RESULT_H
#define CATMOUSE_PROTO_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/limits.h"
#include "solver/answer.h"
#include "solver/id.h"
#include "solver/stats.h"

/* Texts and lists are borrowed by whoever encodes, and owned by the response when decoded. */

struct named_limit {
  const char *name;
  uint64_t value;
};

struct result_hello {
  const char *name; /* "catmouse" */
  const char *version;
  uint32_t protocol;
  const char *const *methods;
  uint32_t methods_count;
  const struct named_limit *limits; /* a map on the wire */
  uint32_t limits_count;
};

enum source {
  SOURCE_MEMORY,
  SOURCE_SOLVED,
};

struct result_start {
  struct state state;
  enum outcome outcome;
  uint32_t plies; /* PLIES_NONE is null on the wire */
};

struct result_solve {
  char id[ID_TEXT + 1];
  enum game game;
  uint32_t nodes;
  uint64_t states;
  uint64_t bytes; /* of the table */
  enum source source;
  uint64_t solve_us; /* what the solve took when it was done */
  struct result_start start;
};

/* What solve, query and line answer where `wait_ms` ran out first. */
struct result_solving {
  char id[ID_TEXT + 1];
};

struct result_query {
  char id[ID_TEXT + 1];
  struct state state;
  enum outcome outcome;
  uint32_t plies;
  bool over;
  uint32_t best; /* node, null on the wire where there is no move */
  bool has_best;
  const struct ranked_move *moves; /* best first */
  uint32_t moves_count;
  uint32_t cols; /* of a grid; 0 for a graph, whose answer has no such key */
};

struct result_line {
  char id[ID_TEXT + 1];
  struct state state;
  enum outcome outcome;
  uint32_t plies;
  const uint32_t *moves;
  uint32_t moves_count;
  enum line_end end;
  uint32_t cols; /* as in struct result_query */
};

struct result_explain {
  char id[ID_TEXT + 1];
  bool whole;              /* false: the beginning of a proof, which proves nothing */
  const char *certificate; /* MessagePack, see certificate.h */
  uint32_t certificate_bytes;
};

struct outcome_counts {
  uint64_t mouse;
  uint64_t cat;
  uint64_t endless; /* nobody forces the end */
};

struct result_stats {
  char id[ID_TEXT + 1];
  enum game game;
  uint32_t nodes;
  uint64_t states; /* that can be asked about */
  struct outcome_counts mouse_to_move;
  struct outcome_counts cat_to_move;
  struct longest_win longest_mouse; /* plies and state are null where this player never wins */
  struct longest_win longest_cat;
  const uint64_t *mouse_histogram; /* states the mouse wins in 0, 1, 2... plies */
  uint32_t mouse_histogram_count;
  const uint64_t *cat_histogram;
  uint32_t cat_histogram_count;
  uint32_t cols; /* as in struct result_query */
};

/* The first fault: what the table holds there and what the state's successors say. */
struct table_fault {
  struct state state;
  struct table_value stored;
  struct table_value proper;
};

struct result_verify {
  char id[ID_TEXT + 1];
  bool correct;
  uint64_t checked;
  uint64_t faults;
  struct table_fault first; /* null on the wire where correct */
  uint32_t cols;            /* as in struct result_query */
};

/* How far a solve has come. */
struct progress {
  uint64_t layers; /* plies deep the analysis has come */
  uint64_t decided;
  uint64_t states;
};

/* Where a puzzle lies. */
enum place_kind {
  PLACE_MEMORY,  /* with its table; the puzzle may be on disk, too */
  PLACE_DISK,    /* the puzzle alone, which is solved again when asked for */
  PLACE_SOLVING, /* nowhere yet: it is being solved, or waits for that */
};

struct listed_table {
  char id[ID_TEXT + 1];
  enum game game;
  uint32_t nodes;
  uint64_t bytes;      /* in memory */
  uint64_t disk_bytes; /* on disk; 0 unless PLACE_DISK */
  uint64_t hits;
  uint64_t age_ms; /* since it was last asked for */
  enum place_kind where;
  struct progress progress; /* null on the wire unless PLACE_SOLVING */
};

struct result_list {
  const struct listed_table *tables; /* those in memory first, then most recently used first */
  uint32_t tables_count;
  uint64_t total; /* puzzles there are, listed or not */
};

/* Of evict and clear. */
struct result_evict {
  uint64_t evicted; /* puzzles */
  uint64_t bytes;
};

enum store_state {
  STORE_OFF,
  STORE_OPENING, /* what it holds is not known yet */
  STORE_ON,
  STORE_FAILING, /* nothing is kept, until it works again */
};

struct store_status {
  enum store_state state;
  const char *folder; /* empty where off */
  const char *error;  /* why it fails, else empty */
  uint64_t puzzles;
  uint64_t bytes;
  uint64_t unkept;  /* puzzles that wait to be written */
  uint64_t damaged; /* databases set aside, and puzzles dropped, because of damage */
};

struct result_status {
  const char *version;
  uint64_t pid;
  uint64_t uptime_ms;
  uint64_t connections;
  uint64_t jobs_running;
  uint64_t jobs_queued;
  uint64_t requests;
  uint64_t hits; /* answered from a table at hand */
  uint64_t misses;
  uint64_t solves;
  uint64_t tables;
  uint64_t bytes;      /* of these tables and their arenas */
  uint64_t kept_bytes; /* left by solves for the next */
  bool draining;
  struct store_status store;
  const struct named_limit *limits;
  uint32_t limits_count;
};

struct result_cancel {
  bool cancelled;
};

struct result_shutdown {
  uint64_t pending; /* requests still to be answered */
};

#endif
