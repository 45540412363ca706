/* How a daemon is to run: what the command line says. The flags, `hello` and `status` go by one table of limits. */
#ifndef CATMOUSE_DAEMON_CONFIG_H
#define CATMOUSE_DAEMON_CONFIG_H

#include "daemon/base/log.h"
#include "proto/limits.h"

/* X(field, flag, default, unit, meaning). The units are those of main.c. */
#define DAEMON_LIMITS(X)                                                                          \
  X(memory_bytes, "memory-max", 4ull << 30, SIZE, "puzzles, tables and solves together")          \
  X(cache_bytes, "cache-max", 4ull << 30, SIZE, "solved puzzles kept in memory")                  \
  X(connections, "connections-max", 10000, N, "connections at once")                              \
  X(waiting_requests, "waiting-max", 512, N, "requests of one connection that wait for a solve")  \
  X(queued_solves, "queue-max", 4096, N, "solves and checks that wait for a thread")              \
  X(unsent_bytes, "unsent-max", 1 << 20, SIZE, "answers one connection may leave unread")         \
  X(unsent_total_bytes, "unsent-total-max", 64 << 20, SIZE, "the same, all connections together") \
  X(unfinished_bytes, "unfinished-max", 256 << 20, SIZE, "half-sent messages, all together")      \
  X(message_ms, "message-time-max", 60000, TIME, "time to send one message in, 0 for ever")       \
  X(unread_ms, "unread-time-max", 60000, TIME, "time to read nothing of an answer, 0 for ever")   \
  X(idle_ms, "idle-time-max", 0, TIME, "time a connection may do nothing, 0 for ever")            \
  X(solve_ms, "solve-time-max", 600000, TIME, "time one solve may take, 0 for ever")              \
  X(keep_ms, "memory-keep", 5000, TIME,                                                           \
    "time for which unneeded memory is kept for the next solve, 0 for not")                       \
  X(spin_us, "spin-max", 100, US, "time to wait for a message awake where quicker, 0 for never")  \
  X(drain_ms, "drain-max", 10000, TIME, "time a shutdown leaves for what was asked")              \
  X(store_bytes, "store-max", 1ull << 30, SIZE, "puzzles kept on disk")                           \
  X(store_puzzles, "store-puzzles", 1000000, N, "puzzles kept on disk")                           \
  X(store_age_days, "store-age", 90, DAYS, "unused for so long they go, 0 for never")             \
  X(store_wait_ms, "store-wait", 80, TIME, "time an answer waits for the disk, 0 for ever")       \
  X(store_retry_ms, "store-retry", 1000, TIME, "until a store that failed is tried again")

struct daemon_limits {
#define X(field, ...) uint64_t field;
  DAEMON_LIMITS(X)
#undef X
};

static const struct daemon_limits daemon_limits_default = {
#define X(field, flag, value, ...) .field = value,
    DAEMON_LIMITS(X)
#undef X
};

/* It must last as long as the process: threads that a disk holds up still read its log when the daemon has gone. */
struct config {
  const char *socket; /* NULL for the usual place */
  const char *store;  /* folder, NULL for the usual place */
  bool no_store;
  struct log log;
  uint64_t idle_exit_ms; /* leave after so long without connections, 0 for never */
  uint64_t threads;      /* that solve, 0 for as many as there are processors */
  int ready_fd;          /* -1, or: told "ready" or why not, then closed */
  struct message_limits messages;
  struct daemon_limits limits;
};

#endif
