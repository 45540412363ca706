/*
 * Summaries of the parts of a stream, added up. A part that is missing, that ran twice, that was interrupted or that
 * answered something else is told, and then there is no sum.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/batch/summary.h"
#include "client/batch/whole_file.h"
#include "client/commands/task.h"

enum { SUMMARY_BYTES_MAX = 1 << 30, TOLD_MAX = 10 };

/* One summary, and the file that it came from. */
struct piece {
  struct summary summary;
  const char *name;
};

struct merge {
  struct task *task;
  struct piece *pieces; /* owned */
  size_t count, room;
  unsigned wrong; /* sentences */
};

static void complain(struct merge *merge, const char *sentence)
{
  if (merge->wrong++ < TOLD_MAX)
    fprintf(stderr, "cmclient: %s\n", sentence);
}

#define COMPLAIN(merge, ...)                          \
  do {                                                \
    char sentence[1024];                              \
    snprintf(sentence, sizeof sentence, __VA_ARGS__); \
    complain(merge, sentence);                        \
  } while (0)

static struct piece *add_piece(struct merge *merge)
{
  if (merge->count == merge->room) {
    size_t room = merge->room ? 2 * merge->room : 64;
    struct piece *more = realloc(merge->pieces, room * sizeof *more);
    if (!more)
      return NULL;
    merge->pieces = more;
    merge->room = room;
  }
  struct piece *piece = &merge->pieces[merge->count];
  *piece = (struct piece){0};
  return tally_init(&piece->summary.tally, 0) ? NULL : piece;
}

/* One summary, on one line. */
static int read_line(struct merge *merge, const char *name, struct json_span line)
{
  struct piece *piece = add_piece(merge);
  if (!piece)
    return task_misuse(merge->task, "out of memory");
  merge->count++;
  piece->name = name;
  int error = summary_read(line, &piece->summary);
  if (error == -EINVAL)
    return task_misuse(merge->task, "%s is no summary of cmclient batch --summary --json", name);
  return error ? task_misuse(merge->task, "out of memory") : 0;
}

static int read_lines(struct merge *merge, const char *name, const struct buffer *text)
{
  const char *at = text->data, *end = text->data + text->length;
  int status = 0;
  if (text->length == 0)
    return task_misuse(merge->task, "%s is empty", name);
  while (at < end && status == 0) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    const char *stop = newline ? newline : end;
    if (stop > at)
      status = read_line(merge, name, (struct json_span){at, (size_t)(stop - at)});
    at = newline ? newline + 1 : end;
  }
  return status;
}

static int read_file(struct merge *merge, const char *name)
{
  struct buffer text;
  buffer_init(&text);
  int error = whole_file_read(name, SUMMARY_BYTES_MAX, &text);
  int status = error ? task_misuse(merge->task, "cannot read %s: %s", name, strerror(-error))
                     : read_lines(merge, name, &text);
  buffer_deinit(&text);
  return status;
}

static int compare_parts(const void *a, const void *b)
{
  const struct part *left = &((const struct piece *)a)->summary.part;
  const struct part *right = &((const struct piece *)b)->summary.part;
  return (left->res > right->res) - (left->res < right->res);
}

static void check_pieces(struct merge *merge)
{
  const struct summary *first = &merge->pieces[0].summary;
  for (size_t i = 0; i < merge->count; i++) {
    const struct piece *piece = &merge->pieces[i];
    if (!piece->summary.complete)
      COMPLAIN(merge, "the run behind %s did not come to its end", piece->name);
    if (strcmp(piece->summary.asked, first->asked) != 0)
      COMPLAIN(merge, "%s answers \"%s\", but %s answers \"%s\"", piece->name, piece->summary.asked,
               merge->pieces[0].name, first->asked);
    if (piece->summary.part.mod != first->part.mod)
      COMPLAIN(merge, "%s is one of %u parts, but %s one of %u", piece->name,
               piece->summary.part.mod, merge->pieces[0].name, first->part.mod);
  }
}

static void check_missing(struct merge *merge, uint32_t from, uint32_t to, uint32_t mod)
{
  if (to == from + 1)
    COMPLAIN(merge, "part %u/%u is missing", from, mod);
  else if (to > from)
    COMPLAIN(merge, "parts %u/%u to %u/%u are missing", from, mod, to - 1, mod);
}

/* Sorted by `res`: each part once. */
static void check_parts(struct merge *merge)
{
  uint32_t mod = merge->pieces[0].summary.part.mod, next = 0;
  for (size_t i = 0; i < merge->count; i++) {
    uint32_t res = merge->pieces[i].summary.part.res;
    if (i > 0 && res == merge->pieces[i - 1].summary.part.res)
      COMPLAIN(merge, "part %u/%u is there twice, in %s and %s", res, mod,
               merge->pieces[i - 1].name, merge->pieces[i].name);
    check_missing(merge, next, res, mod);
    next = res + 1;
  }
  check_missing(merge, next, mod, mod);
}

static int compare_checksums(const void *a, const void *b)
{
  const struct summary *left = &((const struct piece *)a)->summary;
  const struct summary *right = &((const struct piece *)b)->summary;
  if (left->checksum != right->checksum)
    return left->checksum < right->checksum ? -1 : 1;
  return (left->bytes_read > right->bytes_read) - (left->bytes_read < right->bytes_read);
}

static bool read_the_same(const struct piece *a, const struct piece *b)
{
  bool same_part = a->summary.part.mod && a->summary.part.res == b->summary.part.res;
  return !same_part && a->summary.bytes_read > 0 && compare_checksums(a, b) == 0;
}

static void check_checksums(struct merge *merge)
{
  qsort(merge->pieces, merge->count, sizeof *merge->pieces, compare_checksums);
  for (size_t i = 1; i < merge->count; i++) {
    if (read_the_same(&merge->pieces[i - 1], &merge->pieces[i]))
      COMPLAIN(merge, "%s and %s read the same %llu bytes", merge->pieces[i - 1].name,
               merge->pieces[i].name, (unsigned long long)merge->pieces[i].summary.bytes_read);
  }
}

static int print_sum(struct merge *merge)
{
  struct summary sum = {.complete = true};
  struct buffer out;
  uint32_t longest = 0;
  for (size_t i = 0; i < merge->count; i++)
    longest = merge->pieces[i].summary.tally.list.count > longest
                  ? merge->pieces[i].summary.tally.list.count
                  : longest;
  int error = tally_init(&sum.tally, longest);
  for (size_t i = 0; i < merge->count && error == 0; i++) {
    const struct summary *summary = &merge->pieces[i].summary;
    error = tally_add(&sum.tally, &summary->tally);
    sum.bytes_read += summary->bytes_read;
    sum.checksum ^= summary->checksum;
  }
  memcpy(sum.asked, merge->pieces[0].summary.asked, sizeof sum.asked);
  buffer_init(&out);
  if (merge->task->options->json)
    summary_write(&sum, &out);
  else
    tally_print(&sum.tally, &out);
  if (!out.failed)
    fwrite(out.data, 1, out.length, stdout);
  int status = error || out.failed ? task_misuse(merge->task, "out of memory") : EXIT_ANSWERED;
  buffer_deinit(&out);
  tally_deinit(&sum.tally);
  return status;
}

static int check_and_print(struct merge *merge)
{
  qsort(merge->pieces, merge->count, sizeof *merge->pieces, compare_parts);
  check_pieces(merge);
  if (merge->wrong == 0 && merge->pieces[0].summary.part.mod)
    check_parts(merge);
  check_checksums(merge);
  qsort(merge->pieces, merge->count, sizeof *merge->pieces, compare_parts);
  if (merge->wrong > TOLD_MAX)
    fprintf(stderr, "cmclient: and %u more\n", merge->wrong - TOLD_MAX);
  return merge->wrong ? EXIT_REFUSED : print_sum(merge);
}

static int run(struct task *task)
{
  struct merge merge = {.task = task};
  int status = 0;
  for (int i = 0; i < task->arguments_count && status == 0; i++)
    status = read_file(&merge, task->arguments[i]);
  if (status == 0)
    status = check_and_print(&merge);
  for (size_t i = 0; i < merge.count; i++)
    tally_deinit(&merge.pieces[i].summary.tally);
  free(merge.pieces);
  return status;
}

const struct command command_merge = {
    .name = "merge",
    .arguments = "FILE...",
    .arguments_min = 1,
    .arguments_max = INT_MAX,
    .meaning = "add up the summaries of the parts of a stream",
    .details =
        "Each FILE holds what `cmclient batch --summary --json` printed, one or more lines of it.\n"
        "Exit status 1 where a part is missing, ran twice, or was interrupted.",
    .example = "$ cmclient merge <(cmclient batch --summary --json examples/puzzles/graph.json) "
               "<(cmclient batch --summary --json examples/puzzles/graph-list.json)\n"
               "           2 records\n"
               "           2 answers\n"
               "           1 mouse\n"
               "           0 cat\n"
               "           1 draw\n"
               "           0 bad\n"
               "longest win of the mouse: 7 plies, record 1\n"
               "    [[6], [4, 11], [9, 12], [5], [1, 5, 11], [3, 4, 6], [0, 5, 10], [8, 9, 10], "
               "[7], [2, 7, 12], [6, 7], [1, 4], [2, 9]]\n",
    .needs = NEEDS_NO_CLIENT,
    .shared = OPTION(JSON),
    .run = run,
};
