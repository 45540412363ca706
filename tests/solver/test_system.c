/* What the system lets this process use. */
#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "solver/system.h"

static char folder[] = "/tmp/catmouse-system-XXXXXX";

static const char *in_folder(const char *name)
{
  static char path[sizeof folder + 64];
  snprintf(path, sizeof path, "%s%s", folder, name);
  return path;
}

static void write_text(const char *name, const char *text)
{
  FILE *file = fopen(in_folder(name), "w");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
}

static unsigned bound(void)
{
  char membership[sizeof folder + 64];
  strcpy(membership, in_folder("/membership"));
  return system_group_processors(membership, folder);
}

static int make_folder(void **state)
{
  (void)state;
  return !mkdtemp(folder) || mkdir(in_folder("/outer"), 0700) < 0 ||
         mkdir(in_folder("/outer/inner"), 0700) < 0;
}

static int remove_folder(void **state)
{
  (void)state;
  const char *const names[] = {"/outer/inner/cpu.max", "/outer/cpu.max", "/cpu.max", "/membership"};
  for (size_t at = 0; at < sizeof names / sizeof names[0]; at++)
    unlink(in_folder(names[at]));
  rmdir(in_folder("/outer/inner"));
  rmdir(in_folder("/outer"));
  return rmdir(folder);
}

static void test_no_group(void **state)
{
  (void)state;
  assert_int_equal(bound(), 0);
  write_text("/membership", "4:cpu,cpuacct:/outer\n");
  assert_int_equal(bound(), 0);
}

static void test_share_of_a_group(void **state)
{
  (void)state;
  write_text("/membership", "4:memory:/else\n0::/outer/inner\n");
  assert_int_equal(bound(), 0);
  write_text("/outer/inner/cpu.max", "max 100000\n");
  assert_int_equal(bound(), 0);
  write_text("/outer/inner/cpu.max", "250000 100000\n");
  assert_int_equal(bound(), 3);
  write_text("/outer/inner/cpu.max", "200000 100000\n");
  assert_int_equal(bound(), 2);
  write_text("/outer/inner/cpu.max", "1000 100000\n");
  assert_int_equal(bound(), 1);
}

static void test_least_share_of_the_groups_around(void **state)
{
  (void)state;
  write_text("/outer/inner/cpu.max", "400000 100000\n");
  write_text("/outer/cpu.max", "300000 100000\n");
  assert_int_equal(bound(), 3);
  write_text("/cpu.max", "150000 100000\n");
  assert_int_equal(bound(), 2);
  write_text("/membership", "0::/\n");
  assert_int_equal(bound(), 2);
}

static void test_what_is_no_share(void **state)
{
  (void)state;
  write_text("/cpu.max", "");
  assert_int_equal(bound(), 0);
  write_text("/cpu.max", "100000 0\n");
  assert_int_equal(bound(), 0);
  write_text("/cpu.max", "18446744073709551615 1\n");
  assert_int_equal(bound(), 0);
}

static void test_processors_that_threads_may_run_on(void **state)
{
  (void)state;
  cpu_set_t all, one;
  assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
  assert_in_range(system_processors(), 1, CPU_COUNT(&all));
  CPU_ZERO(&one);
  for (int processor = 0; CPU_COUNT(&one) == 0; processor++)
    if (CPU_ISSET(processor, &all))
      CPU_SET(processor, &one);
  assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
  assert_int_equal(system_processors(), 1);
  assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_no_group),
      cmocka_unit_test(test_share_of_a_group),
      cmocka_unit_test(test_least_share_of_the_groups_around),
      cmocka_unit_test(test_what_is_no_share),
      cmocka_unit_test(test_processors_that_threads_may_run_on),
  };
  return cmocka_run_group_tests_name("system", tests, make_folder, remove_folder);
}
