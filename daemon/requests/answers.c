/* The results of `solve`, `query` and `line`, from a table at hand. */
#include "daemon/requests/answers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "proto/reply.h"

static uint32_t limit_of(const struct request *request, const struct arena *arena)
{
  return request_has(request, PARAM_LIMIT) ? request->limit_plies : arena->limit_plies;
}

void answer_solve(const struct answer_place *place, const struct request *request,
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
  reply_result(place->out, place->encoding, &request->id, METHOD_SOLVE, &result);
}

static uint32_t max_of(const struct request *request, const struct message_limits *limits)
{
  uint64_t most = limits->line_moves;
  return request_has(request, PARAM_MAX) && request->max < most ? request->max : (uint32_t)most;
}

static void write_query(const struct answer_place *place, const struct request *request,
                        const struct solved *solved)
{
  const struct arena *arena = solved->arena;
  uint32_t limit_plies = limit_of(request, arena);
  struct answer_value value = answer_value(arena, solved->table, &request->state, limit_plies);
  size_t count = answer_move_count(arena, &request->state);
  buffer_clear(place->scratch);
  struct ranked_move *moves = (void *)buffer_reserve(place->scratch, count * sizeof *moves + 1);
  if (!moves) {
    place->out->failed = true;
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
  reply_result(place->out, place->encoding, &request->id, METHOD_QUERY, &result);
}

static void write_line(const struct answer_place *place, const struct request *request,
                       const struct solved *solved)
{
  const struct arena *arena = solved->arena;
  uint32_t limit_plies = limit_of(request, arena);
  struct answer_value value = answer_value(arena, solved->table, &request->state, limit_plies);
  struct line line;
  if (answer_line(arena, solved->table, &request->state, limit_plies,
                  max_of(request, place->limits), &line) < 0) {
    place->out->failed = true;
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
  reply_result(place->out, place->encoding, &request->id, METHOD_LINE, &result);
  free(line.moves);
}

void answer_write(const struct answer_place *place, const struct request *request,
                  const struct solved *solved)
{
  if (request->method == METHOD_QUERY)
    write_query(place, request, solved);
  else
    write_line(place, request, solved);
}

/* A line that nobody can force to an end runs until a state comes back, at the latest when all were seen. */
static uint64_t line_plies_max(const struct request *request, const struct solved *solved,
                               const struct message_limits *limits)
{
  uint64_t plies = table_value(solved->table, request->state).plies;
  uint64_t max = max_of(request, limits);
  if (plies == PLIES_NONE)
    plies = arena_states(solved->arena);
  return plies < max ? plies : max;
}

/* Each ply of a line looks at all moves of its state, of which there are no more than nodes. */
bool answer_is_long(const struct request *request, const struct solved *solved,
                    const struct message_limits *limits)
{
  const uint64_t long_moves = 4000, many_looked_at = 1 << 16; /* at most a millisecond's work */
  if (request->method == METHOD_QUERY)
    return answer_move_count(solved->arena, &request->state) > long_moves;
  uint64_t plies = line_plies_max(request, solved, limits);
  return plies > long_moves || plies * solved->arena->nodes > many_looked_at;
}

int answer_check_state(struct request *request, const struct arena *arena, struct fault *fault)
{
  struct complaint complaint;
  if (!request_has(request, PARAM_STATE))
    return 0;
  if (request_find_cells(request, arena->rows, arena->cols, fault))
    return -EBADMSG;
  if (arena_check_state(arena, &request->state, &complaint))
    return fault_set(fault, ERROR_BAD_STATE, "%s", complaint.text);
  return 0;
}
