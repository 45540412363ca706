/* Each command in turn, so that what else the machine does meets all of them. Graphviz is not among them. */
#include "bench/explain/commands.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/command.h"
#include "bench/daemon/server.h"
#include "bench/measure.h"
#include "bench/solver/families.h"
#include "proto/certificate.h"

enum { NODES = 50, SEED = 913, RUNS = 300, WORDS_MAX = 6, COMMANDS_MAX = 8, ARGUMENTS_MAX = 12 };
enum { LARGE_NODES = 5000, LARGE_RUNS = 20 };

static const double ceiling = 2.0;          /* times a query */
static const double large_ceiling_ms = 100; /* of an `explain` that the daemon answers */

struct example {
  const char *what, *family;
  const char
      *commands[COMMANDS_MAX][WORDS_MAX]; /* the first is what the others are compared with */
};

static const struct example examples[] = {
    {"a graph of degree 4",
     "degree4",
     {{"query"}, {"explain"}, {"explain", "--json"}, {"draw"}, {"draw", "--format", "dot"}}},
    {"a grid of 8 x 8",
     "game8-3",
     {{"query"},
      {"explain"},
      {"explain", "--json"},
      {"draw"},
      {"draw", "--format", "svg"},
      {"draw", "--format", "html"}}},
};

/* True where it is a graph. */
static bool write_puzzle(const char *path, const struct family *family, uint32_t nodes)
{
  struct specimen specimen;
  struct arena *arena;
  struct complaint complaint;
  struct buffer json;
  FILE *file = fopen(path, "w");
  family_make(family, nodes, SEED, &specimen);
  if (arena_new(&specimen.puzzle, &arena, &complaint) < 0)
    die("no puzzle: %s", complaint.text);
  buffer_init(&json);
  puzzle_to_json(&json, arena);
  if (!file || json.failed || fwrite(json.data, 1, json.length, file) != json.length ||
      fclose(file) != 0)
    die("cannot write %s", path);
  bool is_graph = arena->game == GAME_GRAPH;
  buffer_deinit(&json);
  arena_free(arena);
  specimen_deinit(&specimen);
  return is_graph;
}

static double run_wall_us(const struct server *server, const char *const words[WORDS_MAX],
                          const char *path)
{
  static char cmclient[PATH_MAX];
  char *arguments[ARGUMENTS_MAX] = {cmclient, "--socket", (char *)server->socket, NULL};
  unsigned count = 3;
  path_in_build("../client/cmclient", cmclient, sizeof cmclient);
  for (unsigned i = 0; i < WORDS_MAX && words[i]; i++)
    arguments[count++] = (char *)words[i];
  arguments[count] = (char *)path;
  return command_run(arguments).wall_us;
}

static void measure(const struct server *server, const struct example *example, const char *path)
{
  static double wall_us[COMMANDS_MAX][RUNS], ratios[COMMANDS_MAX][RUNS];
  unsigned commands = 0;
  while (commands < COMMANDS_MAX && example->commands[commands][0])
    commands++;
  for (unsigned run = 0; run < RUNS; run++) {
    for (unsigned i = 0; i < commands; i++) {
      wall_us[i][run] = run_wall_us(server, example->commands[i], path);
      ratios[i][run] = wall_us[i][run] / wall_us[0][run];
    }
  }
  printf("\n%-26s %9s %14s\n", example->what, "wall us", "beside query");
  for (unsigned i = 0; i < commands; i++) {
    char name[64];
    const char *const *words = example->commands[i];
    snprintf(name, sizeof name, "cmclient %s %s %s", words[0], words[1] ? words[1] : "",
             words[1] && words[2] ? words[2] : "");
    double ratio = median(ratios[i], RUNS);
    printf("%-26s %9.0f %14.2f%s\n", name, median(wall_us[i], RUNS), ratio,
           ratio <= ceiling ? "" : "  missed");
  }
}

/* Families whose puzzles of that size may be sent with a proof: the others have millions of edges. */
static const char *const large[] = {"degree4",   "degree16", "regular3", "grid",   "maze",
                                    "corridors", "tree",     "path",     "chords", "caterpillar"};

static void measure_large(const struct server *server, const struct family *family,
                          const char *path)
{
  static const char *const solve[WORDS_MAX] = {"solve"};
  static const char *const from_start[WORDS_MAX] = {"explain", "--depth", "3"};
  static const char *const from_afar[WORDS_MAX] = {"explain", "--depth", "3", "--state",
                                                   "4000,4500,cat"};
  double start_us[LARGE_RUNS], afar_us[LARGE_RUNS];
  bool is_graph = write_puzzle(path, family, LARGE_NODES);
  run_wall_us(server, solve, path);
  for (unsigned run = 0; run < LARGE_RUNS; run++) {
    start_us[run] = run_wall_us(server, from_start, NULL);
    afar_us[run] = is_graph ? run_wall_us(server, from_afar, NULL) : start_us[run];
  }
  double start_ms = median(start_us, LARGE_RUNS) / 1e3;
  double afar_ms = median(afar_us, LARGE_RUNS) / 1e3;
  printf("%-26s %9.1f %14.1f%s\n", family->name, start_ms, afar_ms,
         start_ms <= large_ceiling_ms && afar_ms <= large_ceiling_ms ? "" : "  missed");
}

void measure_commands(void)
{
  char cmdaemon[PATH_MAX], path[sizeof((struct server *)0)->folder + 16];
  struct server server;
  path_in_build("../daemon/cmdaemon", cmdaemon, sizeof cmdaemon);
  server_start(&server, SERVER_CATMOUSE, cmdaemon);
  setenv("XDG_STATE_HOME", server.folder, 1);
  snprintf(path, sizeof path, "%s/puzzle.json", server.folder);
  printf("\nwhole commands, %d nodes, medians of %d runs in turn; at most %.1f times a query\n",
         NODES, RUNS, ceiling);
  for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
    write_puzzle(path, family_named(examples[i].family), NODES);
    measure(&server, &examples[i], path);
  }
  printf(
      "\ncmclient explain --depth 3 of %d nodes that the daemon has solved, medians of %d runs;\n"
      "whole, or else refused and asked for its beginning; at most %.0f ms\n"
      "%-26s %9s %14s\n",
      LARGE_NODES, LARGE_RUNS, large_ceiling_ms, "family", "start ms", "4000,4500 ms");
  for (size_t i = 0; i < sizeof large / sizeof *large; i++)
    measure_large(&server, family_named(large[i]), path);
  server_stop(&server);
}
