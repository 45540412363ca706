/* `solve`, `query` and `line`, answered from a table at hand. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/dispatch.h"
#include "daemon/replies.h"

static uint32_t limit_of(const struct request *request, const struct arena *arena)
{
  return request_has(request, PARAM_LIMIT) ? request->limit_plies : arena->limit_plies;
}

static void answer_solve(struct connection *connection, const struct request *request,
                         struct state start, const struct solved *solved, enum source source)
{
  const struct arena *arena = solved->arena;
  struct answer_value value = answer_value(arena, solved->table, &start, arena->limit_plies);
  struct result_solve result = {
      .game = arena->game,
      .nodes = arena->nodes,
      .states = arena_states(arena),
      .bytes = table_bytes(arena->nodes, solved->table->width),
      .source = source,
      .solve_us = solved->solve_us,
      .start = {start, value.outcome, value.plies},
  };
  memcpy(result.id, solved->id_text, sizeof result.id);
  connection_reply(connection, request, &result);
}

static void fail_for_memory(struct connection *connection, const struct request *request)
{
  struct fault fault;
  fault_set(&fault, ERROR_NO_MEMORY, "out of memory for the answer");
  connection_fail(connection, request, &fault);
}

static void answer_query(struct connection *connection, const struct request *request,
                         const struct solved *solved)
{
  const struct arena *arena = solved->arena;
  struct buffer *scratch = &connection->server->scratch;
  uint32_t limit_plies = limit_of(request, arena);
  struct answer_value value = answer_value(arena, solved->table, &request->state, limit_plies);
  size_t count = answer_move_count(arena, &request->state);
  buffer_clear(scratch);
  struct ranked_move *moves = (void *)buffer_reserve(scratch, count * sizeof *moves + 1);
  if (!moves) {
    fail_for_memory(connection, request);
    return;
  }
  answer_moves(arena, solved->table, &request->state, limit_plies, moves);
  struct result_query result = {
      .state = request->state,
      .outcome = value.outcome,
      .plies = value.plies,
      .over = answer_over(arena, &request->state),
      .best = count > 0 ? moves[0].to : 0,
      .has_best = count > 0,
      .moves = moves,
      .moves_count = (uint32_t)count,
      .cols = arena->cols,
  };
  memcpy(result.id, solved->id_text, sizeof result.id);
  connection_reply(connection, request, &result);
}

static void answer_line_of(struct connection *connection, const struct request *request,
                           const struct solved *solved)
{
  const struct arena *arena = solved->arena;
  uint32_t limit_plies = limit_of(request, arena);
  uint64_t most = connection->server->config.messages.line_moves;
  uint32_t max =
      request_has(request, PARAM_MAX) && request->max < most ? request->max : (uint32_t)most;
  struct answer_value value = answer_value(arena, solved->table, &request->state, limit_plies);
  struct line line;
  if (answer_line(arena, solved->table, &request->state, limit_plies, max, &line) < 0) {
    fail_for_memory(connection, request);
    return;
  }
  struct result_line result = {
      .state = request->state,
      .outcome = value.outcome,
      .plies = value.plies,
      .moves = line.moves,
      .moves_count = line.count,
      .end = line.end,
      .cols = arena->cols,
  };
  memcpy(result.id, solved->id_text, sizeof result.id);
  connection_reply(connection, request, &result);
  free(line.moves);
}

static int check_state(struct request *request, const struct arena *arena, struct fault *fault)
{
  struct complaint complaint;
  if (request_find_cells(request, arena->rows, arena->cols, fault))
    return -EBADMSG;
  if (arena_check_state(arena, &request->state, &complaint))
    return fault_set(fault, ERROR_BAD_STATE, "%s", complaint.text);
  return 0;
}

void answer_from(struct connection *connection, struct request *request, struct state start,
                 struct solved *solved, enum source source)
{
  struct fault fault;
  if (request->method == METHOD_SOLVE) {
    answer_solve(connection, request, start, solved, source);
  } else if (check_state(request, solved->arena, &fault)) {
    connection_fail(connection, request, &fault);
  } else if (request->method == METHOD_QUERY) {
    answer_query(connection, request, solved);
  } else {
    answer_line_of(connection, request, solved);
  }
}
