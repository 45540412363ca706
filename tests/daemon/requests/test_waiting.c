/*
 * Requests that wait for a solve, which takes as long as the test likes: whose it is, who stops it, who is told. Long
 * answers, written by one thread for all peers: these take turns, and what nobody waits for is left out.
 */
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

#include "daemon/requests/answers.h"
#include "tests/daemon/daemon_thread.h"
#include "tests/daemon/held_solve.h"
#include "tests/daemon/solve_text.h"
#include "tests/support/wrap.h"

/* Lines on a path of so many nodes are long. */
enum { PATH = 300, ANSWERS = 10 };
#define LINE(id)                                                              \
  "{\"id\":" #id ",\"method\":\"line\",\"params\":{\"state\":{\"mouse\":299," \
  "\"cat\":1,\"turn\":0}}}\n"
#define CANCEL(id) "{\"id\":99,\"method\":\"cancel\",\"params\":{\"id\":" #id "}}\n"

enum { CONNECTIONS = 8, WAITS = 250, WAIT_MS = 100 };

static struct {
  struct daemon_thread daemon;
  struct daemon_limits limits;
  char id[ID_TEXT + 1]; /* of the puzzle that takes long */
  sem_t answer_begun, let_answer_go;
  atomic_bool answers_are_held; /* long ones */
  atomic_uint written;          /* of these */
} tested;

WRAPPED(int, answer_write, const struct answer_place *place, const struct request *request,
        const struct solved *solved);

int __wrap_answer_write(const struct answer_place *place, const struct request *request,
                        const struct solved *solved)
{
  if (atomic_load(&tested.answers_are_held)) {
    sem_post(&tested.answer_begun);
    sem_wait(&tested.let_answer_go);
  }
  atomic_fetch_add(&tested.written, 1);
  return __real_answer_write(place, request, solved);
}

/* Asks for the puzzle that takes long, and knows that the daemon has seen that. */
static void ask(int fd, const char *parameters)
{
  struct buffer text = solve_text(HELD_NODES, add_path, parameters);
  send_text(fd, text.data);
  buffer_deinit(&text);
}

static void begin_in_background(int fd)
{
  char status[128];
  ask(fd, ",\"wait_ms\":0");
  snprintf(status, sizeof status, "\"status\":\"solving\",\"id\":\"%s\"", tested.id);
  expect_line(fd, status);
  sem_wait(&held_solves.begun);
}

/* Nothing is being solved once the solve has stopped, and there is no trace of it. */
static void assert_stopped(void)
{
  sem_wait(&held_solves.stopped);
  daemon_thread_expect(&tested.daemon, "{\"id\":1,\"method\":\"list\"}\n", "\"tables\":[]");
}

CASE(a_solve_in_the_background_is_listed)
{
  char listed[256];
  int fd = daemon_thread_connect(&tested.daemon);
  begin_in_background(fd);
  snprintf(listed, sizeof listed, "\"id\":\"%s\",\"game\":\"graph\",\"nodes\":%d", tested.id,
           HELD_NODES);
  daemon_thread_expect(&tested.daemon, "{\"id\":1,\"method\":\"list\"}\n", listed);
  daemon_thread_expect(&tested.daemon, "{\"id\":1,\"method\":\"list\"}\n",
                       "\"where\":\"solving\",\"progress\":{\"layers\":0,\"decided\":0,"
                       "\"states\":5000}");
  sem_post(&held_solves.let_go);
  ask(fd, "");
  expect_line(fd, tested.id);
  daemon_thread_expect(&tested.daemon, "{\"id\":1,\"method\":\"list\"}\n", "\"where\":\"memory\"");
  close(fd);
}

CASE(it_belongs_to_each_that_asked)
{
  int fd = daemon_thread_connect(&tested.daemon), joined = daemon_thread_connect(&tested.daemon);
  begin_in_background(fd);
  ask(joined, ",\"wait_ms\":0");
  expect_line(joined, "solving");
  close(fd);
  expect_pong(joined);
  assert_int_equal(sem_trywait(&held_solves.stopped), -1);
  close(joined);
  assert_stopped();
}

static void cancel(int fd, const char *what, const char *expected)
{
  char text[512];
  snprintf(text, sizeof text, "{\"id\":8,\"method\":\"cancel\",\"params\":{%s}}\n", what);
  send_text(fd, text);
  expect_line(fd, expected);
}

CASE(cancelled_by_its_request_or_puzzle)
{
  char what[3][128] = {"\"id\":1"};
  snprintf(what[1], sizeof what[1], "\"puzzle\":\"%.*s\"", ID_PREFIX_MIN, tested.id);
  snprintf(what[2], sizeof what[2], "\"puzzle\":\"%s\"", tested.id);
  int fd = daemon_thread_connect(&tested.daemon);
  for (int i = 0; i < 3; i++) {
    begin_in_background(fd);
    cancel(fd, "\"id\":2", "{\"cancelled\":false}");
    cancel(fd, "\"puzzle\":\"0000000000\"", "{\"cancelled\":false}");
    cancel(fd, what[i], "{\"cancelled\":true}");
    assert_stopped();
    cancel(fd, what[i], "{\"cancelled\":false}");
  }
  close(fd);
}

/* One that waits is told so; and it is nobody else's to cancel. */
CASE(cancelled_while_it_is_waited_for)
{
  char what[128];
  int fd = daemon_thread_connect(&tested.daemon), other = daemon_thread_connect(&tested.daemon);
  ask(fd, "");
  sem_wait(&held_solves.begun);
  snprintf(what, sizeof what, "\"puzzle\":\"%s\"", tested.id);
  cancel(other, what, "{\"cancelled\":false}");
  cancel(other, "\"id\":1", "{\"cancelled\":false}");
  cancel(fd, what, "E_CANCELLED");
  expect_line(fd, "{\"cancelled\":true}");
  assert_stopped();
  close(fd);
  close(other);
}

/* However many waits end at once, all are told that the solve goes on, and may still ask other things. */
CASE(many_waits_end_at_once)
{
  char parameters[64];
  int fds[CONNECTIONS];
  snprintf(parameters, sizeof parameters, ",\"wait_ms\":%d", WAIT_MS);
  struct buffer text = solve_text(HELD_NODES, add_path, parameters);
  int other = daemon_thread_connect(&tested.daemon);
  for (int i = 0; i < CONNECTIONS; i++) {
    fds[i] = daemon_thread_connect(&tested.daemon);
    for (int wait = 0; wait < WAITS; wait++)
      send_text(fds[i], text.data);
  }
  expect_pong(other);
  for (int i = 0; i < CONNECTIONS; i++)
    for (int wait = 0; wait < WAITS; wait++)
      expect_line(fds[i], "\"status\":\"solving\"");
  expect_pong(other);
  for (int i = 0; i < CONNECTIONS; i++) {
    expect_pong(fds[i]);
    close(fds[i]);
  }
  assert_stopped();
  close(other);
  buffer_deinit(&text);
}

/* It is on disk again before anybody hears of its id, or the next daemon would not know it. */
CASE(evicted_while_it_is_solved_from_disk)
{
  char query[256], evict[128];
  snprintf(query, sizeof query,
           "{\"id\":1,\"method\":\"query\",\"params\":{\"id\":\"%s\","
           "\"state\":{\"mouse\":1,\"cat\":2,\"turn\":0}}}\n",
           tested.id);
  snprintf(evict, sizeof evict, "{\"id\":1,\"method\":\"evict\",\"params\":{\"id\":\"%s\"}}\n",
           tested.id);
  for (int again = 0; again < 2; again++) {
    daemon_thread_stop(&tested.daemon);
    daemon_thread_start(&tested.daemon);
    int fd = daemon_thread_connect(&tested.daemon);
    send_text(fd, query);
    sem_wait(&held_solves.begun);
    daemon_thread_expect(&tested.daemon, evict, "\"evicted\":1");
    daemon_thread_expect(&tested.daemon, evict, "E_UNKNOWN_ID");
    sem_post(&held_solves.let_go);
    expect_line(fd, "\"outcome\"");
    close(fd);
  }
}

static int connect_to_path(void)
{
  int fd = daemon_thread_connect(&tested.daemon);
  solve_on(fd, PATH, add_path, "solve_us");
  return fd;
}

static void let_answers_go(int count)
{
  while (count-- > 0)
    sem_post(&tested.let_answer_go);
}

CASE(a_peer_waits_for_one_answer_of_another_at_most)
{
  int many = connect_to_path(), one = connect_to_path();
  atomic_store(&tested.answers_are_held, true);
  for (int i = 0; i < ANSWERS; i++)
    send_text(many, LINE(1));
  sem_wait(&tested.answer_begun);
  expect_pong(many);
  send_text(one, LINE(2));
  expect_pong(one);
  let_answers_go(2);
  expect_line(one, "\"id\":2,");
  assert_true(atomic_load(&tested.written) <= 2);
  let_answers_go(ANSWERS - 1);
  for (int i = 0; i < ANSWERS; i++)
    expect_line(many, "\"id\":1,");
  close(many);
  close(one);
}

CASE(what_was_cancelled_is_not_written)
{
  int many = connect_to_path(), one = connect_to_path();
  atomic_store(&tested.answers_are_held, true);
  for (int i = 0; i < ANSWERS; i++) {
    send_text(many, LINE(1));
    if (i == 0)
      sem_wait(&tested.answer_begun);
    send_text(many, CANCEL(1));
    expect_line(many, "E_CANCELLED");
    expect_line(many, "{\"cancelled\":true}");
  }
  send_text(one, LINE(2));
  expect_pong(one);
  let_answers_go(2);
  expect_line(one, "\"id\":2,");
  assert_int_equal(atomic_load(&tested.written), 2);
  expect_pong(many);
  close(many);
  close(one);
}

static void find_its_id(void)
{
  struct buffer text = solve_text(HELD_NODES, add_path, ""), answer = {0};
  sem_post(&held_solves.let_go);
  daemon_thread_ask_json(&tested.daemon, text.data, &answer);
  find_id(answer.data, tested.id);
  sem_wait(&held_solves.begun);
  buffer_deinit(&text);
  buffer_deinit(&answer);
}

static int start(void **state)
{
  held_solves_init();
  daemon_thread_setup(state);
  find_its_id();
  daemon_thread_expect(&tested.daemon, "{\"id\":1,\"method\":\"clear\"}\n", "evicted");
  return 0;
}

/* The one solve goes on at once. */
static int start_for_answers(void **state)
{
  held_solves_init();
  sem_post(&held_solves.let_go);
  sem_init(&tested.answer_begun, 0, 0);
  sem_init(&tested.let_answer_go, 0, 0);
  atomic_store(&tested.written, 0);
  return daemon_thread_setup(state);
}

static int stop_answers(void **state)
{
  atomic_store(&tested.answers_are_held, false);
  let_answers_go(2 * ANSWERS);
  daemon_thread_teardown(state);
  held_solves_deinit();
  return 0;
}

static int start_with_store(void **state)
{
  held_solves_init();
  tested.limits = daemon_limits_default;
  tested.limits.store_wait_ms = 0; /* however slow the disk is */
  tested.daemon.limits = &tested.limits;
  daemon_thread_setup_with_store(state);
  find_its_id();
  return 0;
}

static int stop(void **state)
{
  daemon_thread_teardown(state);
  held_solves_deinit();
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      DAEMON_TEST(a_solve_in_the_background_is_listed, start, stop),
      DAEMON_TEST(it_belongs_to_each_that_asked, start, stop),
      DAEMON_TEST(cancelled_by_its_request_or_puzzle, start, stop),
      DAEMON_TEST(cancelled_while_it_is_waited_for, start, stop),
      DAEMON_TEST(many_waits_end_at_once, start, stop),
      DAEMON_TEST(a_peer_waits_for_one_answer_of_another_at_most, start_for_answers, stop_answers),
      DAEMON_TEST(what_was_cancelled_is_not_written, start_for_answers, stop_answers),
      DAEMON_TEST(evicted_while_it_is_solved_from_disk, start_with_store, stop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
