/* Lines to stderr, as the journal wants them when it listens there. */
#ifndef CATMOUSE_DAEMON_BASE_LOG_H
#define CATMOUSE_DAEMON_BASE_LOG_H

#include <stdbool.h>
#include <stdint.h>

/* X(constant, name, the journal's number) */
#define LOG_LEVELS(X)   \
  X(ERROR, "error", 3)  \
  X(WARNING, "warn", 4) \
  X(INFO, "info", 6)    \
  X(DEBUG, "debug", 7)

enum log_level {
#define X(constant, ...) LOG_##constant,
  LOG_LEVELS(X)
#undef X
      LOG_LEVEL_COUNT
};

struct log {
  enum log_level level; /* what lies beyond is not written */
  bool journal;         /* each line begins with its level, as in sd-daemon(3) */
};

/* Looks whether stderr is the journal (JOURNAL_STREAM). */
void log_init(struct log *log, enum log_level level);

/* One line, printf style, without the newline. */
void log_line(const struct log *log, enum log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* When a kind of line that peers could bring about without end was written last, and how often it was not since. */
struct log_rate {
  uint64_t next_ms;
  unsigned left_out;
};

/* As log_line() at LOG_WARNING, but once a second at most: the next line says how many were left out. */
void log_seldom(const struct log *log, struct log_rate *rate, uint64_t now_ms, const char *format,
                ...) __attribute__((format(printf, 4, 5)));

/* The level of that name, or LOG_LEVEL_COUNT. */
enum log_level log_level_by_name(const char *name);

#endif
