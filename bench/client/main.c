/*
 * bench-client: whole runs of `cmclient query`, from spawn to exit, beside `redis-cli GET`, both against
 * a server that is up already.
 */
#include <getopt.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/command.h"
#include "bench/daemon/ours.h"
#include "bench/daemon/redis.h"
#include "bench/machine.h"
#include "bench/measure.h"
#include "bench/solver/families.h"

enum { RUNS_MAX = 10000, NODES = 50, SEED = 913 };

struct plan {
  unsigned runs;
  const char *programs[SERVER_KINDS], *servers[SERVER_KINDS];
  const char *json;
};

struct figures {
  double wall_us[RUNS_MAX], cpu_us[RUNS_MAX];
};

static const double ceiling = 1.0;

static const char help[] = "bench-client [OPTIONS]\n"
                           "  --runs N          of each command, in turn (500)\n"
                           "  --client PATH     the cmclient to measure (this build's)\n"
                           "  --daemon PATH     its cmdaemon (this build's)\n"
                           "  --redis-cli PATH  the command beside it (redis-cli)\n"
                           "  --redis PATH      its server (redis-server)\n"
                           "  --json FILE       the figures for tools\n";

static void time_command(char *const arguments[], struct figures *figures, unsigned at)
{
  struct command_time time = command_run(arguments);
  figures->wall_us[at] = time.wall_us;
  figures->cpu_us[at] = time.cpu_us;
}

static void run_commands(const struct plan *plan, const struct server servers[SERVER_KINDS],
                         const char *id, struct figures figures[SERVER_KINDS])
{
  char *const ours[] = {(char *)plan->programs[SERVER_CATMOUSE],
                        "--socket",
                        (char *)servers[SERVER_CATMOUSE].socket,
                        "query",
                        "--state",
                        "1,2,mouse",
                        "--id",
                        (char *)id,
                        NULL};
  char *const redis[] = {(char *)plan->programs[SERVER_REDIS],
                         "-s",
                         (char *)servers[SERVER_REDIS].socket,
                         "GET",
                         "value:0",
                         NULL};
  for (unsigned i = 0; i < plan->runs; i++) {
    time_command(ours, &figures[SERVER_CATMOUSE], i);
    time_command(redis, &figures[SERVER_REDIS], i);
  }
}

static void prepare_servers(const struct plan *plan, struct server servers[SERVER_KINDS],
                            char id[static ID_TEXT + 1])
{
  struct script ours, redis;
  struct specimen specimen;
  for (int kind = 0; kind < SERVER_KINDS; kind++)
    server_start(&servers[kind], kind, plan->servers[kind]);
  ours_script(&servers[SERVER_CATMOUSE], &ours);
  redis_script(&servers[SERVER_REDIS], &ours, &redis);
  script_deinit(&ours);
  script_deinit(&redis);
  family_make(&families[0], NODES, SEED, &specimen);
  int fd = server_connect(&servers[SERVER_CATMOUSE]);
  ours_solve(fd, &specimen.puzzle, id);
  close(fd);
  specimen_deinit(&specimen);
}

static json_t *report(const struct plan *plan, struct figures figures[SERVER_KINDS])
{
  static const char *const names[] = {"cmclient query", "redis-cli GET"};
  double *ratios = need_memory(plan->runs, sizeof *ratios);
  for (unsigned i = 0; i < plan->runs; i++)
    ratios[i] = figures[0].wall_us[i] / figures[1].wall_us[i];
  double ratio = median(ratios, plan->runs);
  free(ratios);
  json_t *rows = json_array();
  printf("%-15s %9s %9s %9s\n", "command", "wall us", "p99 us", "cpu us");
  for (int kind = 0; kind < SERVER_KINDS; kind++) {
    double wall = median(figures[kind].wall_us, plan->runs);
    double p99 = figures[kind].wall_us[plan->runs * 99 / 100];
    double cpu = median(figures[kind].cpu_us, plan->runs);
    printf("%-15s %9.0f %9.0f %9.0f\n", names[kind], wall, p99, cpu);
    json_array_append_new(rows, json_pack("{s:s, s:f, s:f, s:f}", "command", names[kind], "wall_us",
                                          wall, "p99_us", p99, "cpu_us", cpu));
  }
  printf("\ncmclient by redis-cli: %.2f, at most %.1f: %s\n", ratio, ceiling,
         ratio <= ceiling ? "ok" : "missed");
  return json_pack("{s:o, s:f}", "rows", rows, "by_redis_cli", ratio);
}

static void parse_options(int argc, char **argv, struct plan *plan)
{
  static const struct option options[] = {
      {"runs", required_argument, NULL, 'n'},   {"client", required_argument, NULL, 'c'},
      {"daemon", required_argument, NULL, 'd'}, {"redis-cli", required_argument, NULL, 'l'},
      {"redis", required_argument, NULL, 'r'},  {"json", required_argument, NULL, 'j'},
      {"help", no_argument, NULL, 'h'},         {0},
  };
  for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;)
    switch (option) {
    case 'n': plan->runs = (unsigned)strtoul(optarg, NULL, 10); break;
    case 'c': plan->programs[SERVER_CATMOUSE] = optarg; break;
    case 'l': plan->programs[SERVER_REDIS] = optarg; break;
    case 'd': plan->servers[SERVER_CATMOUSE] = optarg; break;
    case 'r': plan->servers[SERVER_REDIS] = optarg; break;
    case 'j': plan->json = optarg; break;
    case 'h': fputs(help, stdout); exit(0);
    default: fputs(help, stderr); exit(2);
    }
  if (plan->runs < 1 || plan->runs > RUNS_MAX)
    die("--runs takes 1 to %d", RUNS_MAX);
}

int main(int argc, char **argv)
{
  char cmdaemon[PATH_MAX], cmclient[PATH_MAX], id[ID_TEXT + 1];
  path_in_build("../daemon/cmdaemon", cmdaemon, sizeof cmdaemon);
  path_in_build("../client/cmclient", cmclient, sizeof cmclient);
  struct plan plan = {
      .runs = 500,
      .programs = {cmclient, "redis-cli"},
      .servers = {cmdaemon, "redis-server"},
  };
  parse_options(argc, argv, &plan);
  struct machine machine;
  machine_describe(&machine);
  machine_print(&machine);
  printf("Medians of %u runs of each, in turn.\n\n", plan.runs);
  struct server servers[SERVER_KINDS];
  struct figures *figures = need_memory(SERVER_KINDS, sizeof *figures);
  prepare_servers(&plan, servers, id);
  run_commands(&plan, servers, id, figures);
  for (int kind = 0; kind < SERVER_KINDS; kind++)
    server_stop(&servers[kind]);
  json_t *json = report(&plan, figures);
  json_object_set_new(json, "machine", machine_json(&machine));
  if (plan.json && json_dump_file(json, plan.json, JSON_INDENT(1)) < 0)
    die("cannot write %s", plan.json);
  json_decref(json);
  free(figures);
}
