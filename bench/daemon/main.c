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

#include "bench/daemon/busy.h"
#include "bench/daemon/load.h"
#include "bench/daemon/ours.h"
#include "bench/daemon/redis.h"
#include "bench/machine.h"
#include "bench/measure.h"

enum { PAIRS_MAX = 100 };

struct plan {
  unsigned pairs;
  double seconds;
  const char *programs[SERVER_KINDS];
  const char *json;
  bool only_ours; /* for profiles: no peer */
};

struct figures {
  double rate[PAIRS_MAX], p50[PAIRS_MAX], p99[PAIRS_MAX], max[PAIRS_MAX];
};

static const struct load loads[] = {
    {.connections = 1, .depth = 1},
    {.connections = 50, .depth = 1},
    {.connections = 1, .depth = 16},
    {.connections = 50, .depth = 16},
};
static const double rate_floor = 1.0, p99_ceiling = 1.2, busy_p99_ceiling_us = 3000;

static const char help[] = "bench-daemon [OPTIONS]\n"
                           "  --pairs N      runs of ours beside redis for each load (5)\n"
                           "  --seconds S    of each run (1)\n"
                           "  --only-ours    without redis\n"
                           "  --daemon PATH  the cmdaemon to measure (this build's)\n"
                           "  --redis PATH   the redis-server beside it (redis-server)\n"
                           "  --json FILE    the figures for tools\n";

static void keep(struct figures *figures, unsigned at, const struct load_result *result)
{
  figures->rate[at] = result->requests_a_second;
  figures->p50[at] = result->p50_us;
  figures->p99[at] = result->p99_us;
  figures->max[at] = result->max_us;
}

static json_t *report_figures(const char *name, const struct load *load, struct figures *figures,
                              unsigned count)
{
  double rate = median(figures->rate, count), p50 = median(figures->p50, count),
         p99 = median(figures->p99, count), max = median(figures->max, count);
  printf("%-9s %11u %5u %12.0f %9.1f %9.1f %9.1f", name, load->connections, load->depth, rate, p50,
         p99, max);
  return json_pack("{s:s, s:i, s:i, s:f, s:f, s:f, s:f}", "server", name, "connections",
                   (int)load->connections, "depth", (int)load->depth, "requests_a_second", rate,
                   "p50_us", p50, "p99_us", p99, "max_us", max);
}

/* One run of one server, alone. `ours` is made by ours and read by redis. */
static void run_alone(const struct plan *plan, enum server_kind kind, const struct load *load,
                      struct script *ours, struct load_result *result)
{
  struct server server;
  struct script redis;
  server_start(&server, kind, plan->programs[kind]);
  if (kind == SERVER_CATMOUSE) {
    script_deinit(ours);
    ours_script(&server, ours);
    load_run(&server, ours, load, result);
  } else {
    redis_script(&server, ours, &redis);
    load_run(&server, &redis, load, result);
    script_deinit(&redis);
  }
  server_stop(&server);
}

static void compare_under(const struct plan *plan, struct load load, struct script *ours,
                          json_t *rows)
{
  static struct figures figures[SERVER_KINDS];
  double rates[PAIRS_MAX], tails[PAIRS_MAX];
  int kinds = plan->only_ours ? 1 : SERVER_KINDS;
  load.seconds = plan->seconds;
  for (unsigned pair = 0; pair < plan->pairs; pair++) {
    struct load_result results[SERVER_KINDS];
    for (int kind = 0; kind < kinds; kind++) {
      run_alone(plan, kind, &load, ours, &results[kind]);
      keep(&figures[kind], pair, &results[kind]);
    }
    rates[pair] = results[0].requests_a_second / results[kinds - 1].requests_a_second;
    tails[pair] = results[0].p99_us / results[kinds - 1].p99_us;
  }
  double rate = median(rates, plan->pairs), tail = median(tails, plan->pairs);
  for (int kind = 0; kind < kinds; kind++) {
    json_t *row = report_figures(server_names[kind], &load, &figures[kind], plan->pairs);
    if (kind == 0 && !plan->only_ours) {
      printf("  %5.2f %6.2f  %s", rate, tail,
             rate >= rate_floor && tail <= p99_ceiling ? "ok" : "missed");
      json_object_set_new(row, "rate_by_redis", json_real(rate));
      json_object_set_new(row, "p99_by_redis", json_real(tail));
    }
    json_array_append_new(rows, row);
    putchar('\n');
  }
  fflush(stdout);
}

static void measure_busy(const struct plan *plan, struct load load, json_t *rows)
{
  static struct figures figures;
  double tails[PAIRS_MAX];
  load.seconds = plan->seconds;
  for (unsigned run = 0; run < plan->pairs; run++) {
    struct server server;
    struct script script;
    struct busy busy;
    struct load_result result;
    server_start(&server, SERVER_CATMOUSE, plan->programs[SERVER_CATMOUSE]);
    ours_script(&server, &script);
    busy_start(&busy, &server);
    load_run(&server, &script, &load, &result);
    busy_stop(&busy);
    keep(&figures, run, &result);
    tails[run] = result.p99_us;
    script_deinit(&script);
    server_stop(&server);
  }
  json_t *row = report_figures("solving", &load, &figures, plan->pairs);
  json_array_append_new(rows, row);
  printf("                %s\n",
         median(tails, plan->pairs) <= busy_p99_ceiling_us ? "ok" : "missed");
  fflush(stdout);
}

static void parse_options(int argc, char **argv, struct plan *plan)
{
  static const struct option options[] = {
      {"pairs", required_argument, NULL, 'p'}, {"seconds", required_argument, NULL, 's'},
      {"only-ours", no_argument, NULL, 'o'},   {"daemon", required_argument, NULL, 'd'},
      {"redis", required_argument, NULL, 'r'}, {"json", required_argument, NULL, 'j'},
      {"help", no_argument, NULL, 'h'},        {0},
  };
  for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;)
    switch (option) {
    case 'p': plan->pairs = (unsigned)strtoul(optarg, NULL, 10); break;
    case 's': plan->seconds = strtod(optarg, NULL); break;
    case 'o': plan->only_ours = true; break;
    case 'd': plan->programs[SERVER_CATMOUSE] = optarg; break;
    case 'r': plan->programs[SERVER_REDIS] = optarg; break;
    case 'j': plan->json = optarg; break;
    case 'h': fputs(help, stdout); exit(0);
    default: fputs(help, stderr); exit(2);
    }
  if (plan->pairs < 1 || plan->pairs > PAIRS_MAX || !(plan->seconds > 0))
    die("--pairs takes 1 to %d, --seconds more than 0", PAIRS_MAX);
}

int main(int argc, char **argv)
{
  char cmdaemon[PATH_MAX];
  path_in_build("../daemon/cmdaemon", cmdaemon, sizeof cmdaemon);
  struct plan plan = {.pairs = 5, .seconds = 1, .programs = {cmdaemon, "redis-server"}};
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
  for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
    compare_under(&plan, loads[i], &ours, rows);
  printf("\nWhile every core solves, at most %.0f us at p99:\n", busy_p99_ceiling_us);
  measure_busy(&plan, loads[0], rows);
  measure_busy(&plan, loads[1], rows);
  printf("\nAnswers of %.0f bytes.\n", script_answer_bytes(&ours));
  json_t *json = json_pack("{s:s, s:o, s:i, s:f, s:f, s:o}", "bench", "daemon", "machine",
                           machine_json(&machine), "pairs", (int)plan.pairs, "seconds",
                           plan.seconds, "answer_bytes", script_answer_bytes(&ours), "rows", rows);
  script_deinit(&ours);
  if (plan.json && json_dump_file(json, plan.json, JSON_INDENT(1)) < 0)
    die("cannot write %s", plan.json);
  json_decref(json);
}
