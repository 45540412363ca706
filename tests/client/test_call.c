/* What goes wrong between a request and its answer, and what a client is told of it. */
#include <errno.h>
#include <string.h>

#include "tests/client/client_test.h"
#include "tests/client/peer.h"
#include "tests/proto/samples.h"
#include "tests/support/failing_alloc.h"

static void assert_fails(struct peer *peer, int error, int expected, const char *sentence)
{
  assert_int_equal(error, expected);
  assert_contains(cm_error(peer->client), sentence);
  assert_null(cm_json(peer->client));
}

static void assert_pings(struct peer *peer)
{
  peer_answer(peer, peer->client->last_id + 1, METHOD_PING, NULL);
  assert_int_equal(cm_ping(peer->client), 0);
  assert_string_equal(cm_error(peer->client), "");
}

static void test_refusal_leaves_the_connection(void **state)
{
  struct peer peer;
  struct cm_stats stats;
  (void)state;
  peer_init(&peer, NULL);
  peer_refuse(&peer, 1, ERROR_UNKNOWN_ID, "no solved puzzle has id 012345");
  assert_fails(&peer, cm_stats(peer.client, "012345", &stats), -EREMOTEIO,
               "no solved puzzle has id 012345");
  assert_string_equal(cm_error_name(peer.client), "E_UNKNOWN_ID");
  assert_pings(&peer);
  assert_null(cm_error_name(peer.client));
  peer_deinit(&peer);
}

/* The daemon may not know whose message it refuses; its words are passed on all the same. */
static void test_refusal_without_an_id(void **state)
{
  static const char busy[] = "\x94\x01\xc0\xb0"
                             "E_BUSY: too many\xc0";
  struct peer peer;
  (void)state;
  peer_init(&peer, NULL);
  peer_say(&peer, busy, sizeof busy - 1);
  assert_fails(&peer, cm_ping(peer.client), -EREMOTEIO, "too many");
  assert_string_equal(cm_error_name(peer.client), "E_BUSY");
  assert_int_equal(peer.client->fd, -1);
  peer_close(&peer);
  peer_connect(&peer);
  peer_answer(&peer, peer.client->last_id + 1, METHOD_PING, NULL);
  assert_int_equal(cm_ping(peer.client), 0);
  peer_deinit(&peer);
}

static void test_cancelled_by_the_daemon(void **state)
{
  struct peer peer;
  (void)state;
  peer_init(&peer, NULL);
  peer_refuse(&peer, 1, ERROR_CANCELLED, "the request was cancelled");
  assert_fails(&peer, cm_ping(peer.client), -ECANCELED, "the request was cancelled");
  peer_deinit(&peer);
}

/* Neither a refusal before it nor a puzzle read meanwhile makes a difference. */
static void test_cancel_before_the_call(void **state)
{
  struct peer peer;
  struct cm_stats stats;
  struct cm_puzzle *puzzle;
  (void)state;
  peer_init(&peer, NULL);
  peer_refuse(&peer, 1, ERROR_UNKNOWN_ID, "no solved puzzle has id 012345");
  assert_fails(&peer, cm_stats(peer.client, "012345", &stats), -EREMOTEIO, "012345");
  peer_take_request(&peer, &(struct request){0});
  cm_cancel(peer.client);
  assert_int_equal(cm_puzzle_parse(peer.client, "[[1],[0]]", 9, &puzzle), -EREMOTEIO);
  assert_string_equal(cm_error_name(peer.client), "E_BAD_PUZZLE");
  assert_fails(&peer, cm_ping(peer.client), -ECANCELED, "cancelled");
  assert_null(cm_error_name(peer.client));
  assert_true(peer_heard_all(&peer));
  assert_pings(&peer);
  peer_deinit(&peer);
}

/* Told of progress, the user cancels, and the daemon says what it says to that. */
static void cancel_and_refuse(void *context, const struct cm_progress *progress)
{
  struct peer *peer = context;
  assert_int_equal(progress->decided, sample_progress.decided);
  cm_cancel(peer->client);
  peer_refuse(peer, 1, ERROR_CANCELLED, "the request was cancelled");
}

static void test_cancel_under_way_is_sent(void **state)
{
  struct peer peer;
  struct request request;
  (void)state;
  peer_init(&peer, &(struct cm_options){.on_progress = cancel_and_refuse, .context = &peer});
  peer_tell_progress(&peer, 1, &sample_progress);
  assert_fails(&peer, cm_ping(peer.client), -ECANCELED, "the request was cancelled");
  peer_take_request(&peer, &request);
  assert_int_equal(request.method, METHOD_PING);
  peer_take_request(&peer, &request);
  assert_int_equal(request.method, METHOD_CANCEL);
  assert_true(request.notification);
  assert_int_equal(request.cancels.number, 1);
  assert_pings(&peer);
  peer_deinit(&peer);
}

static void cancel_late(void *context, const struct cm_progress *progress)
{
  struct peer *peer = context;
  assert_int_equal(progress->decided, sample_progress.decided);
  cm_cancel(peer->client);
}

/* The answer stands behind the progress already; the next call is another one. */
static void test_cancel_slower_than_the_answer(void **state)
{
  struct peer peer;
  (void)state;
  peer_init(&peer, &(struct cm_options){.on_progress = cancel_late, .context = &peer});
  peer_tell_progress(&peer, 1, &sample_progress);
  assert_pings(&peer);
  assert_pings(&peer);
  peer_deinit(&peer);
}

static void count_progress(void *context, const struct cm_progress *progress)
{
  assert_int_equal(progress->layers, sample_progress.layers);
  assert_int_equal(progress->states, sample_progress.states);
  ++*(int *)context;
}

static void test_progress_is_told(void **state)
{
  struct peer peer;
  int told = 0;
  (void)state;
  peer_init(&peer, &(struct cm_options){.on_progress = count_progress, .context = &told});
  peer_tell_progress(&peer, 1, &sample_progress);
  peer_tell_progress(&peer, 1, &sample_progress);
  assert_pings(&peer);
  assert_int_equal(told, 2);
  peer_deinit(&peer);
}

static void test_no_answer_in_time(void **state)
{
  struct peer peer;
  (void)state;
  peer_init(&peer, &(struct cm_options){.timeout_ms = 20});
  assert_fails(&peer, cm_ping(peer.client), -ETIMEDOUT, "no answer within 20 ms");
  assert_int_equal(peer.client->fd, -1);
  peer_deinit(&peer);
}

static void test_half_an_answer_in_time(void **state)
{
  struct peer peer;
  (void)state;
  peer_init(&peer, &(struct cm_options){.timeout_ms = 20});
  peer_say(&peer, "\x94\x01\x01", 3);
  assert_fails(&peer, cm_ping(peer.client), -ETIMEDOUT, "no answer within 20 ms");
  peer_deinit(&peer);
}

/* However much of the answer was there; where nothing was, another daemon is looked for. */
static void test_end_within_an_answer(void **state)
{
  struct buffer answer;
  (void)state;
  buffer_init(&answer);
  reply_result(&answer, ENCODING_MSGPACK, &sample_id, METHOD_STATUS, sample_result(METHOD_STATUS));
  for (size_t length = 0; length < answer.length; length++) {
    struct peer peer;
    struct cm_status status;
    peer_init(&peer, NULL);
    peer_say(&peer, answer.data, length);
    peer_close(&peer);
    assert_fails(&peer, cm_status(peer.client, &status), length ? -EPIPE : -ECONNREFUSED,
                 length ? "closed the connection before it answered" : "no daemon is running");
    assert_int_equal(peer.client->fd, -1);
    peer_deinit(&peer);
  }
  buffer_deinit(&answer);
}

static void assert_asked(struct peer *peer, enum method method, uint32_t id)
{
  struct request request;
  peer_take_request(peer, &request);
  assert_int_equal(request.method, method);
  assert_int_equal(request.id.number, id);
  request_deinit(&request);
}

/* A client that has solved the sample, with request 1. */
static void peer_init_solved(struct peer *peer)
{
  static const uint32_t first[] = {0, 1, 2, 4};
  static const int32_t neighbour[] = {2, 2, 0, 1};
  struct cm_puzzle *puzzle;
  struct cm_solved solved;
  peer_init(peer, NULL);
  assert_int_equal(cm_puzzle_graph(peer->client, 3, first, neighbour, &puzzle), 0);
  peer_answer(peer, 1, METHOD_SOLVE, sample_result(METHOD_SOLVE));
  assert_int_equal(cm_solve(peer->client, puzzle, &solved), 0);
  assert_asked(peer, METHOD_SOLVE, 1);
  cm_puzzle_free(puzzle);
}

/* By id, or as the one last solved: another daemon does not know it, or this one has dropped it. */
static void test_unknown_puzzle_is_solved_again(void **state)
{
  static const char *const ids[] = {"d5aaf05e", NULL};
  static const enum error errors[] = {ERROR_UNKNOWN_ID, ERROR_NO_PUZZLE};
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    struct peer peer;
    struct cm_stats stats;
    peer_init_solved(&peer);
    peer_refuse(&peer, 2, errors[i], "never heard of it");
    peer_answer(&peer, 1, METHOD_SOLVE, sample_result(METHOD_SOLVE));
    peer_answer(&peer, 3, METHOD_STATS, sample_result(METHOD_STATS));
    assert_int_equal(cm_stats(peer.client, ids[i], &stats), 0);
    assert_asked(&peer, METHOD_STATS, 2);
    assert_asked(&peer, METHOD_SOLVE, 1);
    assert_asked(&peer, METHOD_STATS, 3);
    assert_true(peer_heard_all(&peer));
    peer_deinit(&peer);
  }
}

static void test_puzzles_that_are_not_solved_again(void **state)
{
  struct peer peer;
  struct cm_stats stats;
  struct cm_evicted evicted;
  (void)state;
  peer_init_solved(&peer);
  peer_refuse(&peer, 2, ERROR_UNKNOWN_ID, "never heard of 0123456");
  assert_fails(&peer, cm_stats(peer.client, "0123456", &stats), -EREMOTEIO, "0123456");
  peer_refuse(&peer, 3, ERROR_UNKNOWN_ID, "never heard of it");
  assert_fails(&peer, cm_evict(peer.client, "d5aaf05e", &evicted), -EREMOTEIO, "never heard");
  peer_refuse(&peer, 4, ERROR_UNKNOWN_ID, "never heard of it");
  peer_refuse(&peer, 1, ERROR_NO_MEMORY, "no memory to solve it");
  assert_fails(&peer, cm_stats(peer.client, "d5aaf05e", &stats), -EREMOTEIO, "no memory to solve");
  peer_answer(&peer, 5, METHOD_EVICT, sample_result(METHOD_EVICT));
  assert_int_equal(cm_evict(peer.client, "d5aaf05e", &evicted), 0);
  peer_refuse(&peer, 6, ERROR_UNKNOWN_ID, "it was evicted");
  assert_fails(&peer, cm_stats(peer.client, "d5aaf05e", &stats), -EREMOTEIO, "evicted");
  peer_deinit(&peer);
}

struct nonsense {
  const char *bytes;
  size_t length;
  const char *sentence;
};

#define BYTES(text) (text), sizeof(text) - 1

/* clang-format off */
static const struct nonsense nonsense[] = {
    {BYTES("\xc1"), "makes no sense"},
    {BYTES("{\"id\":1}\n"), "makes no sense"},
    {BYTES("\x90"), "makes no sense"},
    {BYTES("\x94\x00\x01\xa4ping\x90"), "makes no sense"},
    {BYTES("\x94\x01\xa1x\xc0\xa4pong"), "makes no sense"},
    {BYTES("\x94\x01\x07\xc0\xa4pong"), "answered request 7, which was not asked"},
    {BYTES("\x94\x01\x01\xc0\xa4pang"), "makes no sense"},
    {BYTES("\xdd\xff\xff\xff\xff"), "makes no sense"},
};
/* clang-format on */

static void test_nonsense(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof nonsense / sizeof nonsense[0]; i++) {
    struct peer peer;
    peer_init(&peer, NULL);
    peer_say(&peer, nonsense[i].bytes, nonsense[i].length);
    peer_close(&peer);
    assert_fails(&peer, cm_ping(peer.client), -EPROTO, nonsense[i].sentence);
    assert_int_equal(peer.client->fd, -1);
    peer_deinit(&peer);
  }
}

static void test_answer_of_another_kind(void **state)
{
  struct peer peer;
  struct cm_list list;
  (void)state;
  peer_init(&peer, NULL);
  peer_answer(&peer, 1, METHOD_EVICT, sample_result(METHOD_EVICT));
  peer_close(&peer);
  assert_fails(&peer, cm_list(peer.client, &list), -EPROTO, "the answer has no tables");
  peer_deinit(&peer);
}

/* Memory fails at each allocation in turn, from opening the client to its answer as JSON. */
static int ask(const struct buffer *answer)
{
  struct peer peer;
  struct cm_list list;
  struct cm_client *client;
  const struct cm_options options = {.socket = "/nonexistent/x", .no_autostart = true};
  int error = cm_open(&options, &client);
  if (error)
    return error;
  peer.client = client;
  peer_connect(&peer);
  peer_say(&peer, answer->data, answer->length);
  error = cm_list(client, &list);
  const char *json = cm_json(client);
  if (error)
    assert_null(json); /* what failed has none */
  else if (!json)
    error = -ENOMEM;
  peer_deinit(&peer);
  return error;
}

static void test_memory_runs_out(void **state)
{
  struct buffer answer;
  bool failed = true;
  (void)state;
  buffer_init(&answer);
  reply_result(&answer, ENCODING_MSGPACK, &sample_id, METHOD_LIST, sample_result(METHOD_LIST));
  for (long nth = 0; failed; nth++) {
    failing_alloc_arm(nth);
    int error = ask(&answer);
    failed = failing_alloc_disarm();
    assert_int_equal(failing_alloc_outstanding(), 0);
    assert_int_equal(error, failed ? -ENOMEM : 0);
    assert_in_range(nth, 0, 1000);
  }
  buffer_deinit(&answer);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_refusal_leaves_the_connection),
      cmocka_unit_test(test_refusal_without_an_id),
      cmocka_unit_test(test_cancelled_by_the_daemon),
      cmocka_unit_test(test_cancel_before_the_call),
      cmocka_unit_test(test_cancel_under_way_is_sent),
      cmocka_unit_test(test_cancel_slower_than_the_answer),
      cmocka_unit_test(test_progress_is_told),
      cmocka_unit_test(test_no_answer_in_time),
      cmocka_unit_test(test_half_an_answer_in_time),
      cmocka_unit_test(test_end_within_an_answer),
      cmocka_unit_test(test_unknown_puzzle_is_solved_again),
      cmocka_unit_test(test_puzzles_that_are_not_solved_again),
      cmocka_unit_test(test_nonsense),
      cmocka_unit_test(test_answer_of_another_kind),
      cmocka_unit_test(test_memory_runs_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
