/*
 * bench-store: reading stored tables back beside solving them again, for every family; and how soon a
 * restarted daemon answers.
 */
#include <ftw.h>
#include <getopt.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/daemon/server.h"
#include "bench/machine.h"
#include "bench/measure.h"
#include "bench/store/restart.h"
#include "solver/solve.h"

static const char help[] = "bench-store [OPTIONS]\n"
                           "  --rounds N     of each figure, which is their median (5)\n"
                           "  --threads N    of a solve (as many as the solver likes)\n"
                           "  --seed N       of the puzzles (1)\n"
                           "  --folder PATH  on the disk to be measured ($TMPDIR, or /tmp)\n"
                           "  --json FILE    the figures for tools\n";

struct options {
  struct plan plan;
  const char *folder, *json;
};

static const uint32_t sizes[] = {1000, 5000};
static const unsigned restarts[] = {100, 10000, 300000};

static void parse_options(int argc, char **argv, struct options *options)
{
  static const struct option names[] = {
      {"rounds", required_argument, NULL, 'r'},
      {"threads", required_argument, NULL, 't'},
      {"seed", required_argument, NULL, 's'},
      {"folder", required_argument, NULL, 'f'},
      {"json", required_argument, NULL, 'j'},
      {"help", no_argument, NULL, 'h'},
      {0},
  };
  for (int option; (option = getopt_long(argc, argv, "", names, NULL)) != -1;)
    switch (option) {
    case 'r': options->plan.rounds = (unsigned)strtoul(optarg, NULL, 10); break;
    case 't': options->plan.threads = (unsigned)strtoul(optarg, NULL, 10); break;
    case 's': options->plan.seed = strtoull(optarg, NULL, 10); break;
    case 'f': options->folder = optarg; break;
    case 'j': options->json = optarg; break;
    case 'h': fputs(help, stdout); exit(0);
    default: fputs(help, stderr); exit(2);
    }
  if (options->plan.rounds < 1 || options->plan.rounds > ROUNDS_MAX)
    die("--rounds takes 1 to %d", ROUNDS_MAX);
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *at)
{
  (void)status;
  (void)type;
  (void)at;
  return remove(path);
}

/* Calls `measure` with a store's folder of its own, which is removed afterwards. */
static void in_folder(const struct options *options,
                      void (*measure)(const struct options *options, struct store_folder *folder,
                                      unsigned puzzles, json_t *rows),
                      unsigned puzzles, json_t *rows)
{
  char path[PATH_MAX], store[PATH_MAX];
  struct store_folder folder;
  snprintf(path, sizeof path, "%.80s/catmouse-bench-XXXXXX", options->folder);
  if (!mkdtemp(path))
    die("cannot make a folder in %s", options->folder);
  snprintf(store, sizeof store, "%.100s/store", path);
  if (store_folder_init(&folder, store) < 0 || store_folder_open(&folder) < 0)
    die("cannot make %s", store);
  measure(options, &folder, puzzles, rows);
  store_folder_deinit(&folder);
  nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static void measure_tables(const struct options *options, struct store_folder *folder,
                           unsigned puzzles, json_t *rows)
{
  (void)puzzles;
  for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++)
    for (uint32_t i = 0; i < families_count; i++) {
      const struct family *family = &families[i];
      bool fits = family->nodes_max == 0 || sizes[size] <= family->nodes_max;
      if (fits && (family->nodes_fixed == 0 || size == 0))
        tables_measure(&options->plan, folder, family, sizes[size], rows);
    }
}

static void measure_restart(const struct options *options, struct store_folder *folder,
                            unsigned puzzles, json_t *rows)
{
  char cmdaemon[PATH_MAX];
  path_in_build("../daemon/cmdaemon", cmdaemon, sizeof cmdaemon);
  restart_measure(&options->plan, cmdaemon, folder, puzzles, rows);
}

int main(int argc, char **argv)
{
  const char *temporary = getenv("TMPDIR");
  struct options options = {
      .plan = {.rounds = 5, .seed = 1},
      .folder = temporary && *temporary ? temporary : "/tmp",
  };
  parse_options(argc, argv, &options);
  solve_keep_memory(UINT64_MAX);
  struct machine machine;
  machine_describe(&machine);
  machine_print(&machine);
  printf(
      "Medians of %u rounds, seed %llu. \"warm\", \"cold\": reading the table back from the page "
      "cache and from the disk;\n\"puzzle\": reading the puzzle, for who knows its id only; "
      "\"kept\": "
      "what the daemon's rule says; \"zstd\": expanding\nthe table, had it been compressed at "
      "level "
      "1, and how much smaller it would be.\n\n",
      options.plan.rounds, (unsigned long long)options.plan.seed);
  json_t *tables = json_array(), *answers = json_array();
  tables_head();
  in_folder(&options, measure_tables, 0, tables);
  printf("\nFrom starting the daemon, ms:\n%-36s %9s %9s %9s\n", "asked for", "puzzles", "ready",
         "answered");
  for (size_t i = 0; i < sizeof restarts / sizeof *restarts; i++)
    in_folder(&options, measure_restart, restarts[i], answers);
  json_t *json =
      json_pack("{s:s, s:o, s:i, s:o, s:o}", "bench", "store", "machine", machine_json(&machine),
                "rounds", (int)options.plan.rounds, "tables", tables, "restarts", answers);
  if (options.json && json_dump_file(json, options.json, JSON_INDENT(1)) < 0)
    die("cannot write %s", options.json);
  json_decref(json);
}
