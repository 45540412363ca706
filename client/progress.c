/* Shown once half a second is over, where stderr is a terminal. */
#include "client/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_MS = 500 };

static uint64_t now_ms(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void progress_line_init(struct progress_line *line)
{
  *line = (struct progress_line){.began_ms = now_ms()};
}

void progress_line_on_progress(void *context, const struct cm_progress *progress)
{
  struct progress_line *line = context;
  uint64_t states = progress->states ? progress->states : 1;
  if (!isatty(STDERR_FILENO) || now_ms() - line->began_ms < PATIENCE_MS)
    return;
  fprintf(stderr, "\r\033[Ksolving: %" PRIu64 "%% decided, %" PRIu64 " plies deep",
          progress->decided * 100 / states, progress->layers);
  line->shown = true;
}

void progress_line_end(struct progress_line *line)
{
  if (line->shown)
    fputs("\r\033[K", stderr);
  line->shown = false;
}
