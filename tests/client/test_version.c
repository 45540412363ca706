/* A daemon of another version: said where it may be why an answer was not understood, and only there. */
#include <errno.h>
#include <string.h>

#include "tests/client/client_test.h"
#include "tests/client/peer.h"

static void answer_hello(struct peer *peer, uint32_t id, const char *version, uint32_t protocol)
{
  const struct result_hello hello = {.name = "catmouse", .version = version, .protocol = protocol};
  peer_answer(peer, id, METHOD_HELLO, &hello);
}

static void test_answer_not_understood(void **state)
{
  static const struct result_evict other = {0};
  struct peer peer;
  struct cm_list list;
  (void)state;
  peer_init(&peer, NULL);
  peer_answer(&peer, 1, METHOD_CLEAR, &other);
  answer_hello(&peer, 2, "0.0.9", PROTOCOL_VERSION);
  assert_int_equal(cm_list(peer.client, &list), -EPROTO);
  assert_contains(cm_error(peer.client), "the answer has no tables");
  assert_contains(cm_error(peer.client), "the daemon is catmouse 0.0.9, not " CATMOUSE_VERSION);
  assert_int_equal(peer.client->fd, -1);
  peer_deinit(&peer);
}

static void test_request_not_understood(void **state)
{
  struct peer peer;
  (void)state;
  peer_init(&peer, NULL);
  peer_refuse(&peer, 1, ERROR_METHOD, "there is no method 'ping'");
  answer_hello(&peer, 2, CATMOUSE_VERSION, PROTOCOL_VERSION + 1);
  assert_int_equal(cm_ping(peer.client), -EREMOTEIO);
  assert_string_equal(cm_error_name(peer.client), "E_METHOD");
  assert_contains(cm_error(peer.client), "there is no method 'ping' (the daemon is catmouse ");
  peer_deinit(&peer);
}

static void test_same_version(void **state)
{
  struct peer peer;
  (void)state;
  peer_init(&peer, NULL);
  peer_refuse(&peer, 1, ERROR_PARAMS, "params.id has 3 digits, not 6 to 64");
  answer_hello(&peer, 2, CATMOUSE_VERSION, PROTOCOL_VERSION);
  assert_int_equal(cm_ping(peer.client), -EREMOTEIO);
  assert_string_equal(cm_error_name(peer.client), "E_PARAMS");
  assert_string_equal(cm_error(peer.client), "params.id has 3 digits, not 6 to 64");
  assert_int_not_equal(peer.client->fd, -1);
  peer_deinit(&peer);
}

static void test_other_refusals_are_not_looked_into(void **state)
{
  struct peer peer;
  struct request request;
  (void)state;
  peer_init(&peer, NULL);
  peer_refuse(&peer, 1, ERROR_BUSY, "later");
  assert_int_equal(cm_ping(peer.client), -EREMOTEIO);
  peer_take_request(&peer, &request);
  assert_true(peer_heard_all(&peer));
  peer_deinit(&peer);
}

static void test_hello_fails(void **state)
{
  struct peer peer;
  (void)state;
  peer_init(&peer, NULL);
  peer_refuse(&peer, 1, ERROR_METHOD, "there is no method 'ping'");
  peer_refuse(&peer, 2, ERROR_METHOD, "there is no method 'hello'");
  assert_int_equal(cm_ping(peer.client), -EREMOTEIO);
  assert_string_equal(cm_error(peer.client), "there is no method 'ping'");
  peer_refuse(&peer, 3, ERROR_METHOD, "there is no method 'ping'");
  peer_close(&peer);
  assert_int_equal(cm_ping(peer.client), -EREMOTEIO);
  assert_string_equal(cm_error(peer.client), "there is no method 'ping'");
  assert_int_equal(peer.client->fd, -1);
  peer_deinit(&peer);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_answer_not_understood),
      cmocka_unit_test(test_request_not_understood),
      cmocka_unit_test(test_same_version),
      cmocka_unit_test(test_other_refusals_are_not_looked_into),
      cmocka_unit_test(test_hello_fails),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
