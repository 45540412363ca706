/*
 * bench-batch: whole runs of `cmclient batch --summary`, as a user starts them. Beside them on the same streams the
 * textbook solver, in one thread as well; and all connected graphs of so many nodes from nauty's geng, beside what
 * geng alone takes to make them.
 */
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/daemon/server.h"
#include "bench/machine.h"
#include "bench/measure.h"
#include "bench/random.h"
#include "bench/solver/textbook.h"
#include "client/batch/read.h"
#include "proto/buffer.h"
#include "solver/arena.h"

enum { RUNS_MAX = 100, SIDE = 8, DEGREE = 4, SIX_BITS = 63 };

struct plan {
  unsigned runs;
  uint32_t puzzles, geng_nodes;
  const char *client;
};

static const double ceiling = 3.0;

static const char help[] = "bench-batch [OPTIONS]\n"
                           "  --runs N       of each, in turn (15)\n"
                           "  --puzzles N    in each stream (20000)\n"
                           "  --nodes N      of the graphs that geng makes (9)\n"
                           "  --client PATH  the cmclient to measure (this build's)\n";

/* A shell's command from its start to its end, in nanoseconds. */
static double time_shell(const char *command)
{
  uint64_t begin = wall_ns();
  int status = system(command); /* NOLINT(cert-env33-c): a pipe as its user writes it */
  if (status != 0)
    die("failed: %s", command);
  return (double)(wall_ns() - begin);
}

static void append_six(struct buffer *text, uint64_t bits)
{
  char byte = (char)(SIX_BITS + (bits & SIX_BITS));
  buffer_append(text, &byte, 1);
}

/* A tree, and edges up to the degree, as graph6. */
static void append_graph(struct buffer *text, struct random *random, uint32_t nodes)
{
  uint64_t linked[64] = {0};
  for (uint32_t edge = 1; edge < nodes * DEGREE / 2; edge++) {
    uint32_t a = edge < nodes ? edge : random_below(random, nodes);
    uint32_t b = edge < nodes ? random_below(random, edge) : random_below(random, nodes);
    if (a != b)
      linked[a > b ? a : b] |= UINT64_C(1) << (a > b ? b : a);
  }
  if (nodes < SIX_BITS)
    append_six(text, nodes);
  else { /* 64 is 0, 1, 0 in three times 6 bits */
    buffer_append(text, "~?", 2);
    append_six(text, nodes >> 6);
    append_six(text, nodes);
  }
  uint64_t bits = 0;
  unsigned have = 0;
  for (uint32_t b = 1; b < nodes; b++) {
    for (uint32_t a = 0; a < b; a++) {
      bits = bits << 1 | (linked[b] >> a & 1);
      if (++have < 6)
        continue;
      append_six(text, bits);
      bits = have = 0;
    }
  }
  if (have)
    append_six(text, bits << (6 - have));
  buffer_append(text, "\n", 1);
}

/* LeetCode's largest grid, a fifth of it walls, as JSON. */
static void append_grid(struct buffer *text, struct random *random)
{
  enum { CELLS = SIDE * SIDE };
  char cells[CELLS + 1], line[3 * CELLS];
  int length = snprintf(line, sizeof line, "{\"grid\":[");
  for (unsigned cell = 0; cell < CELLS; cell++)
    cells[cell] = random_below(random, 5) ? '.' : '#';
  for (unsigned mark = 0; mark < 3; mark++)
    cells[mark * (CELLS / 3) + random_below(random, CELLS / 3)] = "MCF"[mark];
  for (unsigned row = 0; row < SIDE; row++)
    length += snprintf(line + length, sizeof line - (size_t)length, "%s\"%.*s\"", row ? "," : "",
                       SIDE, cells + row * SIDE);
  length +=
      snprintf(line + length, sizeof line - (size_t)length, "],\"catJump\":%u,\"mouseJump\":%u}\n",
               1 + random_below(random, 3), 1 + random_below(random, 3));
  buffer_append(text, line, (size_t)length);
}

static struct arena *arena_of(struct item *item)
{
  uint32_t first[VERDICT_NODES_MAX + 1], count = 0;
  int32_t neighbour[VERDICT_NODES_MAX * VERDICT_NODES_MAX];
  for (uint32_t node = 0; item->is_sets && node < item->nodes; node++) {
    first[node] = count;
    for (uint64_t left = item->neighbours[node]; left; left &= left - 1)
      neighbour[count++] = __builtin_ctzll(left);
  }
  if (item->is_sets) {
    first[item->nodes] = count;
    item->puzzle = (struct puzzle){GAME_GRAPH, .graph = {item->nodes, first, neighbour}};
  }
  struct arena *arena;
  struct complaint complaint;
  if (arena_new(&item->puzzle, &arena, &complaint) < 0)
    die("a puzzle of a stream: %s", complaint.text);
  return arena;
}

/* The same stream through the textbook's queue, reading included. Nanoseconds. */
static double time_textbook(const struct buffer *text)
{
  struct item item;
  struct record record;
  const char *at = text->data, *end = at + text->length;
  uint64_t begin = wall_ns();
  item_init(&item);
  while (record_next(&at, end, true, RECORD_AUTO, &record) == RECORD_FOUND) {
    struct textbook textbook;
    if (!item_read(&item, &record))
      die("a record of a stream: %s", item.bad);
    struct arena *arena = arena_of(&item);
    if (textbook_solve(arena, &textbook) < 0)
      die("out of memory");
    textbook_deinit(&textbook);
    arena_free(arena);
  }
  item_deinit(&item);
  return (double)(wall_ns() - begin);
}

static void write_stream(const struct buffer *text, char path[static 64])
{
  snprintf(path, 64, "/tmp/catmouse-bench-XXXXXX");
  int file = mkstemp(path);
  if (file < 0 || text->failed || write(file, text->data, text->length) != (ssize_t)text->length)
    die("cannot write %s", path);
  close(file);
}

/* `nodes` 0: grids. */
static void measure_stream(const struct plan *plan, uint32_t nodes)
{
  struct random random = {nodes + 1};
  struct buffer text;
  char path[64], one[PATH_MAX + 128], all[PATH_MAX + 128];
  double times[3][RUNS_MAX];
  buffer_init(&text);
  for (uint32_t i = 0; i < plan->puzzles; i++) {
    if (nodes)
      append_graph(&text, &random, nodes);
    else
      append_grid(&text, &random);
  }
  write_stream(&text, path);
  snprintf(one, sizeof one, "'%s' batch --threads 1 --summary %s >/dev/null", plan->client, path);
  snprintf(all, sizeof all, "'%s' batch --summary %s >/dev/null", plan->client, path);
  for (unsigned run = 0; run < plan->runs; run++) {
    times[0][run] = time_shell(all);
    times[1][run] = time_shell(one);
    times[2][run] = time_textbook(&text);
  }
  double rates[3];
  for (int i = 0; i < 3; i++)
    rates[i] = plan->puzzles / median(times[i], plan->runs) * 1e9;
  char name[16];
  snprintf(name, sizeof name, nodes ? "%u nodes" : "grid 8x8", nodes);
  printf("%-10s %14.0f %14.0f %14.0f %8.1f\n", name, rates[0], rates[1], rates[2],
         rates[1] / rates[2]);
  unlink(path);
  buffer_deinit(&text);
}

static void measure_geng(const struct plan *plan)
{
  char alone[128], through[PATH_MAX + 128];
  double times[2][RUNS_MAX], ratios[RUNS_MAX];
  snprintf(alone, sizeof alone, "nauty-geng -q -c %u >/dev/null", plan->geng_nodes);
  snprintf(through, sizeof through, "nauty-geng -q -c %u | '%s' batch --summary >/dev/null",
           plan->geng_nodes, plan->client);
  if (system("command -v nauty-geng >/dev/null") != 0) { /* NOLINT(cert-env33-c) */
    puts("\nnauty-geng is not there (Debian's package nauty), so nothing is measured beside it.");
    return;
  }
  for (unsigned run = 0; run < plan->runs; run++) {
    times[0][run] = time_shell(alone);
    times[1][run] = time_shell(through);
    ratios[run] = times[1][run] / times[0][run];
  }
  double ratio = median(ratios, plan->runs);
  printf("\nnauty-geng -c %u alone %.0f ms, through cmclient batch --summary %.0f ms; the median "
         "of the ratios %.2f, "
         "at most %.0f: %s\n",
         plan->geng_nodes, median(times[0], plan->runs) / 1e6, median(times[1], plan->runs) / 1e6,
         ratio, ceiling, ratio <= ceiling ? "ok" : "missed");
}

static void parse_options(int argc, char **argv, struct plan *plan)
{
  static const struct option options[] = {
      {"runs", required_argument, NULL, 'r'},  {"puzzles", required_argument, NULL, 'p'},
      {"nodes", required_argument, NULL, 'n'}, {"client", required_argument, NULL, 'c'},
      {"help", no_argument, NULL, 'h'},        {0},
  };
  for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;)
    switch (option) {
    case 'r': plan->runs = (unsigned)strtoul(optarg, NULL, 10); break;
    case 'p': plan->puzzles = (uint32_t)strtoul(optarg, NULL, 10); break;
    case 'n': plan->geng_nodes = (uint32_t)strtoul(optarg, NULL, 10); break;
    case 'c': plan->client = optarg; break;
    case 'h': fputs(help, stdout); exit(0);
    default: fputs(help, stderr); exit(2);
    }
  if (plan->runs < 1 || plan->runs > RUNS_MAX || plan->puzzles < 1)
    die("--runs takes 1 to %d, --puzzles 1 and more", RUNS_MAX);
}

int main(int argc, char **argv)
{
  static const uint32_t sizes[] = {6, 9, 12, 16, 17, 24, 32, 50, 64, 0};
  char cmclient[PATH_MAX];
  struct machine machine;
  struct plan plan = {.runs = 15, .puzzles = 20000, .geng_nodes = 9, .client = cmclient};
  path_in_build("../client/cmclient", cmclient, sizeof cmclient);
  parse_options(argc, argv, &plan);
  machine_describe(&machine);
  machine_print(&machine);
  printf("Puzzles a second, whole runs on %u of them; medians of %u runs of each, in turn.\n\n",
         plan.puzzles, plan.runs);
  printf("%-10s %14s %14s %14s %8s\n", "", "all cores", "one thread", "textbook", "x");
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    measure_stream(&plan, sizes[i]);
  measure_geng(&plan);
}
