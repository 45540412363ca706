/*
 * bench-solver: the solver beside the textbook algorithm and the machine's physical limit, over
 * families and sizes. Human-readable on stdout, JSON with --json.
 */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure.h"
#include "bench/solver/report.h"
#include "bench/solver/summary.h"
#include "bench/solver/worst.h"
#include "solver/solve.h"

enum { SIZES_MAX = 32 };

struct plan {
  struct bench_options options;
  uint32_t sizes[SIZES_MAX], sizes_count;
  const char *families; /* comma-separated names, or NULL for all */
  const char *json;
  bool streams, rows, summary;
};

static const uint32_t stream_sizes[] = {10, 20, 50};

static const char help[] =
    "bench-solver [OPTIONS]\n"
    "  --families A,B   only these (see --list)\n"
    "  --sizes N,N      numbers of nodes (50,200,1000,2000,5000,10000)\n"
    "  --pairs N        rounds of ours beside the textbook (5)\n"
    "  --threads N      of the runs with several threads (2; 1 for none)\n"
    "  --quick          sizes 50 and 1000, 3 rounds\n"
    "  --textbook-max S where one textbook run takes more seconds, one has to do (20)\n"
    "  --no-textbook    ours and the limit alone, unchecked\n"
    "  --no-streams     no streams of small puzzles\n"
    "  --only-streams   nothing else\n"
    "  --cpu            processor time for one-thread runs, on a machine that is busy otherwise\n"
    "  --level NAME     ours with plain, avx2 or avx512 instructions, not the widest there are\n"
    "  --seed N         of the puzzles (1)\n"
    "  --json FILE      the figures for tools\n"
    "  --summary        a small table in Markdown, at two levels: README.md's\n"
    "  --worst          what comes before a solve, on puzzles made to take long there\n"
    "  --list           the families\n";

static void list_families(void)
{
  for (uint32_t i = 0; i < families_count; i++)
    printf("%-12s %s\n", families[i].name, families[i].meaning);
}

static uint32_t parse_number(const char *text, const char *what)
{
  char *end;
  unsigned long number = strtoul(text, &end, 10);
  if (end == text || *end || number == 0 || number > 1000000)
    die("%s: %s is no number from 1 to 1000000", what, text);
  return (uint32_t)number;
}

static void parse_sizes(struct plan *plan, char *list)
{
  plan->sizes_count = 0;
  for (char *size = strtok(list, ","); size && plan->sizes_count < SIZES_MAX;
       size = strtok(NULL, ","))
    plan->sizes[plan->sizes_count++] = parse_number(size, "--sizes");
}

/* Is `name` among the comma-separated `names`? */
static bool name_listed(const char *names, const char *name)
{
  size_t length = strlen(name);
  for (const char *at = names; at; at = strchr(at, ',')) {
    at += *at == ',';
    if (strncmp(at, name, length) == 0 && (at[length] == ',' || !at[length]))
      return true;
  }
  return false;
}

static void check_families(const char *names)
{
  char *copy = strdup(names);
  for (char *name = strtok(copy, ","); name; name = strtok(NULL, ",")) {
    uint32_t at = 0;
    while (at < families_count && strcmp(families[at].name, name) != 0)
      at++;
    if (at == families_count)
      die("no family is called %s; see --list", name);
  }
  free(copy);
}

static enum engine_level parse_level(const char *name)
{
  enum engine_level level = ENGINE_LEVEL_PLAIN;
  while (level <= ENGINE_LEVEL_AVX512 && strcmp(name, engine_level_names[level]) != 0)
    level++;
  if (level > ENGINE_LEVEL_AVX512)
    die("--level: %s is none of plain, avx2 and avx512", name);
  if (!engine_level_works(level))
    die("--level: this machine has no %s", name);
  return level;
}

static void parse_options(int argc, char **argv, struct plan *plan)
{
  static const struct option options[] = {
      {"families", required_argument, NULL, 'f'},
      {"sizes", required_argument, NULL, 'n'},
      {"pairs", required_argument, NULL, 'p'},
      {"threads", required_argument, NULL, 't'},
      {"quick", no_argument, NULL, 'q'},
      {"no-textbook", no_argument, NULL, 'x'},
      {"textbook-max", required_argument, NULL, 'm'},
      {"no-streams", no_argument, NULL, 's'},
      {"only-streams", no_argument, NULL, 'o'},
      {"cpu", no_argument, NULL, 'c'},
      {"level", required_argument, NULL, 'v'},
      {"seed", required_argument, NULL, 'r'},
      {"json", required_argument, NULL, 'j'},
      {"list", no_argument, NULL, 'l'},
      {"summary", no_argument, NULL, 'u'},
      {"worst", no_argument, NULL, 'w'},
      {"help", no_argument, NULL, 'h'},
      {0},
  };
  char quick_sizes[] = "50,1000";
  for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;)
    switch (option) {
    case 'f': check_families(plan->families = optarg); break;
    case 'n': parse_sizes(plan, optarg); break;
    case 'p': plan->options.pairs = parse_number(optarg, "--pairs"); break;
    case 't': plan->options.threads = parse_number(optarg, "--threads"); break;
    case 'q':
      parse_sizes(plan, quick_sizes);
      plan->options.pairs = 3;
      break;
    case 'x': plan->options.no_textbook = true; break;
    case 'm': plan->options.textbook_max_s = parse_number(optarg, "--textbook-max"); break;
    case 's': plan->streams = false; break;
    case 'o': plan->rows = false; break;
    case 'c': plan->options.cpu_time = true; break;
    case 'v': plan->options.forced.level = parse_level(optarg); break;
    case 'r': plan->options.seed = parse_number(optarg, "--seed"); break;
    case 'j': plan->json = optarg; break;
    case 'l': list_families(); exit(0);
    case 'u': plan->summary = true; break;
    case 'w': worst_measure(); exit(0);
    case 'h': fputs(help, stdout); exit(0);
    default: fputs(help, stderr); exit(2);
    }
}

static void run_family(const struct plan *plan, const struct family *family, struct report *report)
{
  struct row last = {0};
  uint32_t sizes = family->nodes_fixed ? 1 : plan->sizes_count;
  for (uint32_t i = 0; i < sizes; i++) {
    struct row row = {
        .family = family,
        .asked_nodes = family->nodes_fixed ? family->nodes_fixed : plan->sizes[i],
    };
    if (family->nodes_max && row.asked_nodes > family->nodes_max)
      continue;
    row_measure(&row, &plan->options);
    if (last.nodes && last.nodes != row.nodes)
      row.growth = log(row.runs[CONTESTANT_OURS].ms / last.runs[CONTESTANT_OURS].ms) /
                   log((double)row.nodes / last.nodes);
    report_row(report, &row);
    last = row;
  }
}

int main(int argc, char **argv)
{
  struct plan plan = {
      .options = {.seed = 1, .pairs = 5, .threads = 2, .textbook_max_s = 20},
      .sizes = {50, 200, 1000, 2000, 5000, 10000},
      .sizes_count = 6,
      .streams = true,
      .rows = true,
  };
  parse_options(argc, argv, &plan);
  solve_keep_memory(UINT64_MAX);
  if (plan.summary) {
    summary_print(&plan.options);
    return 0;
  }
  struct report report;
  report_begin(&report, &plan.options);
  for (uint32_t i = 0; plan.rows && i < families_count; i++)
    if (!plan.families || name_listed(plan.families, families[i].name))
      run_family(&plan, &families[i], &report);
  for (size_t i = 0; plan.streams && i < sizeof stream_sizes / sizeof *stream_sizes; i++) {
    struct stream stream;
    stream_measure(&stream, stream_sizes[i], &plan.options);
    report_stream(&report, &stream);
  }
  report_end(&report, &plan.options, plan.json);
}
