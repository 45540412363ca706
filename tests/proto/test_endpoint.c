/* Where the socket lies, and which folders are trusted. */
#include "proto/endpoint.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/proto/proto_test.h"

static char scratch[] = "/tmp/catmouse-endpoint-XXXXXX";

static int set_up(void **state)
{
  (void)state;
  return mkdtemp(scratch) ? 0 : -1;
}

static int tear_down(void **state)
{
  (void)state;
  return rmdir(scratch);
}

static void check_path(const char *given, const char *socket, const char *folder)
{
  struct endpoint endpoint;
  struct fault fault;
  assert_int_equal(endpoint_find(given, &endpoint, &fault), 0);
  assert_string_equal(endpoint.socket, socket);
  assert_string_equal(endpoint.folder, folder);
  assert_memory_equal(endpoint.lock, socket, strlen(socket));
  assert_memory_equal(endpoint.starting, socket, strlen(socket));
  assert_string_not_equal(endpoint.lock, endpoint.starting);
}

static void test_order_of_places(void **state)
{
  (void)state;
  char socket[80], folder[64];
  setenv("CATMOUSE_SOCKET", "/a/b.sock", 1);
  setenv("XDG_RUNTIME_DIR", "/run/user/7", 1);
  check_path("/x/y/z", "/x/y/z", "/x/y");
  check_path(NULL, "/a/b.sock", "/a");
  setenv("CATMOUSE_SOCKET", "", 1);
  check_path(NULL, "/run/user/7/catmouse/daemon.sock", "/run/user/7/catmouse");
  snprintf(folder, sizeof folder, "/tmp/catmouse-%u", (unsigned)geteuid());
  snprintf(socket, sizeof socket, "%s/daemon.sock", folder);
  setenv("XDG_RUNTIME_DIR", "relative", 1);
  check_path(NULL, socket, folder);
  unsetenv("XDG_RUNTIME_DIR");
  unsetenv("CATMOUSE_SOCKET");
  setenv("TMPDIR", "/elsewhere", 1);
  check_path(NULL, socket, folder);
}

static void test_folder_of_odd_paths(void **state)
{
  (void)state;
  check_path("s", "s", ".");
  check_path("/s", "/s", "/");
  check_path("/a//s", "/a//s", "/a");
}

static void test_long_paths_are_refused(void **state)
{
  (void)state;
  char path[ENDPOINT_PATH_MAX + 2];
  struct endpoint endpoint;
  struct fault fault;
  memset(path, 'a', sizeof path);
  path[ENDPOINT_PATH_MAX + 1] = '\0';
  assert_int_equal(endpoint_find(path, &endpoint, &fault), -ENAMETOOLONG);
  assert_non_null(strstr(fault.text, "108 bytes long, more than the 107 allowed"));
  path[ENDPOINT_PATH_MAX] = '\0';
  assert_int_equal(endpoint_find(path, &endpoint, &fault), 0);
  assert_string_equal(endpoint.socket, path);
  assert_int_equal(strlen(endpoint.lock), ENDPOINT_PATH_MAX + 5);
}

static struct endpoint in_scratch(const char *folder)
{
  char path[ENDPOINT_PATH_MAX];
  struct endpoint endpoint;
  struct fault fault;
  snprintf(path, sizeof path, "%s/%s/s", scratch, folder);
  assert_int_equal(endpoint_find(path, &endpoint, &fault), 0);
  return endpoint;
}

static void test_missing_folder_is_made(void **state)
{
  (void)state;
  struct endpoint endpoint = in_scratch("made");
  struct fault fault;
  struct stat status;
  assert_int_equal(endpoint_check_folder(&endpoint, false, &fault), -ENOENT);
  assert_int_equal(endpoint_check_folder(&endpoint, true, &fault), 0);
  assert_int_equal(stat(endpoint.folder, &status), 0);
  assert_int_equal(status.st_mode & 07777, 0700);
  assert_int_equal(endpoint_check_folder(&endpoint, true, &fault), 0);
  assert_int_equal(endpoint_check_folder(&endpoint, false, &fault), 0);
  assert_int_equal(rmdir(endpoint.folder), 0);
}

static void check_distrusted(const struct endpoint *endpoint, const char *why)
{
  struct fault fault;
  assert_int_equal(endpoint_check_folder(endpoint, true, &fault), -EPERM);
  if (!strstr(fault.text, why) || !strstr(fault.text, endpoint->folder))
    fail_msg("'%s' does not say '%s'", fault.text, why);
}

static void test_open_folder_is_refused(void **state)
{
  (void)state;
  struct endpoint endpoint = in_scratch("open");
  assert_int_equal(mkdir(endpoint.folder, 0700), 0);
  for (mode_t bit = 01; bit < 0100; bit <<= 1) {
    assert_int_equal(chmod(endpoint.folder, 0700 | bit), 0);
    check_distrusted(&endpoint, "is open to other users, and the socket wants one of mode 0700");
  }
  assert_int_equal(rmdir(endpoint.folder), 0);
}

static void test_link_is_refused(void **state)
{
  (void)state;
  struct endpoint endpoint = in_scratch("link"), slashed = in_scratch("link/");
  assert_int_equal(symlink(scratch, endpoint.folder), 0);
  check_distrusted(&endpoint, "is a link");
  check_distrusted(&slashed, "is a link");
  assert_int_equal(unlink(endpoint.folder), 0);
}

static void test_file_is_refused(void **state)
{
  (void)state;
  struct endpoint endpoint = in_scratch("file");
  FILE *file = fopen(endpoint.folder, "w");
  assert_non_null(file);
  fclose(file);
  check_distrusted(&endpoint, "is no folder");
  assert_int_equal(unlink(endpoint.folder), 0);
}

static void test_folder_of_another_user_is_refused(void **state)
{
  (void)state;
  struct endpoint endpoint;
  struct fault fault;
  if (geteuid() != 0) {
    assert_int_equal(endpoint_find("/usr/daemon.sock", &endpoint, &fault), 0);
    check_distrusted(&endpoint, "belongs to another user");
    return;
  }
  endpoint = in_scratch("theirs");
  assert_int_equal(mkdir(endpoint.folder, 0700), 0);
  assert_int_equal(chown(endpoint.folder, 12345, 12345), 0);
  check_distrusted(&endpoint, "belongs to another user");
  assert_int_equal(rmdir(endpoint.folder), 0);
}

static void test_missing_parent_is_an_error(void **state)
{
  (void)state;
  struct endpoint endpoint = in_scratch("no/such");
  struct fault fault = {0};
  assert_int_equal(endpoint_check_folder(&endpoint, true, &fault), -ENOENT);
  assert_non_null(strstr(fault.text, "cannot make the socket's folder "));
  assert_non_null(strstr(fault.text, endpoint.folder));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_order_of_places),
      cmocka_unit_test(test_folder_of_odd_paths),
      cmocka_unit_test(test_long_paths_are_refused),
      cmocka_unit_test(test_missing_folder_is_made),
      cmocka_unit_test(test_open_folder_is_refused),
      cmocka_unit_test(test_link_is_refused),
      cmocka_unit_test(test_file_is_refused),
      cmocka_unit_test(test_folder_of_another_user_is_refused),
      cmocka_unit_test(test_missing_parent_is_an_error),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
