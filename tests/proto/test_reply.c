/* Answers: the same in every encoding, and read back by the client as they were. */
#include "proto/response.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>

#include "tests/proto/feed.h"
#include "tests/proto/proto_test.h"
#include "tests/proto/samples.h"

union any_result {
  struct result_hello hello;
  struct result_solve solve;
  struct result_query query;
  struct result_line line;
  struct result_stats stats;
  struct result_verify verify;
  struct result_list list;
  struct result_evict evict;
  struct result_status status;
  struct result_cancel cancel;
  struct result_shutdown shutdown;
};

static void decode(const struct buffer *bytes, struct response *response)
{
  struct fault fault = {0};
  if (response_decode(bytes->data, bytes->length, response, &fault))
    fail_msg("%s", fault.text);
}

static void check_same_bytes(const struct buffer *a, const struct buffer *b)
{
  assert_int_equal(a->length, b->length);
  assert_memory_equal(a->data, b->data, a->length);
}

/* What was read must pack to the same bytes again. */
static void check_round_trip(enum method method, const void *result)
{
  struct buffer once, twice;
  struct response response;
  struct fault fault = {0};
  union any_result read;
  buffer_init(&once);
  buffer_init(&twice);
  memset(&read, 0xa5, sizeof read);
  reply_result(&once, ENCODING_MSGPACK, &sample_id, method, result);
  decode(&once, &response);
  assert_int_equal(response.kind, RESPONSE_RESULT);
  assert_int_equal(response.id, SAMPLE_ID);
  if (response_result(&response, method, &read, &fault))
    fail_msg("%s: %s", method_kinds[method].name, fault.text);
  reply_result(&twice, ENCODING_MSGPACK, &sample_id, method, &read);
  check_same_bytes(&once, &twice);
  response_deinit(&response);
  buffer_deinit(&twice);
  buffer_deinit(&once);
}

static void test_results_go_round_unchanged(void **state)
{
  (void)state;
  for (enum method method = 0; method < METHOD_COUNT; method++)
    check_round_trip(method, sample_result(method));
  struct result_query over = {.id = "abcdef", .outcome = OUTCOME_CAT, .over = true};
  check_round_trip(METHOD_QUERY, &over);
  struct result_verify correct = {.id = "abcdef", .correct = true, .checked = UINT64_MAX};
  check_round_trip(METHOD_VERIFY, &correct);
  correct.cols = 7;
  check_round_trip(METHOD_VERIFY, &correct);
  struct result_stats of_grid = {.id = "abcdef", .game = GAME_GRID, .cols = 7};
  check_round_trip(METHOD_STATS, &of_grid);
  struct result_list empty = {0};
  check_round_trip(METHOD_LIST, &empty);
}

static void test_nulls_are_read(void **state)
{
  (void)state;
  struct buffer bytes;
  struct response response;
  struct fault fault;
  struct result_query query;
  struct result_query over = {.id = "abcdef", .outcome = OUTCOME_DRAW, .plies = PLIES_NONE};
  buffer_init(&bytes);
  reply_result(&bytes, ENCODING_MSGPACK, &sample_id, METHOD_QUERY, &over);
  decode(&bytes, &response);
  assert_int_equal(response_result(&response, METHOD_QUERY, &query, &fault), 0);
  assert_int_equal(query.plies, PLIES_NONE);
  assert_int_equal(query.outcome, OUTCOME_DRAW);
  assert_false(query.has_best);
  assert_int_equal(query.moves_count, 0);
  response_deinit(&response);
  buffer_deinit(&bytes);
}

/* The text after {"jsonrpc":"2.0","id":1,"result": is the result map itself. */
static void test_json_is_the_same_answer(void **state)
{
  (void)state;
  static const char head[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":";
  for (enum method method = 0; method < METHOD_COUNT; method++) {
    struct buffer packed, line, alone;
    struct response response;
    buffer_init(&packed);
    buffer_init(&line);
    buffer_init(&alone);
    reply_result(&packed, ENCODING_MSGPACK, &sample_id, method, sample_result(method));
    reply_result(&line, ENCODING_JSON_LINES, &sample_id, method, sample_result(method));
    decode(&packed, &response);
    response_json(&response, &alone);
    assert_memory_equal(line.data, head, sizeof head - 1);
    assert_int_equal(line.length, sizeof head - 1 + alone.length + 2);
    assert_memory_equal(line.data + sizeof head - 1, alone.data, alone.length);
    assert_memory_equal(line.data + line.length - 2, "}\n", 2);
    json_error_t error;
    json_t *json = json_loadb(line.data, line.length, JSON_REJECT_DUPLICATES, &error);
    if (!json)
      fail_msg("%.*s: %s", (int)line.length, line.data, error.text);
    json_decref(json);
    response_deinit(&response);
    buffer_deinit(&alone);
    buffer_deinit(&line);
    buffer_deinit(&packed);
  }
}

static void test_content_length_frames_the_line(void **state)
{
  (void)state;
  for (enum method method = 0; method < METHOD_COUNT; method++) {
    struct buffer line, framed;
    struct feed feed;
    buffer_init(&line);
    buffer_init(&framed);
    feed_init(&feed, &message_limits_default);
    reply_result(&line, ENCODING_JSON_LINES, &sample_text_id, method, sample_result(method));
    reply_result(&framed, ENCODING_CONTENT_LENGTH, &sample_text_id, method, sample_result(method));
    feed_bytes(&feed, framed.data, framed.length);
    assert_int_equal(feed.count, 1);
    assert_int_equal(feed.bodies.length, line.length - 1);
    assert_memory_equal(feed.bodies.data, line.data, line.length - 1);
    assert_int_equal(feed.pending.length, 0);
    feed_deinit(&feed);
    buffer_deinit(&framed);
    buffer_deinit(&line);
  }
}

static void check_text(struct buffer *out, const char *text)
{
  buffer_append(out, "", 1);
  assert_string_equal(out->data, text);
  buffer_clear(out);
}

static void test_json_forms(void **state)
{
  (void)state;
  struct buffer out;
  struct fault fault;
  const struct request_id none = {.kind = REQUEST_ID_NONE};
  buffer_init(&out);
  fault_set(&fault, ERROR_BAD_PUZZLE, "graph[3] is \"\xff\"\x01\\, not \xc3\xa9");
  reply_error(&out, ENCODING_JSON_LINES, &sample_text_id, &fault);
  check_text(&out, "{\"jsonrpc\":\"2.0\",\"id\":\"h\xc3\xa9-1\",\"error\":{\"code\":-32602,"
                   "\"message\":\"graph[3] is \\\"?\\\"\\u0001\\\\, not \xc3\xa9\","
                   "\"data\":{\"name\":\"E_BAD_PUZZLE\"}}}\n");
  fault_set(&fault, ERROR_PARSE, "no");
  reply_error(&out, ENCODING_UNKNOWN, &none, &fault);
  check_text(&out, "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"no\","
                   "\"data\":{\"name\":\"E_PARSE\"}}}\n");
  reply_progress(&out, ENCODING_JSON_LINES, &sample_id, &sample_progress);
  check_text(&out, "{\"jsonrpc\":\"2.0\",\"method\":\"progress\",\"params\":{\"request\":1,"
                   "\"layers\":12,\"decided\":3456,\"states\":80000}}\n");
  buffer_deinit(&out);
}

static void test_solving(void **state)
{
  (void)state;
  const struct result_solve *solved = sample_result(METHOD_SOLVE);
  struct result_solving solving;
  struct response response;
  struct buffer out;
  buffer_init(&out);
  memcpy(solving.id, solved->id, sizeof solving.id);
  reply_solving(&out, ENCODING_JSON_LINES, &sample_id, &solving);
  check_text(
      &out,
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"status\":\"solving\",\"id\":\"" SAMPLE_PUZZLE
      "\"}}\n");
  reply_solving(&out, ENCODING_MSGPACK, &sample_id, &solving);
  decode(&out, &response);
  assert_int_equal(response.kind, RESPONSE_SOLVING);
  assert_int_equal(response.id, SAMPLE_ID);
  assert_string_equal(response.solving.id, SAMPLE_PUZZLE);
  response_deinit(&response);
  buffer_deinit(&out);
}

static void test_every_error_goes_round(void **state)
{
  (void)state;
  for (enum error error = 0; error < ERROR_COUNT; error++) {
    struct buffer bytes;
    struct response response;
    struct fault fault;
    buffer_init(&bytes);
    fault_set(&fault, error, "graph[3]: %s", error_kinds[error].meaning);
    reply_error(&bytes, ENCODING_MSGPACK, &sample_id, &fault);
    decode(&bytes, &response);
    assert_int_equal(response.kind, RESPONSE_ERROR);
    assert_int_equal(response.id, SAMPLE_ID);
    assert_int_equal(response.fault.error, error);
    assert_string_equal(response.fault.text, fault.text);
    response_deinit(&response);
    buffer_deinit(&bytes);
  }
}

static void test_error_without_id(void **state)
{
  (void)state;
  struct buffer bytes;
  struct response response;
  struct fault fault;
  const struct request_id none = {.kind = REQUEST_ID_NONE};
  buffer_init(&bytes);
  fault_set(&fault, ERROR_PARSE, "no");
  reply_error(&bytes, ENCODING_MSGPACK, &none, &fault);
  assert_int_equal(bytes.length, 5 + 13);
  assert_memory_equal(bytes.data,
                      "\x94\x01\xc0\x92\x01\xab"
                      "E_PARSE: no\xc0",
                      bytes.length);
  decode(&bytes, &response);
  assert_int_equal(response.kind, RESPONSE_ERROR);
  response_deinit(&response);
  buffer_deinit(&bytes);
}

static void test_progress_goes_round(void **state)
{
  (void)state;
  struct buffer bytes;
  struct response response;
  buffer_init(&bytes);
  reply_progress(&bytes, ENCODING_MSGPACK, &sample_id, &sample_progress);
  decode(&bytes, &response);
  assert_int_equal(response.kind, RESPONSE_PROGRESS);
  assert_int_equal(response.id, SAMPLE_ID);
  assert_memory_equal(&response.progress, &sample_progress, sizeof sample_progress);
  response_deinit(&response);
  buffer_deinit(&bytes);
}

struct answer {
  const char *bytes;
  size_t length;
};

#define BYTES(literal) (literal), sizeof(literal) - 1

static void test_what_is_no_answer(void **state)
{
  (void)state;
  static const struct answer cases[] = {
      {BYTES("")},
      {BYTES("\x94\x01\x01\xc0")},
      {BYTES("\x94\x01\x01\xc0\xc0\xc0")},
      {BYTES("\x94\x00\x01\xa4ping\x90")},
      {BYTES("\x94\x01\xa1x\xc0\xa4pong")},
      {BYTES("\x94\x01\x01\x05\xc0")},
      {BYTES("\x93\x02\xa4ping\x90")},
      {BYTES("\x93\x02\xa8progress\x91\x80")},
      {BYTES("\x94\x01\x01\xc0\xdd\x7f\x00\x00\x00")},
      {BYTES("\x94\x01\x01\xc0\x81\xa6status\xa4"
             "done")},
  };
  struct response response;
  struct fault fault;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    assert_int_not_equal(response_decode(cases[i].bytes, cases[i].length, &response, &fault), 0);
}

static void test_wrong_result_names_the_field(void **state)
{
  (void)state;
  struct buffer bytes;
  struct response response;
  struct fault fault;
  struct result_query query;
  buffer_init(&bytes);
  reply_result(&bytes, ENCODING_MSGPACK, &sample_id, METHOD_LINE, sample_result(METHOD_LINE));
  decode(&bytes, &response);
  assert_int_not_equal(response_result(&response, METHOD_QUERY, &query, &fault), 0);
  assert_string_equal(fault.text, "the answer has no over");
  assert_int_not_equal(response_result(&response, METHOD_PING, &query, &fault), 0);
  response_deinit(&response);
  buffer_deinit(&bytes);
}

struct wrong_result {
  enum method method;
  const char *bytes; /* of the result alone */
  size_t length;
  const char *sentence;
};

/* clang-format off */
#define HELLO(rest) BYTES("\x85\xa4name\xa1n\xa7version\xa1v\xa8protocol\x01" rest)

static const struct wrong_result wrong_results[] = {
    {METHOD_EVICT, BYTES("\x07"), "the answer's map is 7"},
    {METHOD_EVICT, BYTES("\x81\xa7""evicted\x01"), "the answer has no bytes"},
    {METHOD_EVICT, BYTES("\x82\xa7""evicted\xa1x\xa5""bytes\x01"), "the answer's evicted is \"x\""},
    {METHOD_EVICT, BYTES("\x82\xa7""evicted\xff\xa5""bytes\x01"), "the answer's evicted is -1"},
    {METHOD_EVICT, BYTES("\x81\xa7""evicted\xc3"), "the answer's evicted is true"},
    {METHOD_EVICT, BYTES("\x81\xa7""evicted\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00"), "the answer's evicted is 1.5"},
    {METHOD_EVICT, BYTES("\x81\xa7""evicted\xc4\x01x"), "the answer's evicted is binary data"},
    {METHOD_EVICT, BYTES("\x81\xa7""evicted\xd4\x01x"), "the answer's evicted is an extension"},
    {METHOD_CANCEL, BYTES("\x81\xa9""cancelled\x01"), "the answer's cancelled is 1"},
    {METHOD_SOLVE, BYTES("\x82\xa2id\xa0\xa4game\xa5""chess"), "the answer's game is \"chess\""},
    {METHOD_QUERY, BYTES("\x81\xa2id\x01"), "the answer's id is 1"},
    {METHOD_QUERY, BYTES("\x82\xa2id\xa0\xa5state\xc0"), "the answer's map is null"},
    {METHOD_HELLO, BYTES("\x81\xa4name\x90"), "the answer's name is a list"},
    {METHOD_HELLO, HELLO("\xa7methods\x80\xa6limits\x80"), "the answer's methods is a map"},
    {METHOD_HELLO, HELLO("\xa7methods\x91\x01\xa6limits\x80"), "the answer's methods is 1"},
    {METHOD_HELLO, HELLO("\xa7methods\x90\xa6limits\x90"), "the answer's limits is a list"},
    {METHOD_HELLO, HELLO("\xa7methods\x90\xa6limits\x81\x01\x01"), "the answer's limits is 1"},
    {METHOD_HELLO, HELLO("\xa7methods\x90\xa6limits\x81\xa1x\xa1y"), "the answer's limits is \"y\""},
    {METHOD_LIST, BYTES("\x81\xa6tables\x91\x90"), "the answer's map is a list"},
    {METHOD_PING, BYTES("\xa4pang"), "what the daemon sent is no answer"},
};
/* clang-format on */

static void decode_result(const char *bytes, size_t length, struct response *response)
{
  struct buffer message;
  buffer_init(&message);
  buffer_append(&message, "\x94\x01\x01\xc0", 4);
  buffer_append(&message, bytes, length);
  decode(&message, response);
  buffer_deinit(&message);
}

static void test_wrong_results(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof wrong_results / sizeof wrong_results[0]; i++) {
    const struct wrong_result *wrong = &wrong_results[i];
    struct response response;
    struct fault fault;
    uint64_t result[64]; /* room for any */
    decode_result(wrong->bytes, wrong->length, &response);
    assert_int_equal(response_result(&response, wrong->method, result, &fault), -EBADMSG);
    assert_string_equal(fault.text, wrong->sentence);
    response_deinit(&response);
  }
}

/* From a daemon of a later version, say. */
static void test_unknown_keys_are_passed_over(void **state)
{
  (void)state;
  struct response response;
  struct fault fault;
  struct result_evict result;
  decode_result(BYTES("\x85\xa3new\x92\x01\x81\x02\x90\xa7"
                      "evicted\x03\xa7"
                      "evicted\xa1x\x91\x05\xc0"
                      "\xa5"
                      "bytes\x04"),
                &response);
  assert_int_equal(response_result(&response, METHOD_EVICT, &result, &fault), 0);
  assert_int_equal(result.evicted, 3);
  assert_int_equal(result.bytes, 4);
  response_deinit(&response);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_wrong_results),
      cmocka_unit_test(test_unknown_keys_are_passed_over),
      cmocka_unit_test(test_results_go_round_unchanged),
      cmocka_unit_test(test_nulls_are_read),
      cmocka_unit_test(test_json_is_the_same_answer),
      cmocka_unit_test(test_content_length_frames_the_line),
      cmocka_unit_test(test_json_forms),
      cmocka_unit_test(test_solving),
      cmocka_unit_test(test_every_error_goes_round),
      cmocka_unit_test(test_error_without_id),
      cmocka_unit_test(test_progress_goes_round),
      cmocka_unit_test(test_what_is_no_answer),
      cmocka_unit_test(test_wrong_result_names_the_field),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
