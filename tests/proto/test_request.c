/* The same request in any encoding is the same struct, and goes round unchanged. */
#include "proto/request_read.h"

#include <stdio.h>
#include <string.h>

#include "tests/proto/proto_test.h"
#include "tests/proto/samples.h"

static void decode_json(const char *json, struct request *request)
{
  struct fault fault = {0};
  if (request_decode(json, strlen(json), ENCODING_JSON_LINES, &message_limits_default, request,
                     &fault))
    fail_msg("%s: %s", json, fault.text);
}

static void decode_msgpack(const struct buffer *bytes, struct request *request)
{
  struct fault fault = {0};
  if (request_decode(bytes->data, bytes->length, ENCODING_MSGPACK, &message_limits_default, request,
                     &fault))
    fail_msg("%s", fault.text);
}

static void check_same_puzzle(const struct puzzle *a, const struct puzzle *b)
{
  assert_int_equal(a->game, b->game);
  if (a->game == GAME_GRAPH) {
    size_t offsets = (a->graph.nodes + (size_t)1) * sizeof(uint32_t);
    assert_int_equal(a->graph.nodes, b->graph.nodes);
    assert_memory_equal(a->graph.first, b->graph.first, offsets);
    assert_memory_equal(a->graph.neighbour, b->graph.neighbour,
                        a->graph.first[a->graph.nodes] * sizeof(int32_t));
    return;
  }
  assert_int_equal(a->grid.rows, b->grid.rows);
  assert_memory_equal(a->grid.jump, b->grid.jump, sizeof a->grid.jump);
  for (uint32_t row = 0; row < a->grid.rows; row++) {
    assert_int_equal(a->grid.row_length[row], b->grid.row_length[row]);
    assert_memory_equal(a->grid.row[row], b->grid.row[row], a->grid.row_length[row]);
  }
}

static void check_same_state(const struct state *a, const struct state *b)
{
  assert_int_equal(a->mouse, b->mouse);
  assert_int_equal(a->cat, b->cat);
  assert_int_equal(a->turn, b->turn);
}

static void check_same(const struct request *a, const struct request *b)
{
  assert_int_equal(a->method, b->method);
  assert_true(request_id_equal(&a->id, &b->id));
  assert_int_equal(a->notification, b->notification);
  assert_int_equal(a->given, b->given);
  if (request_has(a, PARAM_PUZZLE))
    check_same_puzzle(&a->puzzle, &b->puzzle);
  if (request_has(a, PARAM_STATE))
    check_same_state(&a->state, &b->state);
  if (request_has(a, PARAM_ID) || request_has(a, PARAM_CANCEL_PUZZLE))
    assert_string_equal(a->puzzle_id, b->puzzle_id);
  if (request_has(a, PARAM_LIMIT))
    assert_int_equal(a->limit_plies, b->limit_plies);
  if (request_has(a, PARAM_MAX))
    assert_int_equal(a->max, b->max);
  if (request_has(a, PARAM_DEPTH))
    assert_int_equal(a->depth_plies, b->depth_plies);
  if (request_has(a, PARAM_WAIT_MS))
    assert_int_equal(a->wait_ms, b->wait_ms);
  if (request_has(a, PARAM_PROGRESS))
    assert_int_equal(a->progress, b->progress);
  if (request_has(a, PARAM_REQUEST))
    assert_true(request_id_equal(&a->cancels, &b->cancels));
  if (request_has(a, PARAM_CLIENT))
    assert_string_equal(a->client, b->client);
  if (request_has(a, PARAM_VERSION))
    assert_string_equal(a->version, b->version);
}

static void test_all_encodings_agree(void **state)
{
  (void)state;
  for (enum method method = 0; method < METHOD_COUNT; method++) {
    struct request from_json, from_msgpack;
    struct buffer bytes;
    buffer_init(&bytes);
    sample_append(&bytes, ENCODING_MSGPACK, method);
    decode_msgpack(&bytes, &from_msgpack);
    decode_json(sample_json[method], &from_json);
    check_same(sample_request(method), &from_msgpack);
    check_same(&from_msgpack, &from_json);
    request_deinit(&from_json);
    request_deinit(&from_msgpack);
    buffer_deinit(&bytes);
  }
}

static void test_goes_round_unchanged(void **state)
{
  (void)state;
  for (enum method method = 0; method < METHOD_COUNT; method++) {
    struct request decoded;
    struct buffer once, twice;
    buffer_init(&once);
    buffer_init(&twice);
    sample_append(&once, ENCODING_MSGPACK, method);
    decode_msgpack(&once, &decoded);
    request_encode(&decoded, &twice);
    assert_int_equal(once.length, twice.length);
    assert_memory_equal(once.data, twice.data, once.length);
    request_deinit(&decoded);
    buffer_deinit(&twice);
    buffer_deinit(&once);
  }
}

static void test_every_truncation_is_refused(void **state)
{
  (void)state;
  for (enum method method = 0; method < METHOD_COUNT; method++) {
    struct request request;
    struct fault fault;
    struct buffer bytes;
    buffer_init(&bytes);
    sample_append(&bytes, ENCODING_MSGPACK, method);
    for (size_t length = 0; length < bytes.length; length++) {
      assert_int_not_equal(request_decode(bytes.data, length, ENCODING_MSGPACK,
                                          &message_limits_default, &request, &fault),
                           0);
      assert_int_equal(fault.error, ERROR_PARSE);
    }
    for (size_t length = 0; length < strlen(sample_json[method]); length++) {
      assert_int_not_equal(request_decode(sample_json[method], length, ENCODING_JSON_LINES,
                                          &message_limits_default, &request, &fault),
                           0);
      assert_int_equal(fault.error, ERROR_PARSE);
    }
    buffer_deinit(&bytes);
  }
}

static void test_forms_of_params(void **state)
{
  (void)state;
  static const char *const forms[] = {
      "{\"id\":1,\"method\":\"stats\"}",
      "{\"id\":1,\"method\":\"stats\",\"params\":null}",
      "{\"id\":1,\"method\":\"stats\",\"params\":[]}",
      "{\"id\":1,\"method\":\"stats\",\"params\":{}}",
      "{\"id\":1,\"method\":\"stats\",\"params\":[{}]}",
      "{\"id\":1,\"method\":\"stats\",\"params\":[[]]}",
      "{\"id\":1,\"method\":\"stats\",\"params\":[null]}",
  };
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
    struct request request;
    decode_json(forms[i], &request);
    assert_int_equal(request.method, METHOD_STATS);
    assert_int_equal(request.given, 0);
    request_deinit(&request);
  }
}

static void test_forms_of_puzzle(void **state)
{
  (void)state;
  struct request bare, map;
  decode_json("{\"id\":1,\"method\":\"solve\",\"params\":{\"puzzle\":[[1,2],[0],[0]]}}", &bare);
  decode_json(
      "{\"id\":1,\"method\":\"solve\",\"params\":[{\"puzzle\":{\"graph\":[[1,2],[0],[0]]}}]}",
      &map);
  check_same(&bare, &map);
  request_deinit(&bare);
  request_deinit(&map);
}

static void test_forms_of_turn_and_id(void **state)
{
  (void)state;
  struct request a, b;
  decode_json(
      "{\"id\":1,\"method\":\"query\",\"params\":{\"state\":{\"mouse\":4294967295,\"cat\":0,"
      "\"turn\":1},\"id\":\"ABCDEF\"}}",
      &a);
  decode_json(
      "{\"id\":1,\"method\":\"query\",\"params\":{\"id\":\"abcdef\",\"state\":{\"turn\":\"cat\","
      "\"cat\":0,\"mouse\":4294967295}}}",
      &b);
  assert_int_equal(a.state.mouse, UINT32_MAX);
  assert_int_equal(a.state.turn, PLAYER_CAT);
  check_same(&a, &b);
  request_deinit(&a);
  request_deinit(&b);
}

static void test_forms_of_cancel(void **state)
{
  (void)state;
  const struct request *by_request = sample_request(METHOD_CANCEL);
  struct request read, again;
  struct buffer bytes;
  decode_json("{\"id\":1,\"method\":\"$/cancelRequest\",\"params\":{\"id\":7}}", &read);
  check_same(by_request, &read);
  decode_json("{\"id\":1,\"method\":\"cancel\",\"params\":{\"id\":\"x\\u0000\"}}", &read);
  buffer_init(&bytes);
  request_encode(&read, &bytes);
  decode_msgpack(&bytes, &again);
  check_same(&read, &again);
  assert_int_equal(again.cancels.length, 2);
  buffer_deinit(&bytes);
  decode_json("{\"id\":1,\"method\":\"cancel\",\"params\":{\"puzzle\":\"ABCDEF\"}}", &read);
  assert_int_equal(read.given, P(CANCEL_PUZZLE));
  assert_string_equal(read.puzzle_id, "abcdef");
  buffer_init(&bytes);
  request_encode(&read, &bytes);
  decode_msgpack(&bytes, &again);
  check_same(&read, &again);
  buffer_deinit(&bytes);
}

/* Null is as good as nothing, a real that is whole as an integer, and 0 as no `max`. */
static void test_forgiven_forms(void **state)
{
  (void)state;
  struct request read;
  decode_json(
      "{\"id\":1,\"method\":\"line\",\"params\":{\"state\":{\"mouse\":1.0,\"cat\":2e0,\"turn\":0.0}"
      ","
      "\"id\":null,\"puzzle\":null,\"limit\":null,\"max\":0,\"wait_ms\":null,\"progress\":null}}",
      &read);
  assert_int_equal(read.given, P(STATE));
  check_same_state(&read.state, &(struct state){1, 2, PLAYER_MOUSE});
  decode_json(
      "{\"id\":1,\"method\":\"solve\",\"params\":{\"puzzle\":{\"graph\":[[1.0,2],[-0.0],[0]],"
      "\"grid\":null,\"catJump\":null}}}",
      &read);
  assert_int_equal(read.puzzle.graph.neighbour[0], 1);
  assert_int_equal(read.puzzle.graph.neighbour[2], 0);
  request_deinit(&read);
}

static void test_request_ids(void **state)
{
  (void)state;
  static const struct {
    const char *json;
    struct request_id id;
    bool notification;
  } cases[] = {
      {"{\"method\":\"ping\"}", {.kind = REQUEST_ID_NONE}, true},
      {"{\"id\":null,\"method\":\"ping\"}", {.kind = REQUEST_ID_NONE}, false},
      {"{\"id\":-5,\"method\":\"ping\"}", {.kind = REQUEST_ID_NUMBER, .number = -5}, false},
      {"{\"id\":9007199254740993,\"method\":\"ping\"}",
       {.kind = REQUEST_ID_NUMBER, .number = 9007199254740993},
       false},
      {"{\"id\":\"x\\u00e9\",\"method\":\"ping\"}",
       {.kind = REQUEST_ID_TEXT, .length = 3, .text = "x\xc3\xa9"},
       false},
      {"{\"id\":\"\",\"method\":\"ping\"}", {.kind = REQUEST_ID_TEXT}, false},
      {"{\"id\":\"a\\u0000b\",\"method\":\"ping\"}",
       {.kind = REQUEST_ID_TEXT, .length = 3, .text = "a\0b"},
       false},
      {"{\"id\":-9223372036854775808,\"method\":\"ping\"}",
       {.kind = REQUEST_ID_NUMBER, .number = INT64_MIN},
       false},
      {"{\"id\":2.0,\"method\":\"ping\"}", {.kind = REQUEST_ID_NUMBER, .number = 2}, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct request request;
    decode_json(cases[i].json, &request);
    assert_true(request_id_equal(&request.id, &cases[i].id));
    assert_int_equal(request.notification, cases[i].notification);
    request_deinit(&request);
  }
}

static void test_cells_become_nodes(void **state)
{
  (void)state;
  static const struct {
    uint32_t rows, cols;
    const char *text; /* of the fault */
  } cases[] = {
      {0, 0, "state.mouse is a row and a column, but the puzzle is a graph"},
      {2, 4, "state.mouse is row 2, column 3, but the grid has 2 rows and 4 columns"},
      {3, 3, "state.mouse is row 2, column 3, but the grid has 3 rows and 3 columns"},
      {3, 4, NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct request read;
    struct fault fault = {0};
    decode_json("{\"id\":1,\"method\":\"query\",\"params\":{\"state\":"
                "{\"mouse\":[2,3],\"cat\":[1,0],\"turn\":0}}}",
                &read);
    int error = request_find_cells(&read, cases[i].rows, cases[i].cols, &fault);
    assert_int_equal(error != 0, cases[i].text != NULL);
    if (cases[i].text)
      assert_string_equal(fault.text, cases[i].text);
    else
      check_same_state(&read.state, &(struct state){11, 4, PLAYER_MOUSE});
    assert_int_equal(request_find_cells(&read, 3, 4, &fault), 0); /* also the second time */
  }
}

static void test_notification(void **state)
{
  (void)state;
  struct request cancel = *sample_request(METHOD_CANCEL), decoded;
  struct buffer bytes;
  buffer_init(&bytes);
  cancel.notification = true;
  request_encode(&cancel, &bytes);
  assert_int_equal((uint8_t)bytes.data[0], 0x93);
  assert_int_equal(bytes.data[1], 2);
  decode_msgpack(&bytes, &decoded);
  assert_true(decoded.notification);
  assert_int_equal(decoded.id.kind, REQUEST_ID_NONE);
  assert_int_equal(decoded.cancels.number, 7);
  request_deinit(&decoded);
  buffer_deinit(&bytes);
}

static void test_long_texts_are_cut(void **state)
{
  (void)state;
  char json[400], name[201];
  struct request request;
  memset(name, 'n', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  snprintf(json, sizeof json, "{\"id\":1,\"method\":\"hello\",\"params\":{\"client\":\"%s\"}}",
           name);
  decode_json(json, &request);
  assert_int_equal(strlen(request.client), PARAM_TEXT_MAX);
  request_deinit(&request);
}

/* A path 0 - 1 - 2 ... of a million nodes, in every encoding. */
static void test_a_million_nodes(void **state)
{
  (void)state;
  enum { NODES = 1000000 };
  struct message_limits fewer = message_limits_default;
  struct buffer json, bytes;
  struct request from_json, from_msgpack, refused;
  struct fault fault;
  char item[48];
  buffer_init(&json);
  buffer_init(&bytes);
  sample_append_json(&json, ENCODING_UNKNOWN,
                     "{\"id\":1,\"method\":\"solve\",\"params\":{\"puzzle\":[[1]");
  for (int node = 1; node < NODES; node++) {
    int length = node < NODES - 1 ? snprintf(item, sizeof item, ",[%d,%d]", node - 1, node + 1)
                                  : snprintf(item, sizeof item, ",[%d]", node - 1);
    buffer_append(&json, item, (size_t)length);
  }
  buffer_append(&json, "]}}", 4);
  decode_json(json.data, &from_json);
  request_encode(&from_json, &bytes);
  decode_msgpack(&bytes, &from_msgpack);
  assert_int_equal(from_json.puzzle.graph.nodes, NODES);
  check_same(&from_json, &from_msgpack);
  fewer.nodes = NODES - 1;
  assert_int_not_equal(
      request_decode(bytes.data, bytes.length, ENCODING_MSGPACK, &fewer, &refused, &fault), 0);
  assert_int_equal(fault.error, ERROR_LIMIT);
  assert_string_equal(fault.text, "the puzzle has 1000000 nodes, more than the 999999 allowed");
  request_deinit(&from_json);
  request_deinit(&from_msgpack);
  buffer_deinit(&bytes);
  buffer_deinit(&json);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all_encodings_agree),
      cmocka_unit_test(test_goes_round_unchanged),
      cmocka_unit_test(test_every_truncation_is_refused),
      cmocka_unit_test(test_forms_of_params),
      cmocka_unit_test(test_forms_of_puzzle),
      cmocka_unit_test(test_forms_of_turn_and_id),
      cmocka_unit_test(test_forms_of_cancel),
      cmocka_unit_test(test_forgiven_forms),
      cmocka_unit_test(test_request_ids),
      cmocka_unit_test(test_cells_become_nodes),
      cmocka_unit_test(test_notification),
      cmocka_unit_test(test_long_texts_are_cut),
      cmocka_unit_test(test_a_million_nodes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
