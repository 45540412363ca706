/* Certificates: what is written is read back, what is none is named by its place, and memory may run out. */
#include "proto/certificate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "proto/puzzle_read.h"
#include "solver/explain.h"
#include "solver/id.h"
#include "solver/packed.h"
#include "solver/proof_check.h"
#include "solver/solve.h"
#include "tests/proto/proto_test.h"
#include "tests/support/failing_alloc.h"

enum { STATES_MAX = 1000 };

static const char graph[] = "{\"graph\": [[2,5],[3],[0,4,5],[1,4,5],[2,3],[0,2,3]]}";
static const char grid[] =
    "{\"grid\": [\"####F\",\"#C...\",\"M....\"], \"catJump\": 1, \"mouseJump\": 2}";

static struct arena *arena_of(const char *json)
{
  struct puzzle puzzle;
  struct complaint complaint;
  struct fault fault;
  struct arena *arena;
  void *memory;
  assert_int_equal(
      puzzle_from_json(json, strlen(json), &message_limits_default, &puzzle, &memory, &fault), 0);
  assert_int_equal(arena_new(&puzzle, &arena, &complaint), 0);
  free(memory);
  return arena;
}

/* The certificate of the start, as text that the caller owns. */
static void certify(const struct arena *arena, struct buffer *json)
{
  struct table *table;
  struct proof proof;
  assert_int_equal(solve(arena, NULL, &table), 0);
  assert_int_equal(explain(arena, table, &arena->start, arena->limit_plies, STATES_MAX, &proof), 0);
  buffer_init(json);
  certificate_to_json(json, arena, &proof);
  assert_false(json->failed);
  proof_deinit(&proof);
  table_free(table);
}

static void check_round_trip(const char *puzzle)
{
  struct arena *arena = arena_of(puzzle), *other;
  struct certificate certificate;
  struct complaint complaint;
  struct fault fault;
  struct buffer json, again;
  struct id ours, theirs;
  certify(arena, &json);
  assert_int_equal(
      certificate_from_json(json.data, json.length, &message_limits_default, &certificate, &fault),
      0);
  assert_int_equal(arena_new(&certificate.puzzle, &other, &complaint), 0);
  arena_id(arena, &ours);
  arena_id(other, &theirs);
  assert_memory_equal(&ours, &theirs, sizeof ours);
  assert_int_equal(proof_check(other, &certificate.proof, &complaint), 0);
  buffer_init(&again);
  certificate_to_json(&again, other, &certificate.proof);
  assert_int_equal(again.length, json.length);
  assert_memory_equal(again.data, json.data, json.length);
  buffer_deinit(&again);
  buffer_deinit(&json);
  certificate_deinit(&certificate);
  arena_free(other);
  arena_free(arena);
}

static void test_round_trips(void **state)
{
  (void)state;
  check_round_trip(graph);
  check_round_trip(grid);
}

/* As the store keeps it: without the players. */
static void test_a_grid_without_a_start_is_one_all_the_same(void **state)
{
  (void)state;
  struct arena *arena = arena_of(grid), *kept, *other;
  struct id ours, theirs;
  struct buffer json;
  uint8_t bytes[1024];
  arena_id(arena, &ours);
  assert_in_range(arena_packed_bytes(arena), 1, sizeof bytes);
  arena_pack(arena, bytes);
  assert_int_equal(arena_unpack(bytes, arena_packed_bytes(arena), &ours, &kept), 0);
  buffer_init(&json);
  puzzle_to_json(&json, kept);
  buffer_append(&json, "", 1);
  other = arena_of(json.data);
  arena_id(other, &theirs);
  assert_memory_equal(&ours, &theirs, sizeof ours);
  buffer_deinit(&json);
  arena_free(other);
  arena_free(kept);
  arena_free(arena);
}

static void assert_refused(const char *json, enum error error, const char *said)
{
  struct certificate certificate;
  struct fault fault;
  int status =
      certificate_from_json(json, strlen(json), &message_limits_default, &certificate, &fault);
  assert_int_equal(status, -EBADMSG);
  assert_string_equal(fault.text, said);
  assert_int_equal(fault.error, error);
}

#define HEAD  "{\"version\": 1, \"puzzle\": [[1,2],[0,2],[0,1]], "
#define STATE "\"state\": {\"mouse\": 1, \"cat\": 2, \"turn\": \"mouse\"}, "
#define CLAIM "\"claim\": {" STATE "\"outcome\": \"cat\", \"plies\": 1, \"limit\": null}, "

static void test_what_is_none_is_named(void **state)
{
  (void)state;
  assert_refused("[]", ERROR_PARAMS, "the certificate is a list, not a map");
  assert_refused("{\"version\": 1}", ERROR_PARAMS, "the certificate has no puzzle");
  assert_refused(HEAD CLAIM "\"strategies\": [], \"more\": 1}", ERROR_PARAMS,
                 "the certificate has an unknown key: \"more\"");
  assert_refused("{\"version\": 2, \"puzzle\": [], " CLAIM "\"strategies\": []}", ERROR_PARAMS,
                 "version is 2, but this program reads 1");
  assert_refused("{\"version\": 1, \"puzzle\": 7, " CLAIM "\"strategies\": []}", ERROR_BAD_PUZZLE,
                 "puzzle is 7, not a map or a list");
  assert_refused(HEAD "\"claim\": {}, \"strategies\": []}", ERROR_PARAMS, "claim has no state");
  assert_refused(HEAD "\"claim\": {" STATE
                      "\"outcome\": \"dog\", \"plies\": 1, \"limit\": null}, \"strategies\": []}",
                 ERROR_PARAMS, "claim.outcome is \"dog\", not \"mouse\", \"cat\" or \"draw\"");
  assert_refused(HEAD "\"claim\": {" STATE
                      "\"outcome\": \"cat\", \"plies\": 4294967295, \"limit\": null}, "
                      "\"strategies\": []}",
                 ERROR_PARAMS, "claim.plies is 4294967295, not a number of plies or null");
  assert_refused(HEAD CLAIM "\"strategies\": [{\"player\": \"cat\", \"goal\": \"win\", "
                            "\"states\": [[1, 2, \"mouse\", null]]}]}",
                 ERROR_PARAMS,
                 "strategies[0].states[0] is not [mouse, cat, turn, move or null, plies or null]");
  assert_refused(HEAD CLAIM "\"strategies\": [1, 2, 3]}", ERROR_PARAMS,
                 "strategies is no list of at most 2");
  assert_refused("{", ERROR_PARSE, "byte 2 of the JSON: the text ends too early");
}

/* Writing and reading, with each allocation failing in turn. */
static void test_memory_runs_out(void **state)
{
  (void)state;
  struct arena *arena = arena_of(grid);
  struct certificate certificate;
  struct fault fault;
  struct buffer json;
  int status = -EBADMSG;
  certify(arena, &json);
  for (long nth = 0; status != 0; nth++) {
    failing_alloc_arm(nth);
    status = certificate_from_json(json.data, json.length, &message_limits_default, &certificate,
                                   &fault);
    bool failed = failing_alloc_disarm();
    assert_int_equal(status, failed ? -EBADMSG : 0);
    assert_true(!failed || fault.error == ERROR_NO_MEMORY);
    assert_true(!failed || failing_alloc_outstanding() == 0);
  }
  bool failed = true;
  for (long nth = 0; failed; nth++) {
    struct buffer out;
    buffer_init(&out);
    failing_alloc_arm(nth);
    certificate_to_json(&out, arena, &certificate.proof);
    failed = failing_alloc_disarm();
    assert_int_equal(out.failed, failed);
    buffer_deinit(&out);
  }
  certificate_deinit(&certificate);
  buffer_deinit(&json);
  arena_free(arena);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trips),
      cmocka_unit_test(test_a_grid_without_a_start_is_one_all_the_same),
      cmocka_unit_test(test_what_is_none_is_named),
      cmocka_unit_test(test_memory_runs_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
