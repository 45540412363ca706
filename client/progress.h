/* A line on stderr, where that is a terminal, while a solve takes long. */
#ifndef CATMOUSE_CLIENT_PROGRESS_H
#define CATMOUSE_CLIENT_PROGRESS_H

#include <stdint.h>

#include "client/cmclient.h"

struct progress_line {
  uint64_t began_ms;
  uint64_t layers, decided; /* as told last */
  uint64_t changed_ms;      /* when these grew */
  bool shown;
};

/* Is there somebody to show it to? */
bool progress_line_wanted(void);

void progress_line_init(struct progress_line *line);

/* The library's on_progress; `context` is the struct progress_line. */
void progress_line_on_progress(void *context, const struct cm_progress *progress);

/* Erases the line where one is shown: before anything else is said. */
void progress_line_end(struct progress_line *line);

#endif
