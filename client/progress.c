/* Shown once half a second is over; as short as the terminal is narrow, since a second line stays behind. */
#include "client/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "client/terminal.h"

enum { PATIENCE_MS = 500, LINE_MAX_BYTES = 128 };

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

void progress_line_on_progress(void *context, const struct cm_progress *progress)
{
  struct progress_line *line = context;
  uint64_t passed_ms = now_ms() - line->began_ms;
  uint64_t states = progress->states ? progress->states : 1;
  uint32_t columns = terminal_columns(STDERR_FILENO);
  char words[LINE_MAX_BYTES];
  if (passed_ms < PATIENCE_MS)
    return;
  snprintf(words, sizeof words,
           "solving: %" PRIu64 "%% decided, %" PRIu64 " plies deep, %" PRIu64 " s",
           progress->decided * 100 / states, progress->layers, passed_ms / 1000);
  fprintf(stderr, "\r\033[K%.*s", columns ? (int)columns - 1 : LINE_MAX_BYTES, words);
  line->shown = true;
}

void progress_line_end(struct progress_line *line)
{
  if (line->shown)
    fputs("\r\033[K", stderr);
  line->shown = false;
}
