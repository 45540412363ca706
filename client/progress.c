/* Shown once half a second is over; as short as the terminal is narrow, since a second line stays behind. */
#include "client/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "client/terminal.h"
#include "client/words.h"
#include "proto/units.h"

enum { PATIENCE_MS = 500, WRITING_MS = 400, LINE_MAX_BYTES = 128 };

static uint64_t now_ms(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

bool progress_line_wanted(void)
{
  return isatty(STDERR_FILENO);
}

void progress_line_init(struct progress_line *line)
{
  *line = (struct progress_line){.began_ms = now_ms()};
}

/* What is decided grows layer by layer; once no layer comes any more, the table is being written. */
static bool is_writing(struct progress_line *line, const struct cm_progress *progress, uint64_t now)
{
  if (progress->layers != line->layers || progress->decided != line->decided) {
    line->layers = progress->layers;
    line->decided = progress->decided;
    line->changed_ms = now;
  }
  return now - line->changed_ms >= WRITING_MS && progress->layers > 0;
}

void progress_line_on_progress(void *context, const struct cm_progress *progress)
{
  struct progress_line *line = context;
  const uint64_t now = now_ms(), passed_ms = now - line->began_ms;
  uint32_t columns = terminal_columns(STDERR_FILENO);
  char words[LINE_MAX_BYTES], passed[WORDS_MAX];
  const bool writing = is_writing(line, progress, now);
  if (passed_ms < PATIENCE_MS)
    return;
  time_words(passed_ms, passed);
  if (writing)
    snprintf(words, sizeof words, "solving: writing the table, %.20s", passed);
  else
    snprintf(words, sizeof words,
             "solving: deciding, %" PRIu64 " plies deep, %" PRIu64 " states, %.20s",
             progress->layers, progress->decided, passed);
  fprintf(stderr, "\r\033[K%.*s", columns ? (int)columns - 1 : LINE_MAX_BYTES, words);
  line->shown = true;
}

void progress_line_end(struct progress_line *line)
{
  if (line->shown)
    fputs("\r\033[K", stderr);
  line->shown = false;
}
