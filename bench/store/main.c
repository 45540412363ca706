/* bench-store: what it costs to keep puzzles, in the store alone and through the daemon. */
#include <ftw.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/daemon/server.h"
#include "bench/machine.h"
#include "bench/measure.h"
#include "bench/store/figures.h"
#include "bench/store/measures.h"

static const char help[] =
    "bench-store [OPTIONS]\n"
    "  --rounds N     of each figure of the daemon, which is their median (5)\n"
    "  --puzzles N    in a full store (300000)\n"
    "  --seed N       of the puzzles (1)\n"
    "  --folder PATH  on the disk to be measured ($TMPDIR, or /tmp)\n"
    "  --daemon PATH  the cmdaemon to measure (this build's)\n"
    "  --alone        without the daemon\n"
    "  --variants     other schemas beside the store's, in SQLite alone\n"
    "  --json FILE    the figures for tools\n";

struct options {
  struct plan plan;
  const char *folder, *json;
  bool alone, variants;
};

static void parse_options(int argc, char **argv, struct options *options)
{
  static const struct option names[] = {
      {"rounds", required_argument, NULL, 'r'}, {"puzzles", required_argument, NULL, 'p'},
      {"seed", required_argument, NULL, 's'},   {"folder", required_argument, NULL, 'f'},
      {"daemon", required_argument, NULL, 'd'}, {"alone", no_argument, NULL, 'a'},
      {"variants", no_argument, NULL, 'v'},     {"json", required_argument, NULL, 'j'},
      {"help", no_argument, NULL, 'h'},         {0},
  };
  for (int option; (option = getopt_long(argc, argv, "", names, NULL)) != -1;)
    switch (option) {
    case 'r': options->plan.rounds = (unsigned)strtoul(optarg, NULL, 10); break;
    case 'p': options->plan.puzzles = (unsigned)strtoul(optarg, NULL, 10); break;
    case 's': options->plan.seed = strtoull(optarg, NULL, 10); break;
    case 'f': options->folder = optarg; break;
    case 'd': options->plan.daemon = optarg; break;
    case 'a': options->alone = true; break;
    case 'v': options->variants = true; break;
    case 'j': options->json = optarg; break;
    case 'h': fputs(help, stdout); exit(0);
    default: fputs(help, stderr); exit(2);
    }
  if (options->plan.rounds < 1 || options->plan.rounds > ROUNDS_MAX)
    die("--rounds takes 1 to %d", ROUNDS_MAX);
  if (options->plan.puzzles < 4 * STREAM)
    die("--puzzles takes %d or more", 4 * STREAM);
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *at)
{
  (void)status, (void)type, (void)at;
  return remove(path);
}

int main(int argc, char **argv)
{
  char cmdaemon[PATH_MAX], path[80], store[100];
  const char *temporary = getenv("TMPDIR");
  path_in_build("../daemon/cmdaemon", cmdaemon, sizeof cmdaemon);
  struct options options = {
      .plan = {.daemon = cmdaemon, .rounds = 5, .puzzles = 300000, .seed = 1, .rows = json_array()},
      .folder = temporary && *temporary ? temporary : "/tmp",
  };
  parse_options(argc, argv, &options);
  struct plan *plan = &options.plan;
  snprintf(path, sizeof path, "%.50s/catmouse-bench-XXXXXX", options.folder);
  if (!mkdtemp(path))
    die("cannot make a folder in %s", options.folder);
  snprintf(store, sizeof store, "%s/full", path);
  plan->folder = path;
  struct machine machine;
  struct id ids[2];
  machine_describe(&machine);
  machine_print(&machine);
  printf("Puzzles of %d nodes, streams of %d, a full store of %u. Seed %llu. The daemon's figures "
         "are medians of %u "
         "rounds.\n\n",
         NODES, STREAM, plan->puzzles, (unsigned long long)plan->seed, plan->rounds);
  if (options.variants)
    measure_variants(plan);
  else
    measure_alone(plan, store, ids);
  if (!options.alone && !options.variants) {
    printf("\n");
    measure_start(plan, store, ids);
    measure_solving(plan);
  }
  nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
  json_t *json =
      json_pack("{s:s, s:o, s:i, s:i, s:o}", "bench", "store", "machine", machine_json(&machine),
                "rounds", (int)plan->rounds, "puzzles", (int)plan->puzzles, "figures", plan->rows);
  if (options.json && json_dump_file(json, options.json, JSON_INDENT(1)) < 0)
    die("cannot write %s", options.json);
  json_decref(json);
}
