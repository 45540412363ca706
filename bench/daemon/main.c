/*
 * bench-daemon: cached queries of cmdaemon beside GETs of redis-server, each alone on a Unix socket,
 * under the same load; and cached queries while every core solves.
 */
#include <getopt.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/daemon/compare.h"
#include "bench/machine.h"
#include "bench/measure.h"

static const struct load usual_loads[] = {
    {.connections = 1, .depth = 1},
    {.connections = 50, .depth = 1},
    {.connections = 1, .depth = 16},
    {.connections = 50, .depth = 16},
};
enum { USUAL_LOADS = sizeof usual_loads / sizeof *usual_loads };

static const char help[] =
    "bench-daemon [OPTIONS]\n"
    "  --pairs N      runs of ours beside redis for each load (25)\n"
    "  --seconds S    of each run (0.4)\n"
    "  --load C,D     C connections, each sending D requests at once (1,1 50,1\n"
    "                 1,16 50,16); may be given again\n"
    "  --only-ours    without redis\n"
    "  --no-busy      not while every core solves\n"
    "  --daemon PATH  the cmdaemon to measure (this build's)\n"
    "  --redis PATH   the redis-server beside it (redis-server)\n"
    "  --json FILE    the figures for tools\n";

static void add_load(struct plan *plan, const char *text)
{
  struct load load = {0};
  if (sscanf(text, "%u,%u", &load.connections, &load.depth) != 2 || load.connections == 0 ||
      load.depth == 0 || SCRIPT_EXCHANGES % load.depth != 0)
    die("--load %s: takes connections and a depth that divides %d", text, SCRIPT_EXCHANGES);
  if (plan->loads_count == LOADS_MAX)
    die("--load may be given %d times", LOADS_MAX);
  plan->loads[plan->loads_count++] = load;
}

static void parse_options(int argc, char **argv, struct plan *plan)
{
  static const struct option options[] = {
      {"pairs", required_argument, NULL, 'p'}, {"seconds", required_argument, NULL, 's'},
      {"only-ours", no_argument, NULL, 'o'},   {"load", required_argument, NULL, 'l'},
      {"no-busy", no_argument, NULL, 'b'},     {"daemon", required_argument, NULL, 'd'},
      {"redis", required_argument, NULL, 'r'}, {"json", required_argument, NULL, 'j'},
      {"help", no_argument, NULL, 'h'},        {0},
  };
  for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;)
    switch (option) {
    case 'p': plan->pairs = (unsigned)strtoul(optarg, NULL, 10); break;
    case 's': plan->seconds = strtod(optarg, NULL); break;
    case 'l': add_load(plan, optarg); break;
    case 'o': plan->only_ours = true; break;
    case 'b': plan->no_busy = true; break;
    case 'd': plan->programs[SERVER_CATMOUSE] = optarg; break;
    case 'r': plan->programs[SERVER_REDIS] = optarg; break;
    case 'j': plan->json = optarg; break;
    case 'h': fputs(help, stdout); exit(0);
    default: fputs(help, stderr); exit(2);
    }
  if (plan->pairs < 1 || plan->pairs > PAIRS_MAX || !(plan->seconds > 0))
    die("--pairs takes 1 to %d, --seconds more than 0", PAIRS_MAX);
  if (plan->loads_count == 0)
    for (; plan->loads_count < USUAL_LOADS; plan->loads_count++)
      plan->loads[plan->loads_count] = usual_loads[plan->loads_count];
}

int main(int argc, char **argv)
{
  char cmdaemon[PATH_MAX];
  path_in_build("../daemon/cmdaemon", cmdaemon, sizeof cmdaemon);
  struct plan plan = {.pairs = 25, .seconds = 0.4, .programs = {cmdaemon, "redis-server"}};
  parse_options(argc, argv, &plan);
  struct machine machine;
  machine_describe(&machine);
  machine_print(&machine);
  printf("Medians of %u runs of %g s. Ours: cached `query` of a 50-node puzzle by id, every move "
         "ranked; redis: GET of values\nas large as these answers. \"rate\", \"p99\": ours by "
         "redis, at least %.1f and at most %.1f.\n\n",
         plan.pairs, plan.seconds, rate_floor, p99_ceiling);
  printf("%-9s %11s %5s %12s %9s %9s %9s  %5s %6s\n", "server", "connections", "depth",
         "requests/s", "p50 us", "p99 us", "max us", "rate", "p99");
  json_t *rows = json_array();
  struct script ours;
  script_init(&ours);
  for (unsigned i = 0; i < plan.loads_count; i++)
    compare_under(&plan, plan.loads[i], &ours, rows);
  if (!plan.no_busy) {
    printf("\nWhile every core solves, at most %.0f us at p99:\n", busy_p99_ceiling_us);
    compare_busy(&plan, usual_loads[0], rows);
    compare_busy(&plan, usual_loads[1], rows);
  }
  printf("\nAnswers of %.0f bytes.\n", script_answer_bytes(&ours));
  json_t *json = json_pack("{s:s, s:o, s:i, s:f, s:f, s:o}", "bench", "daemon", "machine",
                           machine_json(&machine), "pairs", (int)plan.pairs, "seconds",
                           plan.seconds, "answer_bytes", script_answer_bytes(&ours), "rows", rows);
  script_deinit(&ours);
  if (plan.json && json_dump_file(json, plan.json, JSON_INDENT(1)) < 0)
    die("cannot write %s", plan.json);
  json_decref(json);
}
