/* What the daemon may use, once: the flags of the command line, `hello` and `status` go by this table. */
#ifndef CATMOUSE_DAEMON_LIMITS_H
#define CATMOUSE_DAEMON_LIMITS_H

#include <stdint.h>

#include "proto/limits.h"
#include "proto/result.h"

/* X(field, flag, default, unit, meaning) */
#define DAEMON_LIMITS(X)                                                                           \
  X(memory_bytes, "memory-max", 4ull << 30, "BYTES", "puzzles, tables and solves together")        \
  X(cache_bytes, "cache-max", 4ull << 30, "BYTES", "solved puzzles kept in memory")                \
  X(connections, "connections-max", 10000, "N", "connections at once")                             \
  X(waiting_requests, "waiting-max", 256, "N", "requests of one connection that wait for a solve") \
  X(queued_solves, "queue-max", 4096, "N", "solves and checks that wait for a thread")             \
  X(unsent_bytes, "unsent-max", 1 << 20, "BYTES", "answers one connection may leave unread")       \
  X(unsent_total_bytes, "unsent-total-max", 64 << 20, "BYTES",                                     \
    "the same, all connections together")                                                          \
  X(unfinished_bytes, "unfinished-max", 256 << 20, "BYTES", "half-sent messages, all together")    \
  X(message_ms, "message-time-max", 60000, "MS", "time to send one message in, 0 for ever")        \
  X(unread_ms, "unread-time-max", 60000, "MS", "time to read nothing of an answer, 0 for ever")    \
  X(idle_ms, "idle-time-max", 0, "MS", "time a connection may do nothing, 0 for ever")             \
  X(solve_ms, "solve-time-max", 600000, "MS", "time one solve may take, 0 for ever")               \
  X(keep_ms, "memory-keep", 5000, "MS",                                                            \
    "time for which unneeded memory is kept for the next solve, 0 for not")                        \
  X(spin_us, "spin-max", 100, "US", "time to wait for a message awake where quicker, 0 for never") \
  X(drain_ms, "drain-max", 10000, "MS", "time a shutdown leaves for what was asked")               \
  X(store_bytes, "store-max", 1ull << 30, "BYTES", "puzzles kept on disk")                         \
  X(store_puzzles, "store-puzzles", 1000000, "N", "puzzles kept on disk")                          \
  X(store_age_days, "store-age", 90, "DAYS", "unused for so long they go, 0 for never")            \
  X(store_retry_ms, "store-retry", 10000, "MS", "until a store that failed is tried again")

struct daemon_limits {
#define X(field, ...) uint64_t field;
  DAEMON_LIMITS(X)
#undef X
};

extern const struct daemon_limits daemon_limits_default;

enum {
  LIMITS_COUNT = (sizeof(struct message_limits) + sizeof(struct daemon_limits)) / sizeof(uint64_t)
};

/* Both kinds by name, as `hello` and `status` show them. */
void limits_name(const struct message_limits *messages, const struct daemon_limits *limits,
                 struct named_limit named[static LIMITS_COUNT]);

/* A number of bytes, or of milliseconds, as people say it: "4.3 GB", "9.2 s". In `words`, which is returned. */
enum { LIMIT_WORDS = 32 };
const char *limit_bytes_words(uint64_t bytes, char words[static LIMIT_WORDS]);
const char *limit_ms_words(uint64_t time_ms, char words[static LIMIT_WORDS]);

#endif
