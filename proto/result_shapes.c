/* The shape of each struct of result.h, and which of them each method answers. */
#include "proto/result_shapes.h"

#include "proto/result.h"
#include "proto/shape_define.h"

static const struct packed_text game_names[] = {
    [GAME_GRAPH] = PACKED_TEXT("graph"), [GAME_GRID] = PACKED_TEXT("grid"), {0}};
static const struct packed_text player_names[] = {
    [PLAYER_MOUSE] = PACKED_TEXT("mouse"), [PLAYER_CAT] = PACKED_TEXT("cat"), {0}};
static const struct packed_text outcome_names[] = {[OUTCOME_MOUSE] = PACKED_TEXT("mouse"),
                                                   [OUTCOME_CAT] = PACKED_TEXT("cat"),
                                                   [OUTCOME_DRAW] = PACKED_TEXT("draw"),
                                                   {0}};
static const struct packed_text source_names[] = {
    [SOURCE_MEMORY] = PACKED_TEXT("memory"), [SOURCE_SOLVED] = PACKED_TEXT("solved"), {0}};
static const struct packed_text line_end_names[] = {[LINE_HOME] = PACKED_TEXT("home"),
                                                    [LINE_CAUGHT] = PACKED_TEXT("caught"),
                                                    [LINE_REPEATS] = PACKED_TEXT("repeats"),
                                                    [LINE_LIMIT] = PACKED_TEXT("limit"),
                                                    [LINE_STUCK] = PACKED_TEXT("stuck"),
                                                    [LINE_FULL] = PACKED_TEXT("max"),
                                                    {0}};
static const struct packed_text place_names[] = {[PLACE_MEMORY] = PACKED_TEXT("memory"),
                                                 [PLACE_DISK] = PACKED_TEXT("disk"),
                                                 [PLACE_SOLVING] = PACKED_TEXT("solving"),
                                                 {0}};
static const struct packed_text store_state_names[] = {[STORE_OFF] = PACKED_TEXT("off"),
                                                       [STORE_OPENING] = PACKED_TEXT("opening"),
                                                       [STORE_ON] = PACKED_TEXT("on"),
                                                       [STORE_FAILING] = PACKED_TEXT("failing"),
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
  FIELD(FIELD_COLS, result_query, cols),
};
SHAPE(shape_query, result_query);

static const struct field result_line_fields[] = {
  FIELD(FIELD_ID, result_line, id),
  INNER(result_line, state, shape_state, NULL),
  NAMED(result_line, outcome, outcome_names),
  FIELD(FIELD_PLIES, result_line, plies),
  LIST(FIELD_UINT32S, result_line, moves, NULL),
  NAMED(result_line, end, line_end_names),
  FIELD(FIELD_COLS, result_line, cols),
};
SHAPE(shape_line, result_line);

static const struct field result_explain_fields[] = {
  FIELD(FIELD_ID, result_explain, id),
  FIELD(FIELD_BOOLEAN, result_explain, whole),
  {KEY("certificate"), .type = FIELD_PACKED, .offset = offsetof(struct result_explain, certificate),
   .other = offsetof(struct result_explain, certificate_bytes)},
};
SHAPE(shape_explain, result_explain);

static const struct field outcome_counts_fields[] = {
  FIELD(FIELD_UINT64, outcome_counts, mouse),
  FIELD(FIELD_UINT64, outcome_counts, cat),
  FIELD(FIELD_UINT64, outcome_counts, endless),
};
SHAPE(shape_counts, outcome_counts);

static bool wins_nowhere(const void *longest)
{
  return ((const struct longest_win *)longest)->plies == PLIES_NONE;
}

static const struct field longest_win_fields[] = {
  FIELD(FIELD_PLIES, longest_win, plies),
  INNER(longest_win, state, shape_state, wins_nowhere),
};
SHAPE(shape_longest, longest_win);

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
  FIELD(FIELD_COLS, result_stats, cols),
};
SHAPE(shape_stats, result_stats);

static const struct field table_value_fields[] = {
  NAMED(table_value, outcome, outcome_names),
  FIELD(FIELD_PLIES, table_value, plies),
};
SHAPE(shape_value, table_value);

static const struct field table_fault_fields[] = {
  INNER(table_fault, state, shape_state, NULL),
  INNER(table_fault, stored, shape_value, NULL),
  INNER(table_fault, proper, shape_value, NULL),
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
  FIELD(FIELD_COLS, result_verify, cols),
};
SHAPE(shape_verify, result_verify);

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

static const struct field result_hello_fields[] = {
  FIELD(FIELD_TEXT, result_hello, name),
  FIELD(FIELD_TEXT, result_hello, version),
  FIELD(FIELD_UINT32, result_hello, protocol),
  LIST(FIELD_TEXTS, result_hello, methods, NULL),
  LIST(FIELD_LIMITS, result_hello, limits, NULL),
};
SHAPE(shape_hello, result_hello);

static const struct field store_status_fields[] = {
  NAMED(store_status, state, store_state_names),
  FIELD(FIELD_TEXT, store_status, folder),
  FIELD(FIELD_TEXT, store_status, error),
  FIELD(FIELD_UINT64, store_status, puzzles),
  FIELD(FIELD_UINT64, store_status, bytes),
  FIELD(FIELD_UINT64, store_status, unkept),
  FIELD(FIELD_UINT64, store_status, damaged),
};
SHAPE(shape_store, store_status);

static const struct field result_status_fields[] = {
  FIELD(FIELD_TEXT, result_status, version),
  FIELD(FIELD_UINT64, result_status, pid),
  FIELD(FIELD_UINT64, result_status, uptime_ms),
  FIELD(FIELD_UINT64, result_status, connections),
  FIELD(FIELD_UINT64, result_status, jobs_running),
  FIELD(FIELD_UINT64, result_status, jobs_queued),
  FIELD(FIELD_UINT64, result_status, requests),
  FIELD(FIELD_UINT64, result_status, hits),
  FIELD(FIELD_UINT64, result_status, misses),
  FIELD(FIELD_UINT64, result_status, solves),
  FIELD(FIELD_UINT64, result_status, tables),
  FIELD(FIELD_UINT64, result_status, bytes),
  FIELD(FIELD_UINT64, result_status, kept_bytes),
  FIELD(FIELD_BOOLEAN, result_status, draining),
  INNER(result_status, store, shape_store, NULL),
  LIST(FIELD_LIMITS, result_status, limits, NULL),
};
SHAPE(shape_status, result_status);

static const struct field result_cancel_fields[] = {
  FIELD(FIELD_BOOLEAN, result_cancel, cancelled),
};
SHAPE(shape_cancel, result_cancel);

static const struct field result_shutdown_fields[] = {
  FIELD(FIELD_UINT64, result_shutdown, pending),
};
SHAPE(shape_shutdown, result_shutdown);
/* clang-format on */

static const struct shape *const result_shapes[METHOD_COUNT] = {
    [METHOD_HELLO] = &shape_hello,   [METHOD_PING] = NULL,
    [METHOD_SOLVE] = &shape_solve,   [METHOD_QUERY] = &shape_query,
    [METHOD_LINE] = &shape_line,     [METHOD_EXPLAIN] = &shape_explain,
    [METHOD_STATS] = &shape_stats,   [METHOD_VERIFY] = &shape_verify,
    [METHOD_LIST] = &shape_list,     [METHOD_EVICT] = &shape_evict,
    [METHOD_CLEAR] = &shape_evict,   [METHOD_STATUS] = &shape_status,
    [METHOD_CANCEL] = &shape_cancel, [METHOD_SHUTDOWN] = &shape_shutdown,
};

const struct shape *result_shape(enum method method)
{
  return result_shapes[method];
}
