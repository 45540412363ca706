/* Rows and streams as a table for people and as JSON for tools. */
#ifndef CATMOUSE_BENCH_SOLVER_REPORT_H
#define CATMOUSE_BENCH_SOLVER_REPORT_H

#include <jansson.h>

#include "bench/solver/row.h"
#include "bench/solver/stream.h"

struct report {
  json_t *rows, *streams; /* arrays, owned */
  uint32_t targets_set, targets_missed;
};

void report_begin(struct report *report, const struct bench_options *options);
void report_row(struct report *report, const struct row *row);
void report_stream(struct report *report, const struct stream *stream);

/* Prints the sum, writes the JSON where `path` isn't NULL, and frees the report. */
void report_end(struct report *report, const struct bench_options *options, const char *path);

#endif
