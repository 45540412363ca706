/* What bad requests are told: the error, the sentence, and to whom. */
#include <stdlib.h>
#include <string.h>

#include "proto/puzzle_read.h"
#include "proto/request_read.h"
#include "tests/proto/proto_test.h"
#include "tests/proto/samples.h"

struct json_case {
  const char *json;
  enum error error;
  const char *text; /* part of what the fault must say */
};

#define QUERY(params) "{\"id\":1,\"method\":\"query\",\"params\":" params "}"
#define STATE(state)  QUERY("{\"state\":" state "}")
#define SOLVE(puzzle) "{\"id\":1,\"method\":\"solve\",\"params\":{\"puzzle\":" puzzle "}}"
#define PLAIN_STATE   "\"state\":{\"mouse\":1,\"cat\":2,\"turn\":\"mouse\"}"

/* clang-format off */
static const struct json_case with_id[] = {
  {"{\"id\":1}", ERROR_REQUEST, "the request has no method"},
  {"{\"id\":1,\"method\":7}", ERROR_REQUEST, "the request's method is 7, not a text"},
  {"{\"id\":1,\"method\":\"pong\"}", ERROR_METHOD, "there is no method 'pong'"},
  {"{\"id\":1,\"method\":\"\"}", ERROR_METHOD, "there is no method ''"},
  {"{\"id\":1,\"method\":\"p\\u0000ing\"}", ERROR_METHOD, "there is no method 'p\\x00ing'"},
  {"{\"id\":1,\"method\":\"p\\u00efng\"}", ERROR_METHOD, "there is no method 'p\xc3\xafng'"},
  {"{\"id\":1,\"method\":\"ping\",\"parms\":{}}", ERROR_REQUEST, "the request has an unknown key: \"parms\""},
  {"{\"id\":1,\"method\":\"ping\",\"jsonrpc\":\"1.0\"}", ERROR_REQUEST, "jsonrpc is \"1.0\", not \"2.0\""},
  {"{\"id\":1,\"method\":\"ping\",\"jsonrpc\":2.0}", ERROR_REQUEST, "jsonrpc is 2, not \"2.0\""},
  {"{\"id\":1,\"method\":\"ping\",\"params\":7}", ERROR_PARAMS, "params is 7, not a map"},
  {"{\"id\":1,\"method\":\"ping\",\"params\":[{},{}]}", ERROR_PARAMS, "params is a list, not a map or a list of one map"},
  {"{\"id\":1,\"method\":\"ping\",\"params\":{\"x\":1}}", ERROR_PARAMS, "ping has no parameter 'x'"},
  {QUERY("{\"stat\":1}"), ERROR_PARAMS, "query has no parameter 'stat'"},
  {QUERY("{}"), ERROR_PARAMS, "query needs the parameter 'state'"},
  {QUERY("{\"state\":[1,2]}"), ERROR_PARAMS, "params.state is a list, not a map"},
  {STATE("{\"mouse\":\"x\",\"cat\":2,\"turn\":0}"), ERROR_PARAMS, "params.state.mouse is \"x\", not a node number"},
  {STATE("{\"mouse\":1,\"cat\":1.5,\"turn\":0}"), ERROR_PARAMS, "params.state.cat is 1.5, not a node number"},
  {STATE("{\"mouse\":1,\"cat\":99999999999999999999,\"turn\":0}"), ERROR_PARAMS, "params.state.cat is 1e+20, not a node number"},
  {STATE("{\"mouse\":-1,\"cat\":2,\"turn\":0}"), ERROR_BAD_STATE, "state.mouse is -1, not a node number"},
  {STATE("{\"mouse\":1,\"cat\":4294967296,\"turn\":0}"), ERROR_BAD_STATE, "state.cat is 4294967296, not a node number"},
  {STATE("{\"mouse\":1,\"cat\":2,\"turn\":\"dog\"}"), ERROR_BAD_STATE, "state.turn is \"dog\", not \"mouse\" or \"cat\""},
  {STATE("{\"mouse\":1,\"cat\":2,\"turn\":2}"), ERROR_BAD_STATE, "state.turn is 2, not \"mouse\" or \"cat\""},
  {STATE("{\"mouse\":[1],\"cat\":[1,2],\"turn\":0}"), ERROR_PARAMS, "params.state.mouse is a list, not a row and a column"},
  {STATE("{\"mouse\":[1,2],\"cat\":[1,2,3],\"turn\":0}"), ERROR_PARAMS, "params.state.cat is a list, not a row and a column"},
  {STATE("{\"mouse\":[1,2],\"cat\":2,\"turn\":0}"), ERROR_PARAMS, "params.state.cat is 2, not a row and a column"},
  {STATE("{\"mouse\":1,\"cat\":[1,2],\"turn\":0}"), ERROR_PARAMS, "params.state.cat is a list, not a node number"},
  {STATE("{\"mouse\":[1,-2],\"cat\":[1,2],\"turn\":0}"), ERROR_PARAMS, "params.state.mouse is not a row and a column"},
  {STATE("{\"mouse\":[1,[2]],\"cat\":[1,2],\"turn\":0}"), ERROR_PARAMS, "params.state.mouse is not a row and a column"},
  {STATE("{\"mouse\":1,\"cat\":2}"), ERROR_PARAMS, "params.state has no turn"},
  {STATE("{\"mouse\":1,\"cat\":2,\"turn\":0,\"x\":0}"), ERROR_PARAMS, "params.state has an unknown key: \"x\""},
  {QUERY("{" PLAIN_STATE ",\"limit\":-1}"), ERROR_PARAMS, "params.limit is -1, not a whole number below 2^32"},
  {QUERY("{" PLAIN_STATE ",\"id\":7}"), ERROR_PARAMS, "params.id is 7, not a puzzle's id"},
  {QUERY("{" PLAIN_STATE ",\"id\":\"abcde\"}"), ERROR_PARAMS, "params.id has 5 digits, not 6 to 64"},
  {QUERY("{" PLAIN_STATE ",\"id\":\"abcdeg\"}"), ERROR_PARAMS, "params.id is \"abcdeg\", not hexadecimal"},
  {QUERY("{" PLAIN_STATE ",\"id\":\"abcdef\",\"puzzle\":[[]]}"), ERROR_PARAMS, "query takes id or puzzle, not both"},
  {"{\"id\":1,\"method\":\"evict\"}", ERROR_PARAMS, "evict needs the parameter 'id'"},
  {"{\"id\":1,\"method\":\"cancel\"}", ERROR_PARAMS, "cancel needs the parameter 'id' or 'puzzle'"},
  {"{\"id\":1,\"method\":\"cancel\",\"params\":{\"id\":1,\"puzzle\":\"abcdef\"}}", ERROR_PARAMS, "cancel takes id or puzzle, not both"},
  {"{\"id\":1,\"method\":\"cancel\",\"params\":{\"puzzle\":\"abcde\"}}", ERROR_PARAMS, "params.puzzle has 5 digits, not 6 to 64"},
  {"{\"id\":1,\"method\":\"cancel\",\"params\":{\"id\":[]}}", ERROR_PARAMS, "params.id is a list, neither a whole number of 64 bits nor a text"},
  {"{\"id\":1,\"method\":\"line\",\"params\":{" PLAIN_STATE ",\"max\":100001}}", ERROR_LIMIT, "params.max is 100001, more than the 100000 allowed"},
  {"{\"id\":1,\"method\":\"solve\",\"params\":{\"puzzle\":[[1]],\"progress\":1}}", ERROR_PARAMS, "params.progress is 1, not true or false"},
  {"{\"id\":1,\"method\":\"hello\",\"params\":{\"client\":{}}}", ERROR_PARAMS, "params.client is a map, not a text"},
  {SOLVE("7"), ERROR_BAD_PUZZLE, "puzzle is 7, not a map or a list"},
  {SOLVE("{}"), ERROR_BAD_PUZZLE, "puzzle has neither graph nor grid"},
  {SOLVE("{\"grph\":[]}"), ERROR_BAD_PUZZLE, "puzzle has an unknown key: \"grph\""},
  {SOLVE("{\"graph\":[],\"catJump\":1}"), ERROR_BAD_PUZZLE, "puzzle has graph and catJump"},
  {SOLVE("{\"graph\":\"x\"}"), ERROR_BAD_PUZZLE, "graph is \"x\", not a list"},
  {SOLVE("[[1,2],[0],\"x\"]"), ERROR_BAD_PUZZLE, "graph[2] is \"x\", not a list"},
  {SOLVE("[[1,2],[0],[1.5]]"), ERROR_BAD_PUZZLE, "graph[2][0] is 1.5, not a node number"},
  {SOLVE("[[1,2],[0],[0],[1,99999999999]]"), ERROR_BAD_PUZZLE, "graph[3][1] is 99999999999, not a node number"},
  {SOLVE("[[1,2],[0],[0],[1,-99999999999999999999]]"), ERROR_BAD_PUZZLE, "graph[3][1] is -1e+20, not a node number"},
  {SOLVE("[[null]]"), ERROR_BAD_PUZZLE, "graph[0][0] is null, not a node number"},
  {SOLVE("{\"grid\":[\"MCF\"],\"mouseJump\":1}"), ERROR_BAD_PUZZLE, "puzzle has a grid but no catJump"},
  {SOLVE("{\"grid\":[\"MCF\"],\"catJump\":1}"), ERROR_BAD_PUZZLE, "puzzle has a grid but no mouseJump"},
  {SOLVE("{\"grid\":[\"MCF\"],\"catJump\":1.5,\"mouseJump\":1}"), ERROR_BAD_PUZZLE, "catJump is 1.5, not a number of cells"},
  {SOLVE("{\"grid\":[\"MCF\",7],\"catJump\":1,\"mouseJump\":1}"), ERROR_BAD_PUZZLE, "grid[1] is 7, not a text"},
  {SOLVE("{\"grid\":7,\"catJump\":1,\"mouseJump\":1}"), ERROR_BAD_PUZZLE, "grid is 7, not a list"},
  {"{\"id\":1,\"method\":\"ping\"", ERROR_PARSE, "the text ends too early"},
  {"{\"id\":1,\"method\":\"ping\"} {}", ERROR_PARSE, "byte 26 of the JSON: the text goes on after its value"},
  {"{\"id\":1,\"method\":\"p\xffing\"}", ERROR_PARSE, "byte 20 of the JSON: no UTF-8"},
  {"{\"id\":1,\"method\":\"\xed\xa0\x80\"}", ERROR_PARSE, "no UTF-8"},
  {SOLVE("[[NaN]]"), ERROR_PARSE, "no value"},
  {SOLVE("[[Infinity]]"), ERROR_PARSE, "no value"},
  {SOLVE("[[1e999]]"), ERROR_REQUEST, "a number past what a real can hold"},
  {"{\"id\":1,\"id\":2,\"method\":\"ping\"}", ERROR_REQUEST, "the request has id twice"},
  {"{\"method\":\"ping\",\"params\":{\"id\":2,\"s\":\"\\\"id\\\":3\",\"t\":\"id\",\"n\":[1e999]},\"id\" : 1 }", ERROR_REQUEST, "a number past what a real can hold"},
  {"{\"method\":\"ping\",\"params\":[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]],\"id\":1}", ERROR_LIMIT, "more than the 16 deep"},
  {"{\"id\":1,\"method\":\"\\udc00\"}", ERROR_PARSE, "the second half of a pair without the first"},
  {"{\"id\":1,\"method\":\"\\ud800x\"}", ERROR_PARSE, "the first half of a pair without the second"},
  {"{\"method\":tru,\"id\":1}", ERROR_PARSE, "no value"},
  {"{\"method\":\"ping\",\"method\":\"ping\",\"id\":1}", ERROR_REQUEST, "the request has method twice"},
  {"{\"x\":0,\"id\":1}", ERROR_REQUEST, "the request has an unknown key: \"x\""},
  {"{\"id\":1,", ERROR_PARSE, "the text ends too early"},
};

static const struct json_case without_id[] = {
  {"", ERROR_PARSE, "the text ends too early"},
  {"x", ERROR_PARSE, "byte 1 of the JSON"},
  {"{\"id\\u0000\":1,\"method\":\"ping\"}", ERROR_REQUEST, "the request has an unknown key: \"id\\x00\""},
  {"7", ERROR_REQUEST, "the request is 7, not a map"},
  {"{\"id\":1.5,\"method\":\"ping\"}", ERROR_REQUEST, "the request's id is 1.5, neither a whole number of 64 bits nor a text"},
  {"{\"id\":9223372036854775808,\"method\":\"ping\"}", ERROR_REQUEST, "the request's id is 9223372036854775808, neither a whole number of 64 bits"},
  {"{\"id\":{},\"method\":\"ping\"}", ERROR_REQUEST, "the request's id is a map, neither a whole number of 64 bits nor a text"},
  {"{\"id\":99999999999999999999,\"method\":\"ping\"}", ERROR_REQUEST, "the request's id is 1e+20"},
  {"[{\"id\":1,\"method\":\"ping\"}]", ERROR_REQUEST, "the message is a list; batches are not supported"},
  {"{\"x\":{\"id\":1}}", ERROR_REQUEST, "the request has an unknown key: \"x\""},
  {"{\"id\":1", ERROR_PARSE, "the text ends too early"},
  {"{} {\"id\":1}", ERROR_PARSE, "the text goes on"},
};
/* clang-format on */

static void check(const struct json_case *bad, const struct message_limits *limits,
                  enum request_id_kind id)
{
  struct request request;
  struct fault fault = {0};
  if (!request_decode(bad->json, strlen(bad->json), ENCODING_JSON_LINES, limits, &request, &fault))
    fail_msg("accepted: %s", bad->json);
  if (fault.error != bad->error || !strstr(fault.text, bad->text))
    fail_msg("%s: %s: '%s' does not say '%s'", bad->json, error_kinds[fault.error].name, fault.text,
             bad->text);
  if (request.id.kind != id || (id == REQUEST_ID_NUMBER && request.id.number != 1))
    fail_msg("%s: the id was read as kind %d", bad->json, (int)request.id.kind);
  assert_null(request.puzzle_memory);
}

static void test_json(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof with_id / sizeof with_id[0]; i++)
    check(&with_id[i], &message_limits_default, REQUEST_ID_NUMBER);
  for (size_t i = 0; i < sizeof without_id / sizeof without_id[0]; i++)
    check(&without_id[i], &message_limits_default, REQUEST_ID_NONE);
}

struct msgpack_case {
  const char *bytes;
  size_t length;
  enum error error;
  const char *text;
};

#define BYTES(literal) (literal), sizeof(literal) - 1
#define PUZZLE(bytes)  BYTES("\x94\x00\x01\xa5solve\x91\x81\xa6puzzle" bytes)

/* clang-format off */
static const struct msgpack_case msgpack_cases[] = {
  {BYTES(""), ERROR_PARSE, "ends before its last item"},
  {BYTES("\x94\x00\x01\xa4ping"), ERROR_PARSE, "ends before its last item"},
  {BYTES("\x94\x00\x01\xa4ping\x90\xc0"), ERROR_PARSE, "ends before its last byte"},
  {BYTES("\x94\x00\x01\xa4ping\xc1"), ERROR_PARSE, "byte 0xc1"},
  {BYTES("\x94\x01\x01\xa4ping\x90"), ERROR_REQUEST, "neither [0, id, method, params] nor"},
  {BYTES("\x93\x00\xa4ping\x90"), ERROR_REQUEST, "neither [0, id, method, params] nor"},
  {BYTES("\x94\x02\x01\xa4ping\x90"), ERROR_REQUEST, "neither [0, id, method, params] nor"},
  {BYTES("\x94\xa1x\x01\xa4ping\x90"), ERROR_REQUEST, "neither [0, id, method, params] nor"},
  {BYTES("\x94\x00\xa1x\xa4ping\x90"), ERROR_REQUEST, "the request's id is \"x\", not a whole number below 2^32"},
  {BYTES("\x94\x00\xff\xa4ping\x90"), ERROR_REQUEST, "the request's id is -1, not a whole number below 2^32"},
  {BYTES("\x94\x00\xcf\x00\x00\x00\x01\x00\x00\x00\x00\xa4ping\x90"), ERROR_REQUEST, "the request's id is 4294967296"},
  {BYTES("\x94\x00\x01\xc4\x04ping\x90"), ERROR_REQUEST, "the request's method is binary data, not a text"},
  {BYTES("\x94\x00\x01\xa4\xff\xfeng\x90"), ERROR_METHOD, "there is no method '\\xff\\xfeng'"},
  {BYTES("\x94\x00\x01\xa4ping\x91\x81\x01\x02"), ERROR_PARAMS, "a key of params is 1, not a text"},
  {BYTES("\x94\x00\x01\xa4ping\x91\x81\xa1x\x02"), ERROR_PARAMS, "ping has no parameter 'x'"},
  {BYTES("\x94\x00\x01\xa4ping\xd4\x01\x02"), ERROR_PARAMS, "params is an extension, not a map"},
  {BYTES("\x94\x00\x01\xa5stats\x91\x82\xa2id\xa6" "abcdef\xa2id\xa6" "abcdef"), ERROR_PARAMS, "params.id is given twice"},
  {PUZZLE("\x91\x91\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00"), ERROR_BAD_PUZZLE, "graph[0][0] is nan, not a node number"},
  {PUZZLE("\x91\x91\xcf\xff\xff\xff\xff\xff\xff\xff\xff"), ERROR_BAD_PUZZLE, "graph[0][0] is 18446744073709551615, not a node number"},
  {PUZZLE("\x91\x91\xd3\x80\x00\x00\x00\x00\x00\x00\x00"), ERROR_BAD_PUZZLE, "graph[0][0] is -9223372036854775808, not a node number"},
  {PUZZLE("\x82\xa5graph\x90\xa5graph\x90"), ERROR_BAD_PUZZLE, "puzzle has graph twice"},
  {PUZZLE("\x81\x01\x90"), ERROR_BAD_PUZZLE, "puzzle has an unknown key: 1"},
};
/* clang-format on */

static void test_msgpack(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof msgpack_cases / sizeof msgpack_cases[0]; i++) {
    const struct msgpack_case *bad = &msgpack_cases[i];
    struct request request;
    struct fault fault = {0};
    int error = request_decode(bad->bytes, bad->length, ENCODING_MSGPACK, &message_limits_default,
                               &request, &fault);
    if (!error)
      fail_msg("accepted: case %zu", i);
    if (fault.error != bad->error || !strstr(fault.text, bad->text))
      fail_msg("case %zu: %s: '%s' does not say '%s'", i, error_kinds[fault.error].name, fault.text,
               bad->text);
    bool has_id = bad->length > 2 && memcmp(bad->bytes, "\x94\x00\x01", 3) == 0;
    assert_int_equal(request.id.kind, has_id ? REQUEST_ID_NUMBER : REQUEST_ID_NONE);
  }
}

static void test_limits(void **state)
{
  (void)state;
  /* clang-format off */
  static const struct json_case cases[] = {
    {SOLVE("[[],[],[],[],[]]"), ERROR_LIMIT, "the puzzle has 5 nodes, more than the 4 allowed"},
    {SOLVE("[[1,1,1,1],[1,1,1]]"), ERROR_LIMIT, "the puzzle has 7 neighbours, more than the 6 allowed"},
    {SOLVE("{\"grid\":[\"MCF..\"],\"catJump\":1,\"mouseJump\":1}"), ERROR_LIMIT, "the puzzle has 5 cells, more than the 4 allowed"},
    {SOLVE("{\"grid\":[\"\",\"\",\"\",\"\",\"\"],\"catJump\":1,\"mouseJump\":1}"), ERROR_LIMIT, "the puzzle has 5 rows, more than the 4 allowed"},
    {SOLVE("{\"grid\":[\"MCF.\"],\"catJump\":2147483647,\"mouseJump\":1}"), ERROR_LIMIT, "more than the 6 allowed"},
  };
  /* clang-format on */
  struct message_limits limits = message_limits_default;
  limits.nodes = 4;
  limits.edges = 6;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    check(&cases[i], &limits, REQUEST_ID_NUMBER);
  limits.request_id_bytes = 3;
  check(&(struct json_case){"{\"id\":\"abcd\",\"method\":\"ping\"}", ERROR_LIMIT,
                            "the request's id has 4 bytes, more than the 3 allowed"},
        &limits, REQUEST_ID_TEXT);
  limits.message_bytes = 20;
  check(&(struct json_case){"{\"id\":1,\"method\":\"ping\"}", ERROR_LIMIT, "longer than the 20"},
        &limits, REQUEST_ID_NUMBER);
}

/* An open grid with jumps as long as it is wide may have as many moves as the default limit. */
static void test_open_grid_is_within_the_limits(void **state)
{
  (void)state;
  enum { SIDE = 200 };
  struct buffer json;
  struct puzzle puzzle;
  struct fault fault = {0};
  void *memory;
  char row[SIDE + 4];
  memset(row, '.', sizeof row);
  row[0] = row[SIDE + 1] = '"';
  row[SIDE + 2] = ',';
  buffer_init(&json);
  sample_append_json(&json, ENCODING_UNKNOWN, "{\"catJump\":200,\"mouseJump\":200,\"grid\":[");
  for (int i = 0; i < SIDE; i++)
    buffer_append(&json, row, i < SIDE - 1 ? SIDE + 3 : SIDE + 2);
  buffer_append(&json, "]}", 2);
  if (puzzle_from_json(json.data, json.length, &message_limits_default, &puzzle, &memory, &fault))
    fail_msg("%s", fault.text);
  assert_int_equal(puzzle.grid.rows, SIDE);
  free(memory);
  buffer_deinit(&json);
}

static void test_puzzle_from_json(void **state)
{
  (void)state;
  static const struct json_case cases[] = {
      {"", ERROR_PARSE, "the text ends too early"},
      {"[[1,2],[0]", ERROR_PARSE, "the text ends too early"},
      {"7", ERROR_BAD_PUZZLE, "puzzle is 7"},
      {"[[1e999]]", ERROR_BAD_PUZZLE, "a number past what a real can hold"},
      {"[[99999999999999999999]]", ERROR_BAD_PUZZLE, "graph[0][0] is 1e+20"},
      {"{\"graph\":[],\"graph\":[]}", ERROR_BAD_PUZZLE, "puzzle has graph twice"},
      {"[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]", ERROR_LIMIT, "more than the 16 deep"},
  };
  struct puzzle puzzle;
  struct fault fault;
  void *memory;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    assert_int_not_equal(puzzle_from_json(cases[i].json, strlen(cases[i].json),
                                          &message_limits_default, &puzzle, &memory, &fault),
                         0);
    assert_int_equal(fault.error, cases[i].error);
    assert_non_null(strstr(fault.text, cases[i].text));
  }
  static const char good[] = " [[2,5],[3],[0,4,5],[1,4,5],[2,3],[0,2,3]]\n";
  assert_int_equal(
      puzzle_from_json(good, sizeof good - 1, &message_limits_default, &puzzle, &memory, &fault),
      0);
  assert_int_equal(puzzle.graph.nodes, 6);
  assert_int_equal(puzzle.graph.first[6], 14);
  assert_int_equal(puzzle.graph.neighbour[13], 3);
  free(memory);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_json),
      cmocka_unit_test(test_msgpack),
      cmocka_unit_test(test_limits),
      cmocka_unit_test(test_open_grid_is_within_the_limits),
      cmocka_unit_test(test_puzzle_from_json),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
