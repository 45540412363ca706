/* Puzzles from text of any kind, from arrays, and what is said of what is none. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "client/puzzle_box.h"
#include "tests/client/client_test.h"
#include "tests/client/peer.h"
#include "tests/support/failing_alloc.h"

#define GRID "[\"####F\",\"#C...\",\"M....\"]"

struct form {
  const char *text;
  const char *json;
};

/* clang-format off */
static const struct form forms[] = {
    {"", ""},
    {" ", " "},
    {"[[1],[0]]", "[[1],[0]]"},
    {"{\"grid\": 7}", "{\"grid\": 7}"},
    {"\xef\xbb\xbf[[1],[0]]", "[[1],[0]]"},
    {"\xef\xbb\xbf", ""},
    {"\xef\xbb", "\xef\xbb"},
    {GRID "\n1\n2", "{\"grid\":" GRID ",\"catJump\":1,\"mouseJump\":2}"},
    {"\r\n [ \"M\" ] \t1 \r\n2\n", "{\"grid\":\r\n [ \"M\" ],\"catJump\":1,\"mouseJump\":2}"},
    {GRID "12 34", "{\"grid\":" GRID ",\"catJump\":12,\"mouseJump\":34}"},
    {GRID "-1e5 .5", "{\"grid\":" GRID ",\"catJump\":-1e5,\"mouseJump\":.5}"},
    {GRID, "{\"grid\":" GRID "}"},
    {GRID "\n7\n", "{\"grid\":" GRID ",\"catJump\":7}"},
    {GRID "\n1\n2\n3", GRID "\n1\n2\n3"},
    {GRID "\none\n2", GRID "\none\n2"},
    {GRID "\n1,\"x\":2\n2", GRID "\n1,\"x\":2\n2"},
    {"[\"a]\",\"b\"", "[\"a]\",\"b\""},
    {"[\"", "[\""},
    {"[", "["},
};
/* clang-format on */

static void test_forms(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
    struct buffer object;
    buffer_init(&object);
    struct text_span text = {forms[i].text, strlen(forms[i].text)};
    struct text_span json = puzzle_box_json(puzzle_box_begin(text), &object);
    if (json.length != strlen(forms[i].json) || memcmp(json.at, forms[i].json, json.length) != 0)
      fail_msg("'%s' became '%.*s'", forms[i].text, (int)json.length, json.at);
    buffer_deinit(&object);
  }
}

struct refusal {
  const char *text;
  size_t length;
  int error;
  const char *sentence;
};

#define BYTES(text) (text), sizeof(text) - 1

/* clang-format off */
static const struct refusal refusals[] = {
    {BYTES(""), -EINVAL, "of the JSON"},
    {BYTES("\0"), -EINVAL, "of the JSON"},
    {BYTES("[[1],[0]\0]"), -EINVAL, "of the JSON"},
    {BYTES("\xff"), -EINVAL, "byte 1 of the JSON: no value"},
    {BYTES(GRID "\n1\n2\n3"), -EINVAL, "the text goes on after its value"},
    {BYTES("[\"M\0\"] 1 1"), -EINVAL, "of the JSON"},
    {BYTES("[\"M\" \"C\"]\n1\n1"), -EINVAL, "byte 6 of the JSON: a list goes on with ','"},
    {BYTES("\xef\xbb\xbf[\"M\" \"C\"]\n1\n1"), -EINVAL, "byte 6 of the JSON: a list goes on with ','"},
    {BYTES("[\"M\",\"C\"]\n1\n1..2"), -EINVAL, "byte 11 of the JSON: the text goes on after its value"},
    {BYTES("7"), -EREMOTEIO, "puzzle is 7, not a map or a list"},
    {BYTES(GRID), -EREMOTEIO, "puzzle has a grid but no catJump"},
    {BYTES(GRID "\n1"), -EREMOTEIO, "puzzle has a grid but no mouseJump"},
    {BYTES(GRID "\n1\n99999999999999999999"), -EREMOTEIO, "mouseJump is 1e+20, not a number of cells"},
    {BYTES("[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]"), -EREMOTEIO, "more than the 16 deep allowed"},
};
/* clang-format on */

static void test_refusals(void **state)
{
  struct cm_client *client;
  (void)state;
  assert_int_equal(cm_open(NULL, &client), 0);
  for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
    struct cm_puzzle *puzzle = NULL;
    assert_int_equal(cm_puzzle_parse(client, refusals[i].text, refusals[i].length, &puzzle),
                     refusals[i].error);
    assert_contains(cm_error(client), refusals[i].sentence);
    assert_true((cm_error_name(client) != NULL) == (refusals[i].error == -EREMOTEIO));
    assert_null(puzzle);
  }
  cm_close(client);
}

/* What is sent for it is short. */
static void test_text_longer_than_a_message(void **state)
{
  static const char small[] = "[[1],[0,2],[1]]";
  const size_t length = message_limits_default.message_bytes + sizeof small;
  char *text = malloc(length);
  struct cm_client *client;
  struct cm_puzzle *puzzle;
  (void)state;
  memset(text, ' ', length);
  memcpy(text, small, sizeof small - 1);
  assert_int_equal(cm_open(NULL, &client), 0);
  assert_int_equal(cm_puzzle_parse(client, text, length, &puzzle), 0);
  assert_int_equal(puzzle->puzzle.graph.nodes, 3);
  cm_puzzle_free(puzzle);
  cm_close(client);
  free(text);
}

static void test_grid(void **state)
{
  static const char box[] = GRID "\n1\n2\n";
  struct cm_client *client;
  struct cm_puzzle *puzzle;
  uint32_t length;
  (void)state;
  assert_int_equal(cm_open(NULL, &client), 0);
  assert_int_equal(cm_puzzle_parse(client, BYTES(box), &puzzle), 0);
  assert_int_equal(cm_puzzle_game(puzzle), CM_GRID);
  assert_int_equal(cm_puzzle_rows(puzzle), 3);
  assert_memory_equal(cm_puzzle_row(puzzle, 1, &length), "#C...", 5);
  assert_int_equal(length, 5);
  assert_null(cm_puzzle_row(puzzle, 3, &length));
  assert_int_equal(puzzle->puzzle.grid.jump[PLAYER_CAT], 1);
  assert_int_equal(puzzle->puzzle.grid.jump[PLAYER_MOUSE], 2);
  cm_puzzle_free(puzzle);
  cm_close(client);
}

static void test_graph(void **state)
{
  static const uint32_t first[] = {0, 0, 1, 2};
  static const int32_t neighbour[] = {2, 1};
  static const uint32_t none[] = {0};
  struct cm_client *client;
  struct cm_puzzle *puzzle;
  uint32_t length;
  (void)state;
  assert_int_equal(cm_open(NULL, &client), 0);
  assert_int_equal(cm_puzzle_graph(client, 3, first, neighbour, &puzzle), 0);
  assert_int_equal(cm_puzzle_game(puzzle), CM_GRAPH);
  assert_int_equal(cm_puzzle_rows(puzzle), 0);
  assert_null(cm_puzzle_row(puzzle, 0, &length));
  assert_int_equal(puzzle->puzzle.graph.neighbour[1], 1);
  assert_ptr_not_equal(puzzle->puzzle.graph.neighbour, neighbour);
  cm_puzzle_free(puzzle);
  assert_int_equal(cm_puzzle_graph(client, 0, none, NULL, &puzzle), 0);
  cm_puzzle_free(puzzle);
  cm_puzzle_free(NULL);
  cm_close(client);
}

static int make_both(struct cm_client *client)
{
  static const char box[] = GRID "\n1\n2\n";
  static const uint32_t first[] = {0, 1, 2};
  static const int32_t neighbour[] = {1, 0};
  struct cm_puzzle *puzzle;
  int error = cm_puzzle_parse(client, BYTES(box), &puzzle);
  if (error)
    return error;
  cm_puzzle_free(puzzle);
  error = cm_puzzle_graph(client, 2, first, neighbour, &puzzle);
  if (error == 0)
    cm_puzzle_free(puzzle);
  return error;
}

static void test_memory_runs_out(void **state)
{
  struct cm_client *client;
  bool failed = true;
  (void)state;
  assert_int_equal(cm_open(NULL, &client), 0);
  for (long nth = 0; failed; nth++) {
    failing_alloc_arm(nth);
    int error = make_both(client);
    failed = failing_alloc_disarm();
    assert_int_equal(failing_alloc_outstanding(), 0);
    assert_int_equal(error, failed ? -ENOMEM : 0);
    assert_in_range(nth, 0, 1000);
  }
  cm_close(client);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_forms),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_text_longer_than_a_message),
      cmocka_unit_test(test_grid),
      cmocka_unit_test(test_graph),
      cmocka_unit_test(test_memory_runs_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
