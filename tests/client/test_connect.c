/* Where a client connects to, and what it does not trust. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/client/client_test.h"
#include "tests/client/folder.h"
#include "tests/client/peer.h"

static struct cm_client *opened(const char *socket)
{
  struct cm_client *client;
  const struct cm_options options = {.socket = socket, .no_autostart = true, .timeout_ms = 20};
  assert_int_equal(cm_open(&options, &client), 0);
  return client;
}

static void assert_unreachable(const char *socket, int error, const char *sentence)
{
  struct cm_client *client = opened(socket);
  assert_int_equal(cm_ping(client), error);
  assert_contains(cm_error(client), sentence);
  assert_null(cm_error_name(client));
  cm_close(client);
}

static struct sockaddr_un address_of(const struct folder *folder)
{
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, folder->socket, sizeof address.sun_path - 1);
  return address;
}

static int listen_at(const struct folder *folder, int backlog)
{
  const struct sockaddr_un address = address_of(folder);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof address), 0);
  assert_int_equal(listen(fd, backlog), 0);
  return fd;
}

static void test_nobody_listens(void **state)
{
  struct folder *folder = *state;
  assert_unreachable(folder->socket, -ECONNREFUSED, "no daemon is running");
  close(listen_at(folder, 1));
  assert_unreachable(folder->socket, -ECONNREFUSED, "no daemon is running");
}

static void test_no_folder(void **state)
{
  (void)state;
  assert_unreachable("/nonexistent/daemon.sock", -ECONNREFUSED, "no daemon is running");
}

static void test_folder_open_to_others(void **state)
{
  struct folder *folder = *state;
  assert_int_equal(chmod(folder->path, 0755), 0);
  assert_unreachable(folder->socket, -EPERM, "is open to other users");
}

static void test_file_that_is_no_socket(void **state)
{
  struct folder *folder = *state;
  fclose(fopen(folder->socket, "w"));
  assert_unreachable(folder->socket, -ECONNREFUSED, "no daemon is running");
}

static void test_long_path(void **state)
{
  char path[256];
  (void)state;
  memset(path, 'x', sizeof path - 1);
  path[sizeof path - 1] = '\0';
  assert_unreachable(path, -ENAMETOOLONG, "more than the 107 allowed");
  struct cm_client *client = opened(path);
  assert_null(cm_socket(client));
  cm_close(client);
}

static void test_environment_names_the_socket(void **state)
{
  struct folder *folder = *state;
  setenv("CATMOUSE_SOCKET", folder->socket, 1);
  struct cm_client *client = opened(NULL);
  assert_string_equal(cm_socket(client), folder->socket);
  cm_close(client);
  unsetenv("CATMOUSE_SOCKET");
}

/* Whoever listens does not accept: the queue of connections is full. */
static void test_full_queue(void **state)
{
  struct folder *folder = *state;
  int listener = listen_at(folder, 0), first = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const struct sockaddr_un address = address_of(folder);
  assert_int_equal(connect(first, (const struct sockaddr *)&address, sizeof address), 0);
  assert_unreachable(folder->socket, -ETIMEDOUT, "did not take the connection in time");
  close(first);
  close(listener);
}

/* The next daemon: takes a request and answers it. */
struct successor {
  struct peer peer;
  struct request request;
  int listener;
};

static void *answer_ping(void *argument)
{
  struct successor *successor = argument;
  successor->peer.fd = accept(successor->listener, NULL, NULL);
  peer_take_request(&successor->peer, &successor->request);
  peer_answer(&successor->peer, (uint32_t)successor->request.id.number, METHOD_PING, NULL);
  return NULL;
}

static void test_lost_before_a_byte_is_asked_again(void **state)
{
  struct folder *folder = *state;
  struct cm_client *client;
  const struct cm_options options = {.socket = folder->socket, .no_autostart = true};
  assert_int_equal(cm_open(&options, &client), 0);
  struct peer before = {.client = client};
  struct successor after = {.peer = {.client = client}, .listener = listen_at(folder, 1)};
  pthread_t thread;
  peer_connect(&before);
  peer_close(&before);
  assert_int_equal(pthread_create(&thread, NULL, answer_ping, &after), 0);
  assert_int_equal(cm_ping(client), 0);
  pthread_join(thread, NULL);
  assert_int_equal(after.request.method, METHOD_PING);
  peer_close(&after.peer);
  close(after.listener);
  cm_close(client);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, folder_make, folder_remove)
  const struct CMUnitTest tests[] = {
      TEST(test_nobody_listens),
      TEST(test_no_folder),
      TEST(test_folder_open_to_others),
      TEST(test_file_that_is_no_socket),
      TEST(test_long_path),
      TEST(test_environment_names_the_socket),
      TEST(test_full_queue),
      TEST(test_lost_before_a_byte_is_asked_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
