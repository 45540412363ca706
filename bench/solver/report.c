/* Prints each row as it comes; JSON is collected and written at the end. */
#include "bench/solver/report.h"

#include <stdio.h>

#include "bench/machine.h"
#include "bench/measure.h"
#include "bench/solver/targets.h"

void report_begin(struct report *report, const struct bench_options *options)
{
  *report = (struct report){.rows = json_array(), .streams = json_array()};
  struct machine machine;
  machine_describe(&machine);
  machine_print(&machine);
  printf("Medians of %u rounds, seed %llu, %s. \"x textbook\": times faster than the textbook; "
         "\"x limit\": times the physical limit;\n",
         options->pairs, (unsigned long long)options->seed,
         options->cpu_time ? "processor time" : "wall time");
  if (options->threads > 1)
    printf(
        "\"x thr\": one thread's time by that of %u; \"x apart\": what %u solves at once, of one "
        "thread each, get done in the time of one;\n",
        options->threads, options->threads);
  printf(
      "\"B/state\": the peak of memory; \"stop\": the longest from the stop flag to the end of a "
      "solve;\n\"verify\": proving the table right; \"growth\": time grows with n to this "
      "power.\n\n");
  if (options->forced.level)
    printf("Ours with %s.\n\n", engine_level_names[options->forced.level]);
  printf("%-12s %6s %12s %2s %10s %9s %10s %7s %7s %7s %7s %7s %7s %9s %6s  %s\n", "family", "n",
         "states", "w", "ours ms", "ns/state", "x textbook", "x limit", "x thr", "x apart", "plies",
         "B/state", "stop ms", "verify ms", "growth", "targets");
}

/* A figure, or a dash where it was not measured. */
static void print_figure(int width, int digits, double figure)
{
  if (figure == 0)
    printf(" %*s", width, "-");
  else
    printf(" %*.*f", width, digits, figure);
}

static void print_row(const struct row *row, const struct verdict_on_row *verdict)
{
  printf("%-12s %6u %12llu %2u", row->family->name, row->nodes, (unsigned long long)row->states,
         row->width);
  double ours_ms = row->runs[CONTESTANT_OURS].ms;
  print_figure(10, ours_ms < 10 ? 4 : 1, ours_ms);
  print_figure(9, 2, ours_ms * 1e6 / (double)row->states);
  print_figure(10, 1, row->runs[CONTESTANT_TEXTBOOK].ratio);
  print_figure(7, 1, row->runs[CONTESTANT_LIMIT].ratio);
  print_figure(7, 2, row->runs[CONTESTANT_THREADS].ratio);
  print_figure(7, 2, row->runs[CONTESTANT_APART].ratio);
  printf(" %7u", row->longest_plies);
  print_figure(7, 2, row->peak_bytes);
  print_figure(7, 1, row->stop_ms);
  print_figure(9, 0, row->verify_ms);
  print_figure(6, 2, row->growth);
  printf("  %s\n", verdict->text);
  fflush(stdout);
}

static const char *const contestant_names[CONTESTANTS] = {
    [CONTESTANT_OURS] = "ours",   [CONTESTANT_THREADS] = "threads",   [CONTESTANT_APART] = "apart",
    [CONTESTANT_LIMIT] = "limit", [CONTESTANT_TEXTBOOK] = "textbook",
};

/* Those that ran, by name. */
static json_t *runs_json(const struct row *row)
{
  json_t *json = json_object();
  for (int i = 0; i < CONTESTANTS; i++)
    if (row->runs[i].count)
      json_object_set_new(json, contestant_names[i],
                          json_pack("{s:I, s:f, s:f}", "count", (json_int_t)row->runs[i].count,
                                    "ms", row->runs[i].ms, "ratio", row->runs[i].ratio));
  return json;
}

static json_t *row_json(const struct row *row, const struct verdict_on_row *verdict)
{
  return json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:o, s:f, s:f, s:f, s:f, s:I, s:s}", "family",
                   row->family->name, "asked_nodes", (json_int_t)row->asked_nodes, "nodes",
                   (json_int_t)row->nodes, "states", (json_int_t)row->states, "width",
                   (json_int_t)row->width, "longest_plies", (json_int_t)row->longest_plies, "runs",
                   runs_json(row), "peak_bytes_a_state", row->peak_bytes, "stop_ms", row->stop_ms,
                   "verify_ms", row->verify_ms, "growth", row->growth, "targets_missed",
                   (json_int_t)verdict->missed, "targets", verdict->text);
}

void report_row(struct report *report, const struct row *row)
{
  struct verdict_on_row verdict;
  targets_check(row, &verdict);
  report->targets_set += verdict.set;
  report->targets_missed += verdict.missed;
  print_row(row, &verdict);
  json_array_append_new(report->rows, row_json(row, &verdict));
}

void report_stream(struct report *report, const struct stream *stream)
{
  if (json_array_size(report->streams) == 0)
    printf("\nStreams of random graphs of average degree 4, one thread, from puzzle to arena, id "
           "and table:\n%6s %12s %12s\n",
           "n", "solves/s", "us/solve");
  printf("%6u %12.0f %12.2f\n", stream->nodes, stream->solves_a_second,
         1e6 / stream->solves_a_second);
  json_array_append_new(report->streams, json_pack("{s:I, s:f}", "nodes", (json_int_t)stream->nodes,
                                                   "solves_a_second", stream->solves_a_second));
}

void report_end(struct report *report, const struct bench_options *options, const char *path)
{
  printf("\n%u of %u targets reached.\n", report->targets_set - report->targets_missed,
         report->targets_set);
  struct machine machine;
  machine_describe(&machine);
  json_t *json = json_pack("{s:s, s:o, s:I, s:I, s:I, s:b, s:s, s:o, s:o}", "bench", "solver",
                           "machine", machine_json(&machine), "seed", (json_int_t)options->seed,
                           "rounds", (json_int_t)options->pairs, "threads",
                           (json_int_t)options->threads, "processor_time", options->cpu_time,
                           "level", engine_level_names[options->forced.level], "rows", report->rows,
                           "streams", report->streams);
  if (path && json_dump_file(json, path, JSON_INDENT(1)) < 0)
    die("cannot write %s", path);
  json_decref(json);
}
