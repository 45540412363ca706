/* Many requests at once: answers in any order, requests that are put again, and what ends them all. */
#include "client/pipeline.h"

#include <errno.h>
#include <string.h>

#include "tests/client/client_test.h"
#include "tests/client/peer.h"
#include "tests/proto/samples.h"
#include "tests/support/failing_alloc.h"

enum { REQUESTS = 3, TAKEN_MAX = 8 };

/* What came, in the order in which it came. */
struct taken {
  size_t count;
  size_t place[TAKEN_MAX];
  enum response_kind kind[TAKEN_MAX];
  int result;           /* of taking */
  struct peer *answers; /* request 1 once request 2 is answered, if not NULL */
};

static atomic_bool stopped, running;

static int take(void *context, size_t place, struct response *response)
{
  struct taken *taken = context;
  assert_true(taken->count < TAKEN_MAX);
  taken->place[taken->count] = place;
  taken->kind[taken->count++] = response->kind;
  if (taken->answers && place == 2)
    peer_answer(taken->answers, 1, METHOD_PING, NULL);
  return taken->result;
}

static int add_pings(struct pipeline *pipeline)
{
  int error = 0;
  for (int i = 0; i < REQUESTS && error == 0; i++)
    error = pipeline_add(pipeline, &(struct request){.method = METHOD_PING});
  return error;
}

static int run_pings(struct peer *peer, const atomic_bool *stop, struct taken *taken)
{
  struct pipeline pipeline;
  const struct pipeline_taker taker = {take, taken};
  pipeline_init(&pipeline);
  int error = add_pings(&pipeline);
  if (error == 0)
    error = pipeline_run(&pipeline, peer->client, stop, &taker);
  assert_int_equal(pipeline.count, error == -ENOMEM ? pipeline.count : 0);
  pipeline_deinit(&pipeline);
  return error;
}

static void assert_asked(struct peer *peer, uint32_t id)
{
  struct request request;
  peer_take_request(peer, &request);
  assert_int_equal(request.method, METHOD_PING);
  assert_int_equal(request.id.number, id);
}

static void test_answers_in_any_order(void **state)
{
  struct peer peer;
  struct taken taken = {0};
  (void)state;
  peer_init(&peer, NULL);
  peer_answer(&peer, 2, METHOD_PING, NULL);
  peer_refuse(&peer, 0, ERROR_BAD_PUZZLE, "no such puzzle");
  peer_answer(&peer, 1, METHOD_PING, NULL);
  assert_int_equal(run_pings(&peer, &running, &taken), 0);
  assert_int_equal(taken.count, REQUESTS);
  assert_int_equal(taken.place[0], 2);
  assert_int_equal(taken.place[1], 0);
  assert_int_equal(taken.kind[1], RESPONSE_ERROR);
  assert_int_equal(taken.place[2], 1);
  for (uint32_t id = 0; id < REQUESTS; id++)
    assert_asked(&peer, id);
  assert_true(peer_heard_all(&peer));
  peer_deinit(&peer);
}

/* What the daemon has no room for now is put again, alone, once the others are answered. */
static void test_busy_is_asked_again(void **state)
{
  struct peer peer;
  struct taken taken = {.answers = &peer};
  (void)state;
  peer_init(&peer, NULL);
  peer_refuse(&peer, 1, ERROR_BUSY, "too many wait already");
  peer_answer(&peer, 0, METHOD_PING, NULL);
  peer_answer(&peer, 2, METHOD_PING, NULL);
  assert_int_equal(run_pings(&peer, &running, &taken), 0);
  assert_int_equal(taken.count, REQUESTS);
  assert_int_equal(taken.place[2], 1);
  for (uint32_t id = 0; id < REQUESTS; id++)
    assert_asked(&peer, id);
  assert_asked(&peer, 1);
  assert_true(peer_heard_all(&peer));
  peer_deinit(&peer);
}

/* Half of an answer, and then nobody is there any more. */
static void test_lost_for_good(void **state)
{
  struct peer peer;
  struct taken taken = {0};
  (void)state;
  peer_init(&peer, NULL);
  peer_answer(&peer, 1, METHOD_PING, NULL);
  peer_say(&peer, "\x94\x01", 2);
  peer_close(&peer);
  assert_int_equal(run_pings(&peer, &running, &taken), -ECONNREFUSED);
  assert_contains(cm_error(peer.client), "no daemon is running");
  assert_int_equal(taken.count, 1);
  peer_deinit(&peer);
}

static void test_daemon_that_is_leaving(void **state)
{
  struct peer peer;
  struct taken taken = {0};
  (void)state;
  peer_init(&peer, NULL);
  peer_answer(&peer, 0, METHOD_PING, NULL);
  peer_refuse(&peer, 1, ERROR_DRAINING, "the daemon is shutting down");
  peer_answer(&peer, 2, METHOD_PING, NULL);
  assert_int_equal(run_pings(&peer, &running, &taken), -ECONNREFUSED);
  assert_int_equal(taken.count, 2);
  assert_int_equal(peer.client->fd, -1);
  peer_deinit(&peer);
}

static void test_refusal_without_an_id(void **state)
{
  static const char parse[] = "\x94\x01\xc0\xb0"
                              "E_PARSE: no idea\xc0";
  struct peer peer;
  struct taken taken = {0};
  (void)state;
  peer_init(&peer, NULL);
  peer_say(&peer, parse, sizeof parse - 1);
  assert_int_equal(run_pings(&peer, &running, &taken), -EREMOTEIO);
  assert_string_equal(cm_error(peer.client), "no idea");
  assert_int_equal(peer.client->fd, -1);
  peer_deinit(&peer);
}

static void test_answers_that_were_not_asked_for(void **state)
{
  static const uint32_t ids[] = {REQUESTS, 0};
  (void)state;
  for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
    struct peer peer;
    struct taken taken = {0};
    peer_init(&peer, NULL);
    peer_answer(&peer, 0, METHOD_PING, NULL);
    peer_answer(&peer, ids[i], METHOD_PING, NULL);
    assert_int_equal(run_pings(&peer, &running, &taken), -EPROTO);
    assert_contains(cm_error(peer.client), "which was not asked");
    assert_int_equal(taken.count, 1);
    peer_deinit(&peer);
  }
}

static void test_ended_from_here(void **state)
{
  struct peer peer;
  struct taken taken = {.result = -EPROTO};
  (void)state;
  peer_init(&peer, &(struct cm_options){.timeout_ms = 20});
  atomic_store(&stopped, true);
  assert_int_equal(run_pings(&peer, &stopped, &taken), -ECANCELED);
  assert_int_equal(peer.client->fd, -1);
  peer_close(&peer);
  peer_connect(&peer);
  assert_int_equal(run_pings(&peer, &running, &taken), -ETIMEDOUT);
  assert_contains(cm_error(peer.client), "no answer within 20 ms");
  peer_close(&peer);
  peer_connect(&peer);
  peer_answer(&peer, 0, METHOD_PING, NULL);
  assert_int_equal(run_pings(&peer, &running, &taken), -EPROTO);
  peer_deinit(&peer);
}

static void test_memory_runs_out(void **state)
{
  bool failed = true;
  (void)state;
  for (long nth = 0; failed; nth++) {
    struct peer peer;
    struct taken taken = {0};
    peer_init(&peer, NULL);
    for (uint32_t id = 0; id < REQUESTS; id++)
      peer_answer(&peer, id, METHOD_PING, NULL);
    failing_alloc_arm(nth);
    int error = run_pings(&peer, &running, &taken);
    failed = failing_alloc_disarm();
    assert_int_equal(error, failed ? -ENOMEM : 0);
    peer_deinit(&peer);
    assert_in_range(nth, 0, 100);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_answers_in_any_order),
      cmocka_unit_test(test_busy_is_asked_again),
      cmocka_unit_test(test_lost_for_good),
      cmocka_unit_test(test_daemon_that_is_leaving),
      cmocka_unit_test(test_refusal_without_an_id),
      cmocka_unit_test(test_answers_that_were_not_asked_for),
      cmocka_unit_test(test_ended_from_here),
      cmocka_unit_test(test_memory_runs_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
