/* Each method's answer in the public structs, and its request as the daemon reads it. */
#include <errno.h>
#include <string.h>

#include "tests/client/client_test.h"
#include "tests/client/peer.h"
#include "tests/proto/samples.h"

#define ID "d5aaf05e91fa3cca90f8fecd55d9e221ae08a766f7188faac9c9ed66b616c0f7"

static const struct cm_state start = {.mouse = 1, .cat = 2, .turn = CM_MOUSE};

static void assert_starts(const struct cm_state *state)
{
  assert_int_equal(state->mouse, start.mouse);
  assert_int_equal(state->cat, start.cat);
  assert_int_equal(state->turn, start.turn);
  assert_false(state->by_row);
}

static int with_peer(void **state)
{
  static struct peer peer;
  peer_init(&peer, NULL);
  *state = &peer;
  return 0;
}

static int without_peer(void **state)
{
  peer_deinit(*state);
  return 0;
}

/* The peer answers the next request, the first one, with the sample of its method. */
static struct peer *answered(void **state, enum method method)
{
  struct peer *peer = *state;
  peer_answer(peer, 1, method, sample_result(method));
  return peer;
}

/* What was asked: the method, and whether exactly these parameters were given. */
static void assert_asked(struct peer *peer, enum method method, uint32_t given,
                         struct request *request)
{
  peer_take_request(peer, request);
  assert_int_equal(request->method, method);
  assert_int_equal(request->given, given);
  assert_true(peer_heard_all(peer));
}

static struct cm_puzzle *small_puzzle(struct cm_client *client)
{
  static const uint32_t first[] = {0, 2, 3, 6, 9, 11, 14};
  static const int32_t neighbour[] = {2, 5, 3, 0, 4, 5, 1, 4, 5, 2, 3, 0, 2, 3};
  struct cm_puzzle *puzzle;
  assert_int_equal(cm_puzzle_graph(client, 6, first, neighbour, &puzzle), 0);
  return puzzle;
}

static void test_solve(void **state)
{
  struct peer *peer = answered(state, METHOD_SOLVE);
  struct cm_puzzle *puzzle = small_puzzle(peer->client);
  struct cm_solved solved;
  struct request request;
  assert_int_equal(cm_solve(peer->client, puzzle, &solved), 0);
  assert_string_equal(solved.id, ID);
  assert_int_equal(solved.game, CM_GRAPH);
  assert_int_equal(solved.nodes, 6);
  assert_int_equal(solved.states, 72);
  assert_int_equal(solved.bytes, 72);
  assert_int_equal(solved.source, CM_SOLVED);
  assert_int_equal(solved.solve_us, 21);
  assert_starts(&solved.start);
  assert_int_equal(solved.outcome, CM_DRAW);
  assert_int_equal(solved.plies, CM_PLIES_NONE);
  assert_asked(peer, METHOD_SOLVE, P(PUZZLE), &request);
  assert_int_equal(request.puzzle.graph.nodes, 6);
  assert_int_equal(request.puzzle.graph.neighbour[1], 5);
  request_deinit(&request);
  cm_puzzle_free(puzzle);
}

static void test_query(void **state)
{
  struct peer *peer = answered(state, METHOD_QUERY);
  struct cm_which which = {.id = "D5AAF05E"};
  struct cm_query query;
  struct request request;
  assert_int_equal(cm_query(peer->client, &which, &start, CM_LIMIT_OF_GAME, &query), 0);
  assert_string_equal(query.id, ID);
  assert_starts(&query.state);
  assert_int_equal(query.outcome, CM_DRAW);
  assert_int_equal(query.plies, CM_PLIES_NONE);
  assert_false(query.over);
  assert_int_equal(query.moves_count, 1);
  assert_int_equal(query.moves[0].to, 3);
  assert_int_equal(query.moves[0].outcome, CM_DRAW);
  assert_int_equal(query.moves[0].plies, CM_PLIES_NONE);
  assert_asked(peer, METHOD_QUERY, P(STATE) | P(ID), &request);
  assert_string_equal(request.puzzle_id, "d5aaf05e");
  request_deinit(&request);
}

static void test_line(void **state)
{
  struct peer *peer = answered(state, METHOD_LINE);
  struct cm_which which = {.puzzle = small_puzzle(peer->client)};
  struct cm_line line;
  struct request request;
  assert_int_equal(cm_line(peer->client, &which, &start, CM_LIMIT_NONE, 20, &line), 0);
  assert_int_equal(line.state.mouse, 0);
  assert_int_equal(line.outcome, CM_MOUSE_WINS);
  assert_int_equal(line.plies, 3);
  assert_int_equal(line.moves_count, 3);
  assert_int_equal(line.moves[2], 6);
  assert_int_equal(line.end, CM_END_HOME);
  assert_asked(peer, METHOD_LINE, P(STATE) | P(PUZZLE) | P(LIMIT) | P(MAX), &request);
  assert_int_equal(request.limit_plies, 0);
  assert_int_equal(request.max, 20);
  request_deinit(&request);
  cm_puzzle_free((struct cm_puzzle *)which.puzzle);
}

static void test_stats(void **state)
{
  struct peer *peer = answered(state, METHOD_STATS);
  struct cm_stats stats;
  struct request request;
  assert_int_equal(cm_stats(peer->client, "d5aaf0", &stats), 0);
  assert_int_equal(stats.states, 60);
  assert_int_equal(stats.outcomes[CM_MOUSE][CM_CAT_WINS], 10);
  assert_int_equal(stats.outcomes[CM_CAT][CM_DRAW], 2);
  assert_int_equal(stats.longest[CM_CAT].plies, 4);
  assert_int_equal(stats.longest[CM_MOUSE].state.mouse, 4);
  assert_int_equal(stats.histogram_count[CM_MOUSE], 5);
  assert_int_equal(stats.histogram[CM_CAT][1], 11);
  assert_asked(peer, METHOD_STATS, P(ID), &request);
  request_deinit(&request);
}

static void test_verify(void **state)
{
  struct peer *peer = answered(state, METHOD_VERIFY);
  struct cm_verify verify;
  struct request request;
  assert_int_equal(cm_verify(peer->client, NULL, &verify), 0);
  assert_false(verify.correct);
  assert_int_equal(verify.checked, 60);
  assert_int_equal(verify.faults, 1);
  assert_int_equal(verify.first.turn, CM_CAT);
  assert_int_equal(verify.stored.plies, 4);
  assert_int_equal(verify.proper.outcome, CM_DRAW);
  assert_asked(peer, METHOD_VERIFY, 0, &request);
  request_deinit(&request);
}

static void test_list(void **state)
{
  struct peer *peer = answered(state, METHOD_LIST);
  struct cm_list list;
  assert_int_equal(cm_list(peer->client, &list), 0);
  assert_int_equal(list.tables_count, 2);
  assert_string_equal(list.tables[0].id, ID);
  assert_int_equal(list.tables[0].hits, 3);
  assert_int_equal(list.tables[0].age_ms, 1500);
  assert_int_equal(list.tables[0].where, CM_IN_MEMORY);
  assert_int_equal(list.tables[1].where, CM_SOLVING);
}

static void test_explain(void **state)
{
  struct peer *peer = answered(state, METHOD_EXPLAIN);
  const struct cm_which which = {.id = ID};
  const struct cm_state asked = {.mouse = 3, .cat = 4, .turn = CM_MOUSE};
  struct cm_explain explain;
  struct request request;
  assert_int_equal(cm_explain(peer->client, &which, &asked, CM_LIMIT_OF_GAME, 9, &explain), 0);
  assert_string_equal(explain.id, ID);
  assert_true(explain.whole);
  assert_int_equal(explain.state.mouse, 3);
  assert_int_equal(explain.state.cat, 4);
  assert_int_equal(explain.outcome, CM_MOUSE_WINS);
  assert_int_equal(explain.plies, 3);
  assert_int_equal(explain.limit_plies, CM_LIMIT_NONE);
  assert_int_equal(explain.cols, 0);
  assert_int_equal(explain.strategies_count, 1);
  const struct cm_strategy *strategy = &explain.strategies[0];
  assert_int_equal(strategy->player, CM_MOUSE);
  assert_true(strategy->wins);
  assert_int_equal(strategy->steps_count, 4);
  assert_int_equal(strategy->steps[0].move, 5);
  assert_int_equal(strategy->steps[1].state.turn, CM_CAT);
  assert_int_equal(strategy->steps[1].move, CM_MOVE_NONE);
  assert_int_equal(strategy->steps[3].plies, 1);
  assert_contains(cm_json(peer->client), explain.certificate);
  assert_contains(explain.certificate, "{\"version\":1,\"puzzle\":{\"graph\":[[2,5],");
  assert_asked(peer, METHOD_EXPLAIN, P(STATE) | P(ID) | P(DEPTH), &request);
  assert_int_equal(request.depth_plies, 9);
  request_deinit(&request);
}

static void test_what_is_no_certificate_is_not_taken(void **state)
{
  struct peer *peer = *state;
  const struct result_explain empty = {.id = ID, .certificate = "\x80", .certificate_bytes = 1};
  struct cm_explain explain;
  peer_answer(peer, 1, METHOD_EXPLAIN, &empty);
  assert_int_equal(cm_explain(peer->client, NULL, &start, CM_LIMIT_OF_GAME, 0, &explain), -EPROTO);
  assert_contains(cm_error(peer->client), "the certificate has no version");
  assert_null(cm_json(peer->client));
  assert_int_equal(peer->client->fd, -1);
}

static void test_rows_and_columns(void **state)
{
  struct peer *peer = answered(state, METHOD_LINE);
  const struct cm_state cells = {
      .mouse = 4, .cat = 5, .turn = CM_CAT, .by_row = true, .mouse_row = 2, .cat_row = 3};
  struct cm_line line;
  struct request request;
  assert_int_equal(cm_line(peer->client, NULL, &cells, CM_LIMIT_OF_GAME, 0, &line), 0);
  assert_false(line.state.by_row);
  assert_int_equal(line.cols, 7);
  assert_asked(peer, METHOD_LINE, P(STATE), &request);
  assert_true(request.by_row);
  assert_int_equal(request.mouse_row, 2);
  assert_int_equal(request.cat_row, 3);
  assert_int_equal(request.state.mouse, 4);
  assert_int_equal(request.state.cat, 5);
  request_deinit(&request);
}

static void test_evict_and_clear(void **state)
{
  struct peer *peer = answered(state, METHOD_EVICT);
  struct cm_evicted evicted;
  struct request request;
  peer_answer(peer, 2, METHOD_CLEAR, sample_result(METHOD_CLEAR));
  assert_int_equal(cm_evict(peer->client, "d5aaf0", &evicted), 0);
  assert_int_equal(evicted.puzzles, 1);
  assert_int_equal(evicted.bytes, 72);
  assert_asked(peer, METHOD_EVICT, P(ID), &request);
  request_deinit(&request);
  assert_int_equal(cm_clear(peer->client, &evicted), 0);
  assert_int_equal(evicted.puzzles, 2);
}

static void test_status(void **state)
{
  struct peer *peer = answered(state, METHOD_STATUS);
  struct cm_status status;
  assert_int_equal(cm_status(peer->client, &status), 0);
  assert_string_equal(status.version, "0.1.0");
  assert_int_equal(status.pid, 4711);
  assert_int_equal(status.solves, 33);
  assert_int_equal(status.kept_bytes, 4194304);
  assert_false(status.draining);
  assert_true(status.limits_count > 0);
  assert_string_equal(status.limits[0].name, "message_bytes");
  assert_int_equal(status.limits[0].value, message_limits_default.message_bytes);
}

static void test_ping(void **state)
{
  struct peer *peer = answered(state, METHOD_PING);
  assert_int_equal(cm_ping(peer->client), 0);
  assert_string_equal(cm_json(peer->client), "\"pong\"");
}

static void test_shutdown_waits_for_the_end(void **state)
{
  struct peer *peer = answered(state, METHOD_SHUTDOWN);
  uint64_t pending = 0;
  peer_close(peer);
  assert_int_equal(cm_shutdown(peer->client, &pending), 0);
  assert_int_equal(pending, 1);
  assert_int_equal(peer->client->fd, -1);
}

static void test_json_is_the_result_map(void **state)
{
  struct peer *peer = answered(state, METHOD_CLEAR);
  struct cm_evicted evicted;
  assert_null(cm_json(peer->client));
  assert_int_equal(cm_clear(peer->client, &evicted), 0);
  assert_string_equal(cm_json(peer->client), "{\"evicted\":2,\"bytes\":170}");
  assert_string_equal(cm_json(peer->client), "{\"evicted\":2,\"bytes\":170}");
}

static void test_long_id_is_not_sent(void **state)
{
  struct peer *peer = *state;
  struct cm_stats stats;
  assert_int_equal(cm_stats(peer->client, ID "0", &stats), -EINVAL);
  assert_contains(cm_error(peer->client), "is no id: that is 6 to 64 digits, 0 to 9 and a to f");
  assert_int_equal(cm_stats(peer->client, "d5aaf", &stats), -EINVAL);
  assert_int_equal(cm_stats(peer->client, "d5aafx", &stats), -EINVAL);
  assert_true(peer_heard_all(peer));
}

static void test_no_id_is_not_sent(void **state)
{
  struct peer *peer = *state;
  struct cm_evicted evicted;
  assert_int_equal(cm_evict(peer->client, NULL, &evicted), -EINVAL);
  assert_string_equal(cm_error(peer->client), "no id is given");
  assert_true(peer_heard_all(peer));
}

static void test_turn_of_nobody_is_not_sent(void **state)
{
  struct peer *peer = *state;
  const struct cm_state nobody = {.mouse = 1, .cat = 2, .turn = (enum cm_player)2};
  struct cm_query query;
  struct cm_line line;
  assert_int_equal(cm_query(peer->client, NULL, &nobody, CM_LIMIT_NONE, &query), -EINVAL);
  assert_int_equal(cm_line(peer->client, NULL, &nobody, CM_LIMIT_NONE, 0, &line), -EINVAL);
  assert_string_equal(cm_error(peer->client),
                      "a state's turn is neither the mouse's nor the cat's");
  assert_true(peer_heard_all(peer));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, with_peer, without_peer)
  const struct CMUnitTest tests[] = {
      TEST(test_solve),
      TEST(test_query),
      TEST(test_line),
      TEST(test_explain),
      TEST(test_what_is_no_certificate_is_not_taken),
      TEST(test_stats),
      TEST(test_verify),
      TEST(test_list),
      TEST(test_rows_and_columns),
      TEST(test_evict_and_clear),
      TEST(test_status),
      TEST(test_ping),
      TEST(test_shutdown_waits_for_the_end),
      TEST(test_json_is_the_result_map),
      TEST(test_long_id_is_not_sent),
      TEST(test_no_id_is_not_sent),
      TEST(test_turn_of_nobody_is_not_sent),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
