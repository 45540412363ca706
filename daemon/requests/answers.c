/* The results of each method that asks about a puzzle. */
#include "daemon/requests/answers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "proto/certificate.h"
#include "proto/reply.h"
#include "solver/explain.h"
#include "solver/stats.h"
#include "solver/verify.h"

static uint32_t limit_of(const struct request *request, const struct arena *arena)
{
  return request_has(request, PARAM_LIMIT) ? request->limit_plies : arena->limit_plies;
}

static uint32_t max_of(const struct request *request, const struct message_limits *limits)
{
  uint64_t most = limits->line_moves;
  return request_has(request, PARAM_MAX) && request->max < most ? request->max : (uint32_t)most;
}

static void write_result(const struct answer_place *place, const struct request *request,
                         const void *result)
{
  reply_result(place->out, place->encoding, &request->id, request->method, result);
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
  write_result(place, request, &result);
}

static int write_query(const struct answer_place *place, const struct request *request,
                       const struct solved *solved)
{
  const struct arena *arena = solved->arena;
  uint32_t limit_plies = limit_of(request, arena);
  struct answer_value value = answer_value(arena, solved->table, &request->state, limit_plies);
  size_t count = answer_move_count(arena, &request->state);
  buffer_clear(place->scratch);
  struct ranked_move *moves = (void *)buffer_reserve(place->scratch, count * sizeof *moves + 1);
  if (!moves)
    return -ENOMEM;
  answer_moves(arena, solved->table, &request->state, limit_plies, moves);
  struct result_query result = {
      .state = request->state,
      .outcome = value.outcome,
      .plies = value.plies,
      .over = state_is_over(arena, &request->state),
      .best = count > 0 ? moves[0].to : 0,
      .has_best = count > 0,
      .moves = moves,
      .moves_count = (uint32_t)count,
      .cols = arena->cols,
  };
  memcpy(result.id, solved->id_text, sizeof result.id);
  write_result(place, request, &result);
  return 0;
}

static int write_line(const struct answer_place *place, const struct request *request,
                      const struct solved *solved)
{
  const struct arena *arena = solved->arena;
  uint32_t limit_plies = limit_of(request, arena);
  struct answer_value value = answer_value(arena, solved->table, &request->state, limit_plies);
  struct line line;
  if (answer_line(arena, solved->table, &request->state, limit_plies,
                  max_of(request, place->limits), &line) < 0)
    return -ENOMEM;
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
  write_result(place, request, &result);
  free(line.moves);
  return 0;
}

/* A certificate holds its whole puzzle, so that the edges count. */
static int check_edges(const struct arena *arena, const struct message_limits *limits,
                       struct fault *fault)
{
  uint64_t edges = 0;
  for (uint32_t node = 0; node < arena->nodes; node++)
    edges += arena->moves[PLAYER_MOUSE].end[node] - arena->moves[PLAYER_MOUSE].begin[node];
  if (edges <= limits->proof_edges)
    return 0;
  return fault_set(fault, ERROR_LONG_PROOF,
                   "the puzzle has %llu edges, too many to send it with a proof, where %llu are "
                   "allowed",
                   (unsigned long long)edges, (unsigned long long)limits->proof_edges);
}

/* 0, -ENOMEM, or -EBADMSG with `fault`. */
static int make_proof(const struct request *request, const struct solved *solved,
                      const struct message_limits *limits, struct proof *proof, struct fault *fault)
{
  const struct arena *arena = solved->arena;
  const uint32_t limit_plies = limit_of(request, arena), most = (uint32_t)limits->proof_states;
  if (check_edges(arena, limits, fault))
    return -EBADMSG;
  const struct state *state = &request->state;
  int error = request_has(request, PARAM_DEPTH)
                  ? explain_beginning(arena, solved->table, state, limit_plies,
                                      request->depth_plies, most, proof)
                  : explain(arena, solved->table, state, limit_plies, most, proof);
  return error == -EFBIG ? certificate_refuse(most, fault) : error;
}

static int write_explain(const struct answer_place *place, const struct request *request,
                         const struct solved *solved)
{
  struct result_explain result = {.whole = !request_has(request, PARAM_DEPTH)};
  struct proof proof;
  struct fault fault;
  int error = make_proof(request, solved, place->limits, &proof, &fault);
  if (error == -EBADMSG)
    reply_error(place->out, place->encoding, &request->id, &fault);
  if (error)
    return error == -EBADMSG ? 0 : error;
  buffer_clear(place->scratch);
  certificate_pack(place->scratch, solved->arena, &proof);
  proof_deinit(&proof);
  memcpy(result.id, solved->id_text, sizeof result.id);
  result.certificate = place->scratch->data;
  result.certificate_bytes = (uint32_t)place->scratch->length;
  place->out->failed |= place->scratch->failed;
  write_result(place, request, &result);
  return 0;
}

static struct outcome_counts counts_of(const uint64_t outcomes[static 3])
{
  return (struct outcome_counts){outcomes[OUTCOME_MOUSE], outcomes[OUTCOME_CAT],
                                 outcomes[OUTCOME_DRAW]};
}

static int write_stats(const struct answer_place *place, const struct request *request,
                       const struct solved *solved)
{
  const struct arena *arena = solved->arena;
  struct table_stats stats;
  int status = table_stats_init(&stats, arena, solved->table, place->stop);
  if (status < 0)
    return status;
  struct result_stats result = {
      .game = arena->game,
      .nodes = arena->nodes,
      .mouse_to_move = counts_of(stats.outcomes[PLAYER_MOUSE]),
      .cat_to_move = counts_of(stats.outcomes[PLAYER_CAT]),
      .longest_mouse = stats.longest[PLAYER_MOUSE],
      .longest_cat = stats.longest[PLAYER_CAT],
      .mouse_histogram = stats.histogram[PLAYER_MOUSE],
      .mouse_histogram_count = stats.histogram_count[PLAYER_MOUSE],
      .cat_histogram = stats.histogram[PLAYER_CAT],
      .cat_histogram_count = stats.histogram_count[PLAYER_CAT],
      .cols = arena->cols,
  };
  for (int turn = 0; turn < 2; turn++)
    for (int outcome = 0; outcome < 3; outcome++)
      result.states += stats.outcomes[turn][outcome];
  memcpy(result.id, solved->id_text, sizeof result.id);
  write_result(place, request, &result);
  table_stats_deinit(&stats);
  return 0;
}

static int write_verify(const struct answer_place *place, const struct request *request,
                        const struct solved *solved)
{
  struct verification found;
  int status = verify(solved->arena, solved->table, place->stop, &found);
  if (status < 0)
    return status;
  struct result_verify result = {
      .correct = found.faults == 0,
      .checked = found.checked,
      .faults = found.faults,
      .first = {found.first, found.stored, found.proper},
      .cols = solved->arena->cols,
  };
  memcpy(result.id, solved->id_text, sizeof result.id);
  write_result(place, request, &result);
  return 0;
}

int answer_write(const struct answer_place *place, const struct request *request,
                 const struct solved *solved)
{
  int result = 0;
  switch (request->method) {
  case METHOD_QUERY: result = write_query(place, request, solved); break;
  case METHOD_LINE: result = write_line(place, request, solved); break;
  case METHOD_EXPLAIN: result = write_explain(place, request, solved); break;
  case METHOD_STATS: result = write_stats(place, request, solved); break;
  default: result = write_verify(place, request, solved);
  }
  return result == 0 && place->out->failed ? -ENOMEM : result;
}

/*
 * A line that nobody can force to an end runs until a state comes back, at the latest when all were seen. Each ply
 * looks at all moves of its state, of which there are no more than nodes.
 */
bool answer_is_long(const struct request *request, const struct solved *solved,
                    const struct message_limits *limits)
{
  const uint64_t long_moves = 4000, many_looked_at = 1 << 16; /* at most a millisecond's work */
  uint64_t plies;
  switch (request->method) {
  case METHOD_SOLVE: return false;
  case METHOD_QUERY: return answer_move_count(solved->arena, &request->state) > long_moves;
  case METHOD_LINE:
    plies = table_value(solved->table, request->state).plies;
    if (plies == PLIES_NONE)
      plies = arena_states(solved->arena);
    if (plies > max_of(request, limits))
      plies = max_of(request, limits);
    return plies > long_moves || plies * solved->arena->nodes > many_looked_at;
  default: return true;
  }
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
