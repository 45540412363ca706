/*
 * A whole daemon, of whose loop each allocation fails in turn while it answers each method: whoever asked
 * gets the answer, E_NO_MEMORY or a closed connection, and the daemon goes on.
 *
 * Allocations are counted on the loop's own thread, so that is told by signals when to begin and end.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "daemon/server.h"
#include "tests/proto/samples.h"
#include "tests/support/failing_alloc.h"

enum { WAIT_S = 60, FAILURES_MAX = 2000 };

static struct {
  atomic_long nth;
  atomic_bool failed, done;
} injection;

static struct {
  char folder[32], socket[48];
  struct config config;
  pthread_t loop;
  int status;
  long failures; /* that were brought about */
} tested;

/* NOLINTBEGIN(bugprone-signal-handler,cert-sig30-c): arming only sets variables of the thread */
static void on_begin(int number)
{
  (void)number;
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

static void tell_loop(int number)
{
  atomic_store(&injection.done, false);
  assert_int_equal(pthread_kill(tested.loop, number), 0);
  while (!atomic_load(&injection.done))
    sched_yield();
}

static void *run(void *unused)
{
  (void)unused;
  tested.status = server_run(&tested.config);
  return NULL;
}

static int start_daemon(void **state)
{
  (void)state;
  char said[16] = "";
  int ready[2];
  snprintf(tested.folder, sizeof tested.folder, "/tmp/catmouse-test-XXXXXX");
  assert_non_null(mkdtemp(tested.folder));
  snprintf(tested.socket, sizeof tested.socket, "%s/socket", tested.folder);
  assert_int_equal(pipe(ready), 0);
  tested.config = (struct config){
      .socket = tested.socket,
      .no_store = true,
      .log_level = LOG_ERROR,
      .threads = 1,
      .ready_fd = ready[1],
      .messages = message_limits_default,
      .limits = daemon_limits_default,
  };
  signal(SIGUSR1, on_begin);
  signal(SIGUSR2, on_end);
  assert_int_equal(pthread_create(&tested.loop, NULL, run, NULL), 0);
  assert_true(read(ready[0], said, sizeof said - 1) > 0);
  assert_memory_equal(said, "ready", 5);
  close(ready[0]);
  return 0;
}

static int connect_to_daemon(void)
{
  const struct timeval patience = {.tv_sec = WAIT_S};
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  memcpy(address.sun_path, tested.socket, strlen(tested.socket));
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  assert_true(fd >= 0);
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
  return fd;
}

/* The first message that comes back. False where the connection is closed instead. */
static bool converse(const struct buffer *request, enum encoding encoding, struct buffer *answer)
{
  struct framer framer;
  struct frame frame;
  struct fault fault;
  enum framer_result found = FRAMER_MORE;
  ssize_t got = 1;
  int fd = connect_to_daemon();
  framer_init(&framer, &message_limits_default);
  framer.encoding = encoding;
  buffer_clear(answer);
  if (send(fd, request->data, request->length, MSG_NOSIGNAL) < 0)
    got = 0;
  while (got > 0 && found == FRAMER_MORE) {
    char *room = buffer_reserve(answer, 4096);
    assert_non_null(room);
    got = recv(fd, room, 4096, 0);
    answer->length += got > 0 ? (size_t)got : 0;
    found = framer_next(&framer, answer->data, answer->length, &frame, &fault);
  }
  bool is_reset = got < 0 && errno == ECONNRESET;
  assert_true(got >= 0 || is_reset);
  close(fd);
  buffer_append(answer, "", 1);
  return found == FRAMER_MESSAGE;
}

static bool says(const struct buffer *answer, const char *text)
{
  return memmem(answer->data, answer->length, text, strlen(text));
}

/* What was solved goes, so that the next question about it takes a solve. */
static void forget_all(void)
{
  struct buffer request = {0}, answer = {0};
  sample_append(&request, ENCODING_MSGPACK, METHOD_CLEAR);
  assert_true(converse(&request, ENCODING_MSGPACK, &answer));
  buffer_deinit(&request);
  buffer_deinit(&answer);
}

static void fail_each_allocation(const struct buffer *request, enum encoding encoding,
                                 const char *what)
{
  struct buffer answer = {0};
  bool failed = true;
  for (long nth = 0; failed; nth++) {
    if (nth == FAILURES_MAX)
      fail_msg("%s allocates without end", what);
    forget_all();
    atomic_store(&injection.nth, nth);
    tell_loop(SIGUSR1);
    bool answered = converse(request, encoding, &answer);
    tell_loop(SIGUSR2);
    failed = atomic_load(&injection.failed);
    tested.failures += failed;
    if (!failed && !answered)
      fail_msg("%s: no answer, though no allocation failed", what);
    if (!failed && says(&answer, "E_NO_MEMORY"))
      fail_msg("%s: E_NO_MEMORY, though no allocation failed", what);
  }
  buffer_deinit(&answer);
}

static void test_msgpack(void **state)
{
  (void)state;
  for (enum method method = 0; method < METHOD_SHUTDOWN; method++) {
    struct buffer request = {0};
    sample_append(&request, ENCODING_MSGPACK, method);
    fail_each_allocation(&request, ENCODING_MSGPACK, method_kinds[method].name);
    buffer_deinit(&request);
  }
}

static void test_json(void **state)
{
  (void)state;
  for (enum method method = 0; method < METHOD_SHUTDOWN; method++) {
    struct buffer request = {0};
    sample_append_json(&request, ENCODING_CONTENT_LENGTH, sample_json[method]);
    fail_each_allocation(&request, ENCODING_CONTENT_LENGTH, method_kinds[method].name);
    buffer_deinit(&request);
  }
}

/* Larger than what is read at once: it grows in a buffer of its own and is read by a helper. */
static void test_large_message(void **state)
{
  (void)state;
  static const char begin[] = "{\"id\":1,\"method\":\"solve\",\"params\":{\"puzzle\":[[1]";
  struct buffer request = {0};
  buffer_append(&request, begin, sizeof begin - 1);
  for (int node = 1; node < 20000; node++) {
    char item[32];
    int length = snprintf(item, sizeof item, ",[%d]", node - 1);
    buffer_append(&request, item, (size_t)length);
  }
  buffer_append(&request, "]}}\n", 4);
  fail_each_allocation(&request, ENCODING_JSON_LINES, "a large puzzle");
  buffer_deinit(&request);
}

static void test_daemon_goes_on(void **state)
{
  (void)state;
  struct buffer request = {0}, answer = {0};
  assert_true(tested.failures > METHOD_COUNT);
  sample_append(&request, ENCODING_MSGPACK, METHOD_SOLVE);
  assert_true(converse(&request, ENCODING_MSGPACK, &answer));
  assert_true(says(&answer, "solve_us"));
  buffer_clear(&request);
  sample_append(&request, ENCODING_MSGPACK, METHOD_SHUTDOWN);
  assert_true(converse(&request, ENCODING_MSGPACK, &answer));
  assert_int_equal(pthread_join(tested.loop, NULL), 0);
  assert_int_equal(tested.status, 0);
  buffer_deinit(&request);
  buffer_deinit(&answer);
}

static int remove_folder(void **state)
{
  (void)state;
  char lock[64];
  snprintf(lock, sizeof lock, "%s.lock", tested.socket);
  unlink(lock);
  rmdir(tested.folder);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_msgpack),
      cmocka_unit_test(test_json),
      cmocka_unit_test(test_large_message),
      cmocka_unit_test(test_daemon_goes_on),
  };
  return cmocka_run_group_tests(tests, start_daemon, remove_folder);
}
