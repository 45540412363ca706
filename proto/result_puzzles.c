/* The shapes of all that is told of puzzles: of their solves, their states and the tables that are kept. */
#include "proto/result_puzzles.h"

#include "proto/shape_define.h"

static const struct packed_text game_names[] = {
    [GAME_GRAPH] = PACKED_TEXT("graph"), [GAME_GRID] = PACKED_TEXT("grid"), {0}};
static const struct packed_text player_names[] = {
    [PLAYER_MOUSE] = PACKED_TEXT("mouse"), [PLAYER_CAT] = PACKED_TEXT("cat"), {0}};
static const struct packed_text outcome_names[] = {[OUTCOME_MOUSE] = PACKED_TEXT("mouse"),
                                                   [OUTCOME_CAT] = PACKED_TEXT("cat"),
                                                   [OUTCOME_DRAW] = PACKED_TEXT("draw"),
                                                   {0}};
static const struct packed_text source_names[] = {[SOURCE_MEMORY] = PACKED_TEXT("memory"),
                                                  [SOURCE_DISK] = PACKED_TEXT("disk"),
                                                  [SOURCE_SOLVED] = PACKED_TEXT("solved"),
                                                  {0}};
static const struct packed_text line_end_names[] = {[LINE_HOME] = PACKED_TEXT("home"),
                                                    [LINE_CAUGHT] = PACKED_TEXT("caught"),
                                                    [LINE_REPEATS] = PACKED_TEXT("repeats"),
                                                    [LINE_LIMIT] = PACKED_TEXT("limit"),
                                                    [LINE_STUCK] = PACKED_TEXT("stuck"),
                                                    [LINE_FULL] = PACKED_TEXT("max"),
                                                    {0}};
static const struct packed_text place_names[] = {[PLACE_MEMORY] = PACKED_TEXT("memory"),
                                                 [PLACE_DISK] = PACKED_TEXT("disk"),
                                                 [PLACE_PUZZLE] = PACKED_TEXT("puzzle"),
                                                 [PLACE_SOLVING] = PACKED_TEXT("solving"),
                                                 {0}};

/* clang-format off */
static const struct field state_fields[] = {
  FIELD(FIELD_UINT32, state, mouse),
  FIELD(FIELD_UINT32, state, cat),
  NAMED(state, turn, player_names),
};
SHAPE(shape_state, state);

static const struct field result_start_fields[] = {
  INNER(result_start, state, shape_state, NULL),
  NAMED(result_start, outcome, outcome_names),
  FIELD(FIELD_PLIES, result_start, plies),
};
SHAPE(shape_start, result_start);

static const struct field result_solve_fields[] = {
  FIELD(FIELD_ID, result_solve, id),
  NAMED(result_solve, game, game_names),
  FIELD(FIELD_UINT32, result_solve, nodes),
  FIELD(FIELD_UINT64, result_solve, states),
  FIELD(FIELD_UINT64, result_solve, bytes),
  NAMED(result_solve, source, source_names),
  FIELD(FIELD_UINT64, result_solve, solve_us),
  INNER(result_solve, start, shape_start, NULL),
};
SHAPE(shape_solve, result_solve);

static const struct field result_solving_fields[] = {
  {KEY("status"), .type = FIELD_SOLVING},
  FIELD(FIELD_ID, result_solving, id),
};
SHAPE(shape_solving, result_solving);

static const struct field ranked_move_fields[] = {
  FIELD(FIELD_UINT32, ranked_move, to),
  {KEY("outcome"), .type = FIELD_ENUM, .offset = offsetof(struct ranked_move, value.outcome),
   .names = outcome_names},
  {KEY("plies"), .type = FIELD_PLIES, .offset = offsetof(struct ranked_move, value.plies)},
};
SHAPE(shape_ranked_move, ranked_move);

static const struct field result_query_fields[] = {
  FIELD(FIELD_ID, result_query, id),
  INNER(result_query, state, shape_state, NULL),
  NAMED(result_query, outcome, outcome_names),
  FIELD(FIELD_PLIES, result_query, plies),
  FIELD(FIELD_BOOLEAN, result_query, over),
  {KEY("best"), .type = FIELD_NODE, .offset = offsetof(struct result_query, best),
   .other = offsetof(struct result_query, has_best)},
  LIST(FIELD_STRUCTS, result_query, moves, &shape_ranked_move),
  FIELD(FIELD_UINT32, result_query, cols),
};
SHAPE(shape_query_of_grid, result_query);
SHAPE_WITHOUT_LAST(shape_query, result_query);

static const struct field result_line_fields[] = {
  FIELD(FIELD_ID, result_line, id),
  INNER(result_line, state, shape_state, NULL),
  NAMED(result_line, outcome, outcome_names),
  FIELD(FIELD_PLIES, result_line, plies),
  LIST(FIELD_UINT32S, result_line, moves, NULL),
  NAMED(result_line, end, line_end_names),
  FIELD(FIELD_UINT32, result_line, cols),
};
SHAPE(shape_line_of_grid, result_line);
SHAPE_WITHOUT_LAST(shape_line, result_line);

static const struct field outcome_counts_fields[] = {
  FIELD(FIELD_UINT64, outcome_counts, mouse),
  FIELD(FIELD_UINT64, outcome_counts, cat),
  FIELD(FIELD_UINT64, outcome_counts, endless),
};
SHAPE(shape_counts, outcome_counts);

static bool wins_nowhere(const void *longest)
{
  return ((const struct longest *)longest)->plies == PLIES_NONE;
}

static const struct field longest_fields[] = {
  FIELD(FIELD_PLIES, longest, plies),
  INNER(longest, state, shape_state, wins_nowhere),
};
SHAPE(shape_longest, longest);

static const struct field result_stats_fields[] = {
  FIELD(FIELD_ID, result_stats, id),
  NAMED(result_stats, game, game_names),
  FIELD(FIELD_UINT32, result_stats, nodes),
  FIELD(FIELD_UINT64, result_stats, states),
  INNER(result_stats, mouse_to_move, shape_counts, NULL),
  INNER(result_stats, cat_to_move, shape_counts, NULL),
  INNER(result_stats, longest_mouse, shape_longest, NULL),
  INNER(result_stats, longest_cat, shape_longest, NULL),
  LIST(FIELD_UINT64S, result_stats, mouse_histogram, NULL),
  LIST(FIELD_UINT64S, result_stats, cat_histogram, NULL),
  FIELD(FIELD_UINT32, result_stats, cols),
};
SHAPE(shape_stats_of_grid, result_stats);
SHAPE_WITHOUT_LAST(shape_stats, result_stats);

static const struct field verdict_fields[] = {
  NAMED(verdict, outcome, outcome_names),
  FIELD(FIELD_PLIES, verdict, plies),
};
SHAPE(shape_verdict, verdict);

static const struct field table_fault_fields[] = {
  INNER(table_fault, state, shape_state, NULL),
  INNER(table_fault, stored, shape_verdict, NULL),
  INNER(table_fault, proper, shape_verdict, NULL),
};
SHAPE(shape_table_fault, table_fault);

static bool has_no_fault(const void *verify)
{
  return ((const struct result_verify *)verify)->correct;
}

static const struct field result_verify_fields[] = {
  FIELD(FIELD_ID, result_verify, id),
  FIELD(FIELD_BOOLEAN, result_verify, correct),
  FIELD(FIELD_UINT64, result_verify, checked),
  FIELD(FIELD_UINT64, result_verify, faults),
  INNER(result_verify, first, shape_table_fault, has_no_fault),
  FIELD(FIELD_UINT32, result_verify, cols),
};
SHAPE(shape_verify_of_grid, result_verify);
SHAPE_WITHOUT_LAST(shape_verify, result_verify);

static const struct field progress_fields[] = {
  FIELD(FIELD_UINT64, progress, layers),
  FIELD(FIELD_UINT64, progress, decided),
  FIELD(FIELD_UINT64, progress, states),
};
SHAPE(shape_progress, progress);
static bool is_not_solving(const void *listed)
{
  return ((const struct listed_table *)listed)->where != PLACE_SOLVING;
}

static const struct field listed_table_fields[] = {
  FIELD(FIELD_ID, listed_table, id),
  NAMED(listed_table, game, game_names),
  FIELD(FIELD_UINT32, listed_table, nodes),
  FIELD(FIELD_UINT64, listed_table, bytes),
  FIELD(FIELD_UINT64, listed_table, disk_bytes),
  FIELD(FIELD_UINT64, listed_table, hits),
  FIELD(FIELD_UINT64, listed_table, age_ms),
  NAMED(listed_table, where, place_names),
  INNER(listed_table, progress, shape_progress, is_not_solving),
  FIELD(FIELD_BOOLEAN, listed_table, current),
};
SHAPE(shape_listed_table, listed_table);

static const struct field result_list_fields[] = {
  LIST(FIELD_STRUCTS, result_list, tables, &shape_listed_table),
  FIELD(FIELD_UINT64, result_list, total),
};
SHAPE(shape_list, result_list);

static const struct field result_evict_fields[] = {
  FIELD(FIELD_UINT64, result_evict, evicted),
  FIELD(FIELD_UINT64, result_evict, bytes),
};
SHAPE(shape_evict, result_evict);

/* clang-format on */
