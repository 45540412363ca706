/*
 * A pair is a run of each server, alone and freshly started. Rates, latencies and ratios are medians
 * over the pairs.
 */
#include "bench/daemon/compare.h"

#include <stdio.h>

#include "bench/daemon/busy.h"
#include "bench/daemon/ours.h"
#include "bench/daemon/redis.h"
#include "bench/measure.h"

struct figures {
  double rate[PAIRS_MAX], p50[PAIRS_MAX], p99[PAIRS_MAX], max[PAIRS_MAX];
};

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

void compare_under(const struct plan *plan, struct load load, struct script *ours, json_t *rows)
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

void compare_busy(const struct plan *plan, struct load load, json_t *rows)
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
