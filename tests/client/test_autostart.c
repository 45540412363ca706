/* Which program is started, by whom, and what is said when it does not come up. */
#include "client/autostart.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/client/client_test.h"
#include "tests/client/folder.h"

static struct cm_client *opened(const struct folder *folder, uint32_t timeout_ms)
{
  struct cm_client *client;
  const struct cm_options options = {
      .socket = folder->socket, .daemon = folder->file, .timeout_ms = timeout_ms};
  assert_int_equal(cm_open(&options, &client), 0);
  return client;
}

/* The program `script` stands for the daemon. */
static void assert_start_fails(const struct folder *folder, const char *script,
                               const char *sentence)
{
  folder_write(folder, script, 0700);
  struct cm_client *client = opened(folder, 0);
  assert_int_equal(cm_ping(client), -ECONNREFUSED);
  assert_contains(cm_error(client), sentence);
  cm_close(client);
}

static void test_daemon_that_says_why_not(void **state)
{
  assert_start_fails(*state, "#!/bin/sh\necho 'no luck today' >&3\n",
                     "did not start: no luck today");
}

static void test_daemon_that_says_nothing(void **state)
{
  struct folder *folder = *state;
  char sentence[256];
  snprintf(sentence, sizeof sentence, "did not start; see %s.log", folder->socket);
  assert_start_fails(folder, "#!/bin/sh\nexit 1\n", sentence);
}

/* What it wrote last says more than that it ended; the log goes on where the daemon before it stopped. */
static void test_daemon_that_only_logs(void **state)
{
  struct folder *folder = *state;
  char path[300], line[64] = "";
  assert_start_fails(folder, "#!/bin/sh\necho first >&2\nexit 1\n", "did not start: first; see ");
  assert_start_fails(folder, "#!/bin/sh\necho second >&2\nexit 1\n", "did not start: second; see ");
  assert_start_fails(folder, "#!/bin/sh\nexit 1\n", "did not start; see ");
  snprintf(path, sizeof path, "%s.log", folder->socket);
  FILE *log = fopen(path, "r");
  assert_non_null(fgets(line, sizeof line, log));
  fclose(log);
  assert_string_equal(line, "first\n");
}

static void test_daemon_that_talks_on(void **state)
{
  assert_start_fails(*state, "#!/bin/sh\nprintf '%0999d' 7 >&3\n", "did not start: 000");
}

static void test_daemon_that_cannot_be_executed(void **state)
{
  assert_start_fails(*state, "#!/nonexistent/interpreter\n",
                     "did not start: it cannot be executed");
}

static void test_program_that_is_none(void **state)
{
  struct folder *folder = *state;
  folder_write(folder, "", 0600);
  struct cm_client *client = opened(folder, 0);
  assert_int_equal(cm_ping(client), -ECONNREFUSED);
  assert_contains(cm_error(client), "file is no program to start");
  cm_close(client);
}

static void test_daemon_that_is_never_ready(void **state)
{
  struct cm_client *client = opened(*state, 0);
  char said[16];
  int ready[2];
  assert_int_equal(pipe(ready), 0);
  int error = autostart_read_readiness(client, ready[0], deadline_in(20), said, sizeof said);
  assert_int_equal(error, -ETIMEDOUT);
  assert_contains(cm_error(client), "not ready in time");
  close(ready[0]);
  close(ready[1]);
  cm_close(client);
}

/* Whenever the time is up, before it was started or after. It holds on to nothing of the client's. */
static void test_daemon_that_takes_too_long(void **state)
{
  struct folder *folder = *state;
  folder_write(folder, "#!/bin/sh\nread never <>\"${0%file}fifo\"\n", 0700);
  char fifo[256];
  snprintf(fifo, sizeof fifo, "%s/fifo", folder->path);
  assert_int_equal(mkfifo(fifo, 0600), 0);
  int end = open(fifo, O_RDWR); /* which waits for nobody */
  struct cm_client *client = opened(folder, 200);
  assert_int_equal(cm_ping(client), -ETIMEDOUT);
  cm_close(client);
  assert_int_equal(write(end, "\n", 1), 1); /* let it go */
  close(end);
}

/* A daemon that gives way to one that is just leaving: tried again until time is up. */
static void test_daemon_that_is_ready_but_not_there(void **state)
{
  struct folder *folder = *state;
  folder_write(folder, "#!/bin/sh\necho ready >&3\n", 0700);
  struct cm_client *client = opened(folder, 200);
  int error = cm_ping(client);
  assert_true(error == -ECONNREFUSED || error == -ETIMEDOUT);
  cm_close(client);
}

static void test_autostart_can_be_turned_off(void **state)
{
  struct folder *folder = *state;
  char made[256];
  snprintf(made, sizeof made, "%s.start", folder->socket);
  setenv("CATMOUSE_AUTOSTART", "0", 1);
  struct cm_client *client = opened(folder, 0);
  unsetenv("CATMOUSE_AUTOSTART");
  assert_int_equal(cm_ping(client), -ECONNREFUSED);
  assert_contains(cm_error(client), "no daemon is running");
  assert_int_equal(access(made, F_OK), -1);
  cm_close(client);
}

static void test_lock_is_for_one(void **state)
{
  struct cm_client *client = opened(*state, 0);
  int lock = autostart_lock(client, deadline_never());
  assert_true(lock >= 0);
  assert_int_equal(autostart_lock(client, deadline_in(30)), -ETIMEDOUT);
  assert_contains(cm_error(client), "another client has been starting the daemon for too long");
  cm_cancel(client);
  assert_int_equal(autostart_lock(client, deadline_never()), -ECANCELED);
  close(lock);
  lock = autostart_lock(client, deadline_never());
  assert_true(lock >= 0);
  close(lock);
  cm_close(client);
}

static void test_lock_that_is_a_link(void **state)
{
  struct cm_client *client = opened(*state, 0);
  assert_int_equal(symlink("/dev/null", client->endpoint.starting), 0);
  assert_int_equal(autostart_lock(client, deadline_never()), -ELOOP);
  assert_contains(cm_error(client), "cannot open ");
  cm_close(client);
}

/* With no descriptors allowed at all, poll() takes none. */
static void test_poll_that_fails(void **state)
{
  struct cm_client *client = opened(*state, 0);
  struct rlimit before, none;
  char said[16];
  int ready[2];
  assert_int_equal(pipe(ready), 0);
  assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
  none = (struct rlimit){0, before.rlim_max};
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
  int error = autostart_read_readiness(client, ready[0], deadline_never(), said, sizeof said);
  setrlimit(RLIMIT_NOFILE, &before);
  assert_int_equal(error, -EINVAL);
  assert_contains(cm_error(client), "cannot wait for the daemon: Invalid argument");
  close(ready[0]);
  close(ready[1]);
  cm_close(client);
}

static void test_daemon_that_the_environment_names(void **state)
{
  struct folder *folder = *state;
  char path[PATH_MAX];
  struct cm_client *client;
  folder_write(folder, "", 0700);
  setenv("CATMOUSE_DAEMON", folder->file, 1);
  assert_int_equal(cm_open(NULL, &client), 0);
  assert_int_equal(autostart_find_daemon(client, path), 0);
  assert_string_equal(path, folder->file);
  setenv("CATMOUSE_DAEMON", "/nonexistent/cmdaemon", 1);
  assert_int_equal(autostart_find_daemon(client, path), -ENOENT);
  unsetenv("CATMOUSE_DAEMON");
  cm_close(client);
}

static void test_daemon_on_the_search_path(void **state)
{
  struct folder *folder = *state;
  char path[PATH_MAX], program[256], *before = getenv("PATH");
  struct cm_client *client;
  before = strdup(before ? before : "");
  folder_write(folder, "", 0700);
  snprintf(program, sizeof program, "%s/cmdaemon", folder->path);
  assert_int_equal(rename(folder->file, program), 0);
  snprintf(path, sizeof path, "/nonexistent::%s", folder->path);
  setenv("PATH", path, 1);
  assert_int_equal(cm_open(NULL, &client), 0);
  assert_int_equal(autostart_find_daemon(client, path), 0);
  if (strcmp(path, program) != 0)
    assert_contains(path, "/bin/cmdaemon"); /* one is installed, and comes first */
  setenv("PATH", before, 1);
  free(before);
  cm_close(client);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, folder_make, folder_remove)
  const struct CMUnitTest tests[] = {
      TEST(test_daemon_that_says_why_not),
      TEST(test_daemon_that_says_nothing),
      TEST(test_daemon_that_only_logs),
      TEST(test_daemon_that_talks_on),
      TEST(test_daemon_that_cannot_be_executed),
      TEST(test_program_that_is_none),
      TEST(test_daemon_that_is_never_ready),
      TEST(test_daemon_that_takes_too_long),
      TEST(test_daemon_that_is_ready_but_not_there),
      TEST(test_autostart_can_be_turned_off),
      TEST(test_lock_is_for_one),
      TEST(test_lock_that_is_a_link),
      TEST(test_poll_that_fails),
      TEST(test_daemon_that_the_environment_names),
      TEST(test_daemon_on_the_search_path),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
