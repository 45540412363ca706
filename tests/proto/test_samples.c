/* The answers that PROTOCOL.md shows are what the solver says of the puzzles that it shows. */
#include <stdlib.h>
#include <string.h>

#include "proto/certificate.h"
#include "proto/request.h"
#include "solver/answer.h"
#include "solver/explain.h"
#include "solver/id.h"
#include "solver/solve.h"
#include "solver/stats.h"
#include "tests/proto/proto_test.h"
#include "tests/proto/samples.h"

struct solved {
  struct arena *arena;
  struct table *table;
  char id[ID_TEXT + 1];
};

static void solved_init(struct solved *solved, enum method method)
{
  struct complaint complaint;
  struct id id;
  assert_int_equal(arena_new(&sample_request(method)->puzzle, &solved->arena, &complaint), 0);
  assert_int_equal(solve(solved->arena, NULL, &solved->table), 0);
  arena_id(solved->arena, &id);
  id_format(&id, solved->id);
}

static void solved_deinit(struct solved *solved)
{
  table_free(solved->table);
  arena_free(solved->arena);
}

static void test_solve(void **state)
{
  (void)state;
  const struct result_solve *sample = sample_result(METHOD_SOLVE);
  struct solved solved;
  solved_init(&solved, METHOD_SOLVE);
  const struct state *start = &solved.arena->start;
  struct answer_value value = answer_value(solved.arena, solved.table, start, LIMIT_NONE);
  assert_string_equal(sample->id, solved.id);
  assert_int_equal(sample->states, arena_states(solved.arena));
  assert_int_equal(sample->bytes, table_bytes(solved.table->nodes, solved.table->width));
  assert_memory_equal(&sample->start.state, start, sizeof *start);
  assert_int_equal(sample->start.outcome, value.outcome);
  assert_int_equal(sample->start.plies, value.plies);
  solved_deinit(&solved);
}

static void test_query(void **state)
{
  (void)state;
  const struct result_query *sample = sample_result(METHOD_QUERY);
  struct solved solved;
  struct ranked_move moves[8];
  solved_init(&solved, METHOD_SOLVE);
  struct answer_value value = answer_value(solved.arena, solved.table, &sample->state, LIMIT_NONE);
  assert_string_equal(sample->id, solved.id);
  assert_int_equal(sample->outcome, value.outcome);
  assert_int_equal(sample->plies, value.plies);
  assert_int_equal(sample->moves_count, answer_move_count(solved.arena, &sample->state));
  answer_moves(solved.arena, solved.table, &sample->state, LIMIT_NONE, moves);
  assert_memory_equal(sample->moves, moves, sample->moves_count * sizeof *moves);
  assert_int_equal(sample->best, moves[0].to);
  solved_deinit(&solved);
}

static void test_line(void **state)
{
  (void)state;
  const struct request *request = sample_request(METHOD_LINE);
  const struct result_line *sample = sample_result(METHOD_LINE);
  struct solved solved;
  struct line line;
  solved_init(&solved, METHOD_LINE);
  assert_int_equal(answer_line(solved.arena, solved.table, &request->state, request->limit_plies,
                               request->max, &line),
                   0);
  assert_string_equal(sample->id, solved.id);
  assert_int_equal(sample->moves_count, line.count);
  assert_memory_equal(sample->moves, line.moves, line.count * sizeof *line.moves);
  assert_int_equal(sample->end, line.end);
  free(line.moves);
  solved_deinit(&solved);
}

static void test_explain(void **state)
{
  (void)state;
  const struct state asked = sample_request(METHOD_EXPLAIN)->state;
  const struct result_explain *sample = sample_result(METHOD_EXPLAIN);
  struct solved solved;
  struct proof proof;
  struct buffer certificate;
  solved_init(&solved, METHOD_SOLVE);
  buffer_init(&certificate);
  assert_int_equal(explain(solved.arena, solved.table, &asked, LIMIT_NONE, 100, &proof), 0);
  certificate_pack(&certificate, solved.arena, &proof);
  assert_string_equal(sample->id, solved.id);
  assert_int_equal(sample->certificate_bytes, certificate.length);
  assert_memory_equal(sample->certificate, certificate.data, certificate.length);
  buffer_deinit(&certificate);
  proof_deinit(&proof);
  solved_deinit(&solved);
}

static void check_counts(const struct outcome_counts *sample, const uint64_t *counted)
{
  assert_int_equal(sample->mouse, counted[OUTCOME_MOUSE]);
  assert_int_equal(sample->cat, counted[OUTCOME_CAT]);
  assert_int_equal(sample->endless, counted[OUTCOME_DRAW]);
}

static void check_longest(const struct longest_win *sample, const struct longest_win *found)
{
  assert_int_equal(sample->plies, found->plies);
  assert_memory_equal(&sample->state, &found->state, sizeof found->state);
}

static void test_stats(void **state)
{
  (void)state;
  const struct result_stats *sample = sample_result(METHOD_STATS);
  struct solved solved;
  struct table_stats stats;
  solved_init(&solved, METHOD_SOLVE);
  assert_int_equal(table_stats_init(&stats, solved.arena, solved.table, NULL), 0);
  check_counts(&sample->mouse_to_move, stats.outcomes[PLAYER_MOUSE]);
  check_counts(&sample->cat_to_move, stats.outcomes[PLAYER_CAT]);
  check_longest(&sample->longest_mouse, &stats.longest[PLAYER_MOUSE]);
  check_longest(&sample->longest_cat, &stats.longest[PLAYER_CAT]);
  assert_int_equal(sample->mouse_histogram_count, stats.histogram_count[PLAYER_MOUSE]);
  assert_int_equal(sample->cat_histogram_count, stats.histogram_count[PLAYER_CAT]);
  assert_memory_equal(sample->mouse_histogram, stats.histogram[PLAYER_MOUSE],
                      sample->mouse_histogram_count * sizeof(uint64_t));
  assert_memory_equal(sample->cat_histogram, stats.histogram[PLAYER_CAT],
                      sample->cat_histogram_count * sizeof(uint64_t));
  table_stats_deinit(&stats);
  solved_deinit(&solved);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_solve),   cmocka_unit_test(test_query), cmocka_unit_test(test_line),
      cmocka_unit_test(test_explain), cmocka_unit_test(test_stats),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
