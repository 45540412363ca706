/* Allocations are counted on the loop's own thread, so that is told by signals when to begin and end. */
#include "tests/daemon/daemon_thread.h"

#include <errno.h>
#include <ftw.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

#include "daemon/server.h"
#include "proto/framer.h"
#include "tests/support/failing_alloc.h"

enum { OPEN_FOLDERS = 8 };

static struct {
  atomic_long nth;
  atomic_bool and_later, failed, done;
} injection;

/* NOLINTBEGIN(bugprone-signal-handler,cert-sig30-c): arming only sets variables of the thread */
static void on_begin(int number)
{
  (void)number;
  if (atomic_load(&injection.and_later))
    failing_alloc_arm_from(atomic_load(&injection.nth));
  else
    failing_alloc_arm(atomic_load(&injection.nth));
  atomic_store(&injection.done, true);
}

static void on_end(int number)
{
  (void)number;
  atomic_store(&injection.failed, failing_alloc_disarm());
  atomic_store(&injection.done, true);
}
/* NOLINTEND(bugprone-signal-handler,cert-sig30-c) */

static void tell_loop(struct daemon_thread *daemon, int number)
{
  atomic_store(&injection.done, false);
  assert_int_equal(pthread_kill(daemon->loop, number), 0);
  while (!atomic_load(&injection.done))
    sched_yield();
}

void daemon_thread_fail(struct daemon_thread *daemon, long nth, bool and_later)
{
  atomic_store(&injection.nth, nth);
  atomic_store(&injection.and_later, and_later);
  tell_loop(daemon, SIGUSR1);
}

bool daemon_thread_recover(struct daemon_thread *daemon)
{
  tell_loop(daemon, SIGUSR2);
  return atomic_load(&injection.failed);
}

static void *run(void *argument)
{
  struct daemon_thread *daemon = argument;
  daemon->status = server_run(&daemon->config);
  return NULL;
}

void daemon_thread_start(struct daemon_thread *daemon)
{
  char said[16] = "";
  int ready[2];
  assert_int_equal(pipe(ready), 0);
  daemon->config.ready_fd = ready[1];
  assert_int_equal(pthread_create(&daemon->loop, NULL, run, daemon), 0);
  assert_true(read(ready[0], said, sizeof said - 1) > 0);
  assert_memory_equal(said, "ready", 5);
  close(ready[0]);
}

static void start(struct daemon_thread *daemon, bool with_store)
{
  snprintf(daemon->folder, sizeof daemon->folder, "/tmp/catmouse-test-XXXXXX");
  assert_non_null(mkdtemp(daemon->folder));
  snprintf(daemon->socket, sizeof daemon->socket, "%s/socket", daemon->folder);
  snprintf(daemon->store, sizeof daemon->store, "%s/store", daemon->folder);
  daemon->config = (struct config){
      .socket = daemon->socket,
      .store = daemon->store,
      .no_store = !with_store,
      .log = {.level = LOG_ERROR},
      .idle_exit_ms = daemon->idle_exit_ms,
      .threads = 1,
      .messages = message_limits_default,
      .limits = daemon->limits ? *daemon->limits : daemon_limits_default,
  };
  signal(SIGUSR1, on_begin);
  signal(SIGUSR2, on_end);
  daemon_thread_start(daemon);
}

int daemon_thread_setup(void **state)
{
  start(*state, false);
  return 0;
}

int daemon_thread_setup_with_store(void **state)
{
  start(*state, true);
  return 0;
}

static int remove_file(const char *path, const struct stat *status, int kind, struct FTW *place)
{
  (void)status, (void)kind, (void)place;
  return remove(path);
}

void daemon_thread_stop(struct daemon_thread *daemon)
{
  struct buffer answer = {0};
  do /* it may be one connection too many until the test's own have closed */
    daemon_thread_ask_json(daemon, "{\"id\":1,\"method\":\"shutdown\"}\n", &answer);
  while (answer_count(&answer, "E_BUSY") > 0);
  buffer_deinit(&answer);
  assert_int_equal(pthread_join(daemon->loop, NULL), 0);
  assert_int_equal(daemon->status, 0);
}

int daemon_thread_remove_folder(struct daemon_thread *daemon)
{
  assert_int_equal(nftw(daemon->folder, remove_file, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS), 0);
  return 0;
}

int daemon_thread_teardown(void **state)
{
  daemon_thread_stop(*state);
  return daemon_thread_remove_folder(*state);
}

int daemon_thread_connect(const struct daemon_thread *daemon)
{
  const struct timeval patience = {.tv_sec = WAIT_S};
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  memcpy(address.sun_path, daemon->socket, strlen(daemon->socket));
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  assert_true(fd >= 0);
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
  return fd;
}

/* How far a solve has come may be told at any time, and is no answer. */
static unsigned count_answers(struct framer *framer, const struct buffer *bytes, size_t *done)
{
  struct frame frame;
  struct fault fault;
  unsigned count = 0;
  while (*done < bytes->length && framer_next(framer, bytes->data + *done, bytes->length - *done,
                                              &frame, &fault) == FRAMER_MESSAGE) {
    *done += frame.consumed;
    bool notifies = frame.body[0] == '\x93' || memmem(frame.body, frame.length, "\"method\":", 9);
    count += !notifies;
  }
  return count;
}

bool daemon_thread_ask_all(const struct daemon_thread *daemon, const struct buffer *requests,
                           enum encoding encoding, unsigned wanted, struct buffer *answers)
{
  struct framer framer;
  size_t done = 0;
  ssize_t got = 1;
  int fd = daemon_thread_connect(daemon);
  framer_init(&framer, &message_limits_default);
  framer.encoding = encoding;
  buffer_clear(answers);
  if (send(fd, requests->data, requests->length, MSG_NOSIGNAL) < 0)
    got = 0;
  while (got > 0 && wanted > 0) {
    char *room = buffer_reserve(answers, 4096);
    assert_non_null(room);
    got = recv(fd, room, 4096, 0);
    answers->length += got > 0 ? (size_t)got : 0;
    wanted -= count_answers(&framer, answers, &done);
  }
  bool is_reset = got < 0 && errno == ECONNRESET;
  if (got < 0 && !is_reset)
    fail_msg("neither an answer nor the end of the connection in %d s", WAIT_S);
  close(fd);
  buffer_append(answers, "", 1);
  return wanted == 0;
}

bool daemon_thread_ask(const struct daemon_thread *daemon, const struct buffer *request,
                       enum encoding encoding, struct buffer *answer)
{
  return daemon_thread_ask_all(daemon, request, encoding, 1, answer);
}

void daemon_thread_ask_json(const struct daemon_thread *daemon, const char *request,
                            struct buffer *answer)
{
  struct buffer bytes = {0};
  buffer_append(&bytes, request, strlen(request));
  assert_true(daemon_thread_ask(daemon, &bytes, ENCODING_JSON_LINES, answer));
  buffer_deinit(&bytes);
}

void daemon_thread_expect(const struct daemon_thread *daemon, const char *request,
                          const char *expected)
{
  struct buffer answer = {0};
  daemon_thread_ask_json(daemon, request, &answer);
  if (answer_count(&answer, expected) == 0)
    fail_msg("no %s in the answer: %.300s", expected, answer.data);
  buffer_deinit(&answer);
}

void send_text(int fd, const char *text)
{
  assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
}

void expect_line(int fd, const char *expected)
{
  struct buffer line = {0};
  char byte = '\0';
  while (byte != '\n') {
    if (recv(fd, &byte, 1, 0) != 1)
      fail_msg("no line with %s, but %s", expected, strerror(errno));
    buffer_append(&line, &byte, 1);
  }
  buffer_append(&line, "", 1);
  if (!strstr(line.data, expected))
    fail_msg("no %s in the answer: %.300s", expected, line.data);
  buffer_deinit(&line);
}

void ask_line(int fd, const char *text, const char *expected)
{
  send_text(fd, text);
  expect_line(fd, expected);
}

void expect_pong(int fd)
{
  ask_line(fd, "{\"id\":9,\"method\":\"ping\"}\n", "\"id\":9,\"result\":\"pong\"");
}

size_t read_to_end(int fd)
{
  char bytes[4096];
  size_t length = 0;
  ssize_t got;
  while ((got = recv(fd, bytes, sizeof bytes, 0)) > 0)
    length += (size_t)got;
  if (got < 0 && errno != ECONNRESET)
    fail_msg("the connection was not closed in %d s", WAIT_S);
  return length;
}

void find_id(const char *text, char id[static ID_TEXT + 1])
{
  static const char key[] = "\"id\":\"";
  const char *at = strstr(text, key);
  assert_non_null(at);
  snprintf(id, ID_TEXT + 1, "%s", at + sizeof key - 1);
}

unsigned answer_count(const struct buffer *answer, const char *text)
{
  unsigned count = 0;
  for (const char *at = answer->data; (at = strstr(at, text)); at++)
    count++;
  return count;
}
