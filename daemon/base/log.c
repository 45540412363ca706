/* Each line is one write, so that lines of several processes don't mix. */
#include "daemon/base/log.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
  const char *name;
  int journal;
} levels[] = {
#define X(constant, name, journal) {name, journal},
    LOG_LEVELS(X)
#undef X
};

void log_init(struct log *log, enum log_level level)
{
  const char *stream = getenv("JOURNAL_STREAM");
  uintmax_t device, inode;
  struct stat status;
  *log = (struct log){.level = level};
  log->journal = stream && sscanf(stream, "%ju:%ju", &device, &inode) == 2 &&
                 fstat(STDERR_FILENO, &status) == 0 && status.st_dev == device &&
                 status.st_ino == inode;
}

/* Texts of peers and names of files may hold anything: a line stays one line, and moves no cursor. */
static void log_arguments(const struct log *log, enum log_level level, const char *format,
                          va_list arguments)
{
  char line[1024] = "";
  if (level > log->level)
    return;
  int length = log->journal ? snprintf(line, sizeof(line), "<%d>", levels[level].journal)
                            : snprintf(line, sizeof(line), "cmdaemon: %s: ", levels[level].name);
  vsnprintf(line + length, sizeof(line) - 1 - (size_t)length, format, arguments);
  size_t end = 0;
  for (; line[end]; end++)
    if (iscntrl((unsigned char)line[end]))
      line[end] = '?';
  line[end] = '\n';
  ssize_t written = write(STDERR_FILENO, line, end + 1);
  (void)written; /* there is nowhere else to complain */
}

void log_line(const struct log *log, enum log_level level, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  log_arguments(log, level, format, arguments);
  va_end(arguments);
}

void log_seldom(const struct log *log, struct log_rate *rate, uint64_t now_ms, const char *format,
                ...)
{
  enum { INTERVAL_MS = 1000 };
  if (now_ms < rate->next_ms) {
    rate->left_out++;
    return;
  }
  rate->next_ms = now_ms + INTERVAL_MS;
  if (rate->left_out > 0)
    log_line(log, LOG_WARNING, "%u lines like the next were left out", rate->left_out);
  rate->left_out = 0;
  va_list arguments;
  va_start(arguments, format);
  log_arguments(log, LOG_WARNING, format, arguments);
  va_end(arguments);
}

enum log_level log_level_by_name(const char *name)
{
  int level = 0;
  while (level < LOG_LEVEL_COUNT && strcmp(levels[level].name, name) != 0)
    level++;
  return (enum log_level)level;
}
