/* Every allocation of every entry point is made to fail in turn: an ordinary error, and no leak. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "proto/puzzle_read.h"
#include "proto/request_read.h"
#include "proto/response.h"
#include "tests/proto/proto_test.h"
#include "tests/proto/samples.h"
#include "tests/support/failing_alloc.h"

struct attempt {
  enum method method;
  enum encoding encoding;
  struct buffer message; /* what there is to decode */
};

/* Holds nothing when it returns. 0, or -ENOMEM when memory ran out. */
typedef int attempt_fn(const struct attempt *attempt);

static void until_it_passes(attempt_fn *run, const struct attempt *attempt)
{
  bool failed = true;
  for (long nth = 0; failed; nth++) {
    failing_alloc_arm(nth);
    int error = run(attempt);
    failed = failing_alloc_disarm();
    assert_int_equal(failing_alloc_outstanding(), 0);
    assert_int_equal(error, failed ? -ENOMEM : 0);
    assert_in_range(nth, 0, 100000);
  }
}

static int decode_request(const struct attempt *attempt)
{
  struct request request;
  struct fault fault = {0};
  if (!request_decode(attempt->message.data, attempt->message.length, attempt->encoding,
                      &message_limits_default, &request, &fault)) {
    request_deinit(&request);
    return 0;
  }
  return fault.error == ERROR_NO_MEMORY ? -ENOMEM : -EBADMSG;
}

static int encode_request(const struct attempt *attempt)
{
  struct buffer out;
  buffer_init(&out);
  request_encode(sample_request(attempt->method), &out);
  int error = out.failed ? -ENOMEM : 0;
  bool something = out.length > 0;
  buffer_deinit(&out);
  return something == !error ? error : -EPROTO;
}

static int encode_result(const struct attempt *attempt)
{
  struct buffer out;
  buffer_init(&out);
  reply_result(&out, attempt->encoding, &sample_id, attempt->method,
               sample_result(attempt->method));
  int error = out.failed ? -ENOMEM : 0;
  bool something = out.length > 0;
  buffer_deinit(&out);
  return something == !error ? error : -EPROTO;
}

static int encode_error(const struct attempt *attempt)
{
  struct buffer out;
  struct fault fault;
  buffer_init(&out);
  fault_set(&fault, ERROR_BUSY, "%200s", "later");
  reply_error(&out, attempt->encoding, &sample_id, &fault);
  reply_progress(&out, attempt->encoding, &sample_id, &sample_progress);
  int error = out.failed ? -ENOMEM : 0;
  buffer_deinit(&out);
  return error;
}

static int decode_response(const struct attempt *attempt)
{
  struct response response;
  struct fault fault = {0};
  struct buffer json;
  union {
    struct result_hello hello;
    struct result_stats stats;
    struct result_solve solve;
    struct result_status status;
    struct result_verify verify;
  } result;
  int error = response_decode(attempt->message.data, attempt->message.length, &response, &fault);
  if (error)
    return error;
  buffer_init(&json);
  error = response_result(&response, attempt->method, &result, &fault);
  if (!error)
    response_json(&response, &json);
  if (json.failed)
    error = -ENOMEM;
  buffer_deinit(&json);
  response_deinit(&response);
  return error;
}

static int read_puzzle(const struct attempt *attempt)
{
  static const char text[] = "{\"grid\":[\"M.C...F\",\"#######\"],\"catJump\":1,\"mouseJump\":2}";
  struct puzzle puzzle;
  struct fault fault = {0};
  void *memory;
  (void)attempt;
  if (puzzle_from_json(text, sizeof text - 1, &message_limits_default, &puzzle, &memory, &fault))
    return fault.error == ERROR_NO_MEMORY ? -ENOMEM : -EBADMSG;
  free(memory);
  return 0;
}

static void test_requests(void **state)
{
  (void)state;
  for (enum method method = 0; method < METHOD_COUNT; method++) {
    struct attempt attempt = {.method = method, .encoding = ENCODING_MSGPACK};
    sample_append(&attempt.message, ENCODING_MSGPACK, method);
    until_it_passes(decode_request, &attempt);
    until_it_passes(encode_request, &attempt);
    buffer_clear(&attempt.message);
    attempt.encoding = ENCODING_JSON_LINES;
    sample_append_json(&attempt.message, ENCODING_UNKNOWN, sample_json[method]);
    until_it_passes(decode_request, &attempt);
    buffer_deinit(&attempt.message);
  }
}

static void test_answers(void **state)
{
  (void)state;
  static const enum encoding encodings[] = {ENCODING_MSGPACK, ENCODING_JSON_LINES,
                                            ENCODING_CONTENT_LENGTH};
  for (enum method method = 0; method < METHOD_COUNT; method++)
    for (int i = 0; i < 3; i++) {
      struct attempt attempt = {.method = method, .encoding = encodings[i]};
      until_it_passes(encode_result, &attempt);
      until_it_passes(encode_error, &attempt);
    }
}

static void test_responses(void **state)
{
  (void)state;
  for (enum method method = 0; method < METHOD_COUNT; method++) {
    struct attempt attempt = {.method = method};
    reply_result(&attempt.message, ENCODING_MSGPACK, &sample_id, method, sample_result(method));
    until_it_passes(decode_response, &attempt);
    buffer_deinit(&attempt.message);
  }
}

static void test_puzzle(void **state)
{
  (void)state;
  until_it_passes(read_puzzle, NULL);
}

/* A reply that does not fit leaves what was in the buffer before it. */
static void test_nothing_is_appended_on_failure(void **state)
{
  (void)state;
  struct buffer out;
  buffer_init(&out);
  buffer_append(&out, "before", 6);
  while (out.length < out.capacity - 20)
    buffer_append(&out, "x", 1);
  size_t length = out.length;
  failing_alloc_arm(0);
  reply_result(&out, ENCODING_MSGPACK, &sample_id, METHOD_STATUS, sample_result(METHOD_STATUS));
  assert_true(failing_alloc_disarm());
  assert_true(out.failed);
  assert_int_equal(out.length, length);
  buffer_deinit(&out);
}

/* Nor does its answer, once the buffer has grown. */
static void test_a_query_allocates_nothing(void **state)
{
  (void)state;
  struct attempt attempt = {.method = METHOD_QUERY, .encoding = ENCODING_MSGPACK};
  struct buffer out;
  buffer_init(&out);
  sample_append(&attempt.message, ENCODING_MSGPACK, METHOD_QUERY);
  reply_result(&out, ENCODING_MSGPACK, &sample_id, METHOD_QUERY, sample_result(METHOD_QUERY));
  buffer_clear(&out);
  failing_alloc_arm(0);
  assert_int_equal(decode_request(&attempt), 0);
  reply_result(&out, ENCODING_MSGPACK, &sample_id, METHOD_QUERY, sample_result(METHOD_QUERY));
  assert_false(failing_alloc_disarm());
  assert_false(out.failed);
  buffer_deinit(&attempt.message);
  buffer_deinit(&out);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_requests),
      cmocka_unit_test(test_answers),
      cmocka_unit_test(test_responses),
      cmocka_unit_test(test_puzzle),
      cmocka_unit_test(test_nothing_is_appended_on_failure),
      cmocka_unit_test(test_a_query_allocates_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
