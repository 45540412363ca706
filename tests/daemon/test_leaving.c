/* What a daemon leaves behind where its disk does not answer: threads that end with the process. */
#include <fcntl.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/daemon/daemon_thread.h"
#include "tests/support/wrap.h"

static struct {
  struct daemon_thread daemon;
  struct daemon_limits limits;
  atomic_bool has_left;
  sem_t locking; /* posted when the store begins to wait for its lock */
  sem_t told;    /* posted when a thread that was left has written a line */
} tested;

WRAPPED(void, log_line, const struct log *log, enum log_level level, const char *format, ...);

WRAPPED(int, flock, int fd, int operation);

int __wrap_flock(int fd, int operation)
{
  if (!(operation & LOCK_NB)) /* else it is the socket's */
    sem_post(&tested.locking);
  return __real_flock(fd, operation);
}

/* A thread that was left stays: what it has is its own to the end. */
void __wrap_log_line(const struct log *log, enum log_level level, const char *format, ...)
{
  __real_log_line(log, level, "%s", format);
  if (!atomic_load(&tested.has_left))
    return;
  assert_ptr_equal(log, &tested.daemon.config.log);
  sem_post(&tested.told);
  for (;;)
    pause();
}

/* The store waits for the lock of its folder, and finds there what it has to tell of. */
static int lock_store(void)
{
  char path[64];
  assert_int_equal(mkdir(tested.daemon.store, 0700), 0);
  int folder = open(tested.daemon.store, O_RDONLY | O_DIRECTORY);
  assert_true(folder >= 0);
  assert_int_equal(__real_flock(folder, LOCK_EX), 0);
  snprintf(path, sizeof path, "%s/puzzles.db", tested.daemon.store);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  assert_true(fputs("no database", file) >= 0);
  assert_int_equal(fclose(file), 0);
  return folder;
}

CASE(a_thread_that_was_left_can_write_to_the_log)
{
  daemon_thread_stop(&tested.daemon);
  tested.daemon.config.no_store = false;
  int folder = lock_store();
  daemon_thread_start(&tested.daemon);
  sem_wait(&tested.locking);
  daemon_thread_expect(&tested.daemon, "{\"id\":1,\"method\":\"status\"}\n", "\"opening\"");
  daemon_thread_stop(&tested.daemon);
  atomic_store(&tested.has_left, true);
  assert_int_equal(close(folder), 0);
  sem_wait(&tested.told);
}

static int start(void **state)
{
  tested.limits = daemon_limits_default;
  tested.limits.drain_ms = 1;
  tested.daemon.limits = &tested.limits;
  sem_init(&tested.locking, 0, 0);
  sem_init(&tested.told, 0, 0);
  return daemon_thread_setup(state);
}

static int stop(void **state)
{
  return daemon_thread_remove_folder(*state);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      DAEMON_TEST(a_thread_that_was_left_can_write_to_the_log, start, stop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
