/* Lines to stderr, as the journal wants them when it listens there. */
#ifndef CATMOUSE_DAEMON_LOG_H
#define CATMOUSE_DAEMON_LOG_H

#include <stdbool.h>

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

/* The level of that name, or LOG_LEVEL_COUNT. */
enum log_level log_level_by_name(const char *name);

#endif
