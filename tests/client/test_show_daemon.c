/* The list, the status and the limits as people see them. */
#include "client/show_daemon.h"

#include <string.h>

#include "tests/client/capture.h"
#include "tests/client/client_test.h"

static const struct cm_listed tables[] = {
    {.id = "0123456789abcdef",
     .game = CM_GRID,
     .nodes = 15,
     .age_ms = 3599999,
     .where = CM_ON_DISK},
    {.id = "fedcba9876543210", .nodes = 6, .age_ms = 3, .where = CM_IN_MEMORY},
    {.id = "aaaaaa9876543210", .nodes = 4000000, .age_ms = 7200000, .where = CM_SOLVING},
};

static int show_a_list(void *context)
{
  const struct style style = {.columns = *(const uint32_t *)context};
  struct named named[] = {
      {.id = "fedcba9876543210", .verdict = "draw", .name = "old.json"},
      {.id = "fedcba9876543210", .verdict = "mouse 7", .name = "a very long name of a file.json"}};
  const struct names names = {named, 2};
  show_list(&style, &(struct cm_list){NULL, 0, 0}, &names);
  show_list(&style, &(struct cm_list){tables, 3, 7}, &names);
  return 0;
}

static void test_list(void **state)
{
  struct captured captured;
  uint32_t columns = 40;
  (void)state;
  capture(show_a_list, &columns, &captured);
  assert_string_equal(captured.out, "No puzzle is solved yet.\n"
                                    "id     name       nodes start     used\n"
                                    "012345 grid          15           59 min\n"
                                    "fedcba a very lon     6 mouse 7   now\n"
                                    "aaaaaa graph      4000000 solving   2 h\n"
                                    "and 4 more\n");
  columns = 80;
  capture(show_a_list, &columns, &captured);
  assert_contains(captured.out, "fedcba a very long name of a file.json ");
}

static int show_a_status(void *context)
{
  const enum cm_store_state *state = context;
  static const struct cm_limit limits[] = {{"memory_bytes", 4294967296},
                                           {"solve_ms", 600000},
                                           {"spin_us", 100},
                                           {"store_age_days", 90},
                                           {"connections", 10}};
  const struct cm_status status = {.version = "0.1.0",
                                   .pid = 7,
                                   .uptime_ms = 150000,
                                   .kept_bytes = 4194304,
                                   .draining = true,
                                   .requests = 12,
                                   .hits = 3,
                                   .tables = 1,
                                   .store = {.state = *state,
                                             .folder = "/store",
                                             .error = "the disk is full",
                                             .puzzles = 2,
                                             .bytes = 1234},
                                   .limits = limits,
                                   .limits_count = 5};
  show_status(&status);
  show_limits(&status);
  return 0;
}

static void test_status(void **state)
{
  static const char *const disks[] = {
      [CM_STORE_OFF] = "on disk: nothing is kept\n",
      [CM_STORE_OPENING] = "on disk: it is being looked at\n",
      [CM_STORE_ON] = "on disk: 2 puzzles, 1.2 kB in /store\n",
      [CM_STORE_FAILING] = "on disk: nothing is kept now: the disk is full\n",
  };
  struct captured captured;
  (void)state;
  for (int store = 0; store < 4; store++) {
    enum cm_store_state kind = (enum cm_store_state)store;
    capture(show_a_status, &kind, &captured);
    assert_contains(captured.out, disks[store]);
  }
  assert_contains(captured.out,
                  "cmdaemon 0.1.0, process 7, up for 2 minutes, draining\n"
                  "connections: 0\n"
                  "solves: 0 under way, 0 waiting, 0 done\n"
                  "requests: 12, of these 3 answered from memory\n"
                  "in memory: 1 table, 0 bytes; 4.2 MB kept ready for the next solve\n");
  assert_contains(captured.out, "memory_bytes             4.3 GB\n"
                                "solve_ms                 10 minutes\n"
                                "spin_us                  100 \xc2\xb5s\n"
                                "store_age_days           90 days\n"
                                "connections              10\n");
}

static int show_an_eviction(void *context)
{
  show_evicted(context);
  return 0;
}

static void test_evicted(void **state)
{
  struct captured captured;
  (void)state;
  capture(show_an_eviction, &(struct cm_evicted){2, 1234}, &captured);
  assert_string_equal(captured.out, "Forgot 2 puzzles, 1.2 kB.\n");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_list),
      cmocka_unit_test(test_status),
      cmocka_unit_test(test_evicted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
