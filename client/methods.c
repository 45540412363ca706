/*
 * The typed calls about a puzzle: each makes its request, has it answered (call.c), and puts the daemon's
 * result into the public struct. Texts stay where the response has them; lists are copied to client->list,
 * and both live until the next call.
 */
#include "client/client.h"
#include "client/params.h"
#include "proto/certificate.h"
#include "proto/json_write.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

static_assert((int)CM_GRID == (int)GAME_GRID && (int)CM_CAT == (int)PLAYER_CAT,
              "same games, players");
static_assert((int)CM_CAT_WINS == (int)OUTCOME_CAT && (int)CM_DRAW == (int)OUTCOME_DRAW,
              "outcomes");
static_assert((int)CM_END_MAX == (int)LINE_FULL && (int)CM_END_CAUGHT == (int)LINE_CAUGHT,
              "line ends");
static_assert((int)CM_SOLVED == (int)SOURCE_SOLVED, "sources");
static_assert(CM_PLIES_NONE == PLIES_NONE && CM_LIMIT_NONE == LIMIT_NONE, "same plies");
static_assert(CM_MOVE_NONE == MOVE_NONE, "no move");
static_assert((int)CM_ID_DIGITS == (int)ID_TEXT, "same ids");

static struct cm_state public_state(const struct state *state)
{
  return (struct cm_state){
      .mouse = state->mouse, .cat = state->cat, .turn = (enum cm_player)state->turn};
}

int cm_solve(struct cm_client *client, const struct cm_puzzle *puzzle, struct cm_solved *solved)
{
  struct request request = {.method = METHOD_SOLVE};
  struct result_solve result;
  params_set_puzzle(&request, puzzle);
  if (client->on_progress) {
    request.progress = true;
    request.given |= P(PROGRESS);
  }
  int rc = client_call(client, &request, &result);
  if (rc)
    return rc;
  client_note_solve(client, result.id);
  *solved = (struct cm_solved){.game = (enum cm_game)result.game,
                               .nodes = result.nodes,
                               .states = result.states,
                               .bytes = result.bytes,
                               .source = (enum cm_source)result.source,
                               .solve_us = result.solve_us,
                               .start = public_state(&result.start.state),
                               .outcome = (enum cm_outcome)result.start.outcome,
                               .plies = result.start.plies};
  memcpy(solved->id, result.id, sizeof solved->id);
  return 0;
}

int cm_query(struct cm_client *client, const struct cm_which *which, const struct cm_state *state,
             uint32_t limit_plies, struct cm_query *query)
{
  struct request request = {.method = METHOD_QUERY};
  struct result_query result;
  int rc = params_set_state(client, &request, state, limit_plies);
  if (rc == 0)
    rc = params_set_which(client, &request, which);
  if (rc == 0)
    rc = client_call(client, &request, &result);
  if (rc)
    return rc;
  struct cm_move *moves = client_list_room(client, result.moves_count, sizeof *moves);
  if (!moves)
    return -ENOMEM;
  for (uint32_t i = 0; i < result.moves_count; i++)
    moves[i] = (struct cm_move){result.moves[i].to, (enum cm_outcome)result.moves[i].value.outcome,
                                result.moves[i].value.plies};
  *query = (struct cm_query){.state = public_state(&result.state),
                             .outcome = (enum cm_outcome)result.outcome,
                             .plies = result.plies,
                             .over = result.over,
                             .moves = moves,
                             .moves_count = result.moves_count,
                             .cols = result.cols};
  memcpy(query->id, result.id, sizeof query->id);
  return 0;
}

int cm_line(struct cm_client *client, const struct cm_which *which, const struct cm_state *state,
            uint32_t limit_plies, uint32_t max, struct cm_line *line)
{
  struct request request = {.method = METHOD_LINE, .max = max, .given = max ? P(MAX) : 0};
  struct result_line result;
  int rc = params_set_state(client, &request, state, limit_plies);
  if (rc == 0)
    rc = params_set_which(client, &request, which);
  if (rc == 0)
    rc = client_call(client, &request, &result);
  if (rc)
    return rc;
  *line = (struct cm_line){.state = public_state(&result.state),
                           .outcome = (enum cm_outcome)result.outcome,
                           .plies = result.plies,
                           .moves = result.moves,
                           .moves_count = result.moves_count,
                           .end = (enum cm_line_end)result.end,
                           .cols = result.cols};
  memcpy(line->id, result.id, sizeof line->id);
  return 0;
}

static struct cm_strategy public_strategy(const struct strategy *strategy, struct cm_step *steps)
{
  for (uint32_t i = 0; i < strategy->states_count; i++) {
    const struct proof_state *at = &strategy->states[i];
    steps[i] = (struct cm_step){public_state(&at->state), at->move, at->plies};
  }
  return (struct cm_strategy){.player = (enum cm_player)strategy->player,
                              .wins = strategy->goal == GOAL_WIN,
                              .steps = steps,
                              .steps_count = strategy->states_count};
}

/* Steps and text share the memory of the client's list, the steps first. */
static int take_proof(struct cm_client *client, const struct certificate *certificate,
                      const struct buffer *json, struct cm_explain *explain)
{
  const struct proof *proof = &certificate->proof;
  const struct puzzle *puzzle = &certificate->puzzle;
  const size_t steps_bytes = proof_states(proof) * sizeof(struct cm_step);
  char *room = client_list_room(client, steps_bytes + json->length + 1, 1);
  if (!room)
    return -ENOMEM;
  *explain = (struct cm_explain){
      .state = public_state(&proof->claim.state),
      .outcome = (enum cm_outcome)proof->claim.outcome,
      .plies = proof->claim.plies,
      .limit_plies = proof->claim.limit_plies,
      .strategies_count = proof->strategies_count,
      .cols = puzzle->game == GAME_GRID ? puzzle->grid.row_length[0] : 0,
      .certificate = memcpy(room + steps_bytes, json->data, json->length),
  };
  struct cm_step *steps = (void *)room;
  for (uint32_t i = 0; i < proof->strategies_count; i++) {
    explain->strategies[i] = public_strategy(&proof->strategies[i], steps);
    steps += proof->strategies[i].states_count;
  }
  return 0;
}

static int fail_to_read(struct cm_client *client, const struct fault *fault)
{
  client_forget(client);
  if (fault->error == ERROR_NO_MEMORY)
    return client_out_of_memory(client);
  client_disconnect(client);
  return client_fail(client, -EPROTO, "the daemon's answer makes no sense: %s", fault->text);
}

static int read_certificate(struct cm_client *client, const struct result_explain *result,
                            struct cm_explain *explain)
{
  struct fault fault = {.error = ERROR_NO_MEMORY};
  struct certificate certificate;
  struct buffer json;
  if (certificate_from_packed(result->certificate, result->certificate_bytes,
                              &message_limits_default, &certificate, &fault))
    return fail_to_read(client, &fault);
  buffer_init(&json);
  json_write(&json, result->certificate, result->certificate_bytes);
  int rc =
      json.failed ? fail_to_read(client, &fault) : take_proof(client, &certificate, &json, explain);
  buffer_deinit(&json);
  certificate_deinit(&certificate);
  return rc;
}

int cm_explain(struct cm_client *client, const struct cm_which *which, const struct cm_state *state,
               uint32_t limit_plies, uint32_t depth_plies, struct cm_explain *explain)
{
  struct request request = {
      .method = METHOD_EXPLAIN, .depth_plies = depth_plies, .given = depth_plies ? P(DEPTH) : 0};
  struct result_explain result;
  int rc = params_set_state(client, &request, state, limit_plies);
  if (rc == 0)
    rc = params_set_which(client, &request, which);
  if (rc == 0)
    rc = client_call(client, &request, &result);
  if (rc == 0)
    rc = read_certificate(client, &result, explain);
  if (rc)
    return rc;
  explain->whole = result.whole;
  memcpy(explain->id, result.id, sizeof explain->id);
  return 0;
}

static void copy_counts(uint64_t counts[3], const struct outcome_counts *from)
{
  counts[CM_MOUSE_WINS] = from->mouse;
  counts[CM_CAT_WINS] = from->cat;
  counts[CM_DRAW] = from->endless;
}

int cm_stats(struct cm_client *client, const char *id, struct cm_stats *stats)
{
  struct request request = {.method = METHOD_STATS};
  struct result_stats result;
  int rc = id ? params_set_id(client, &request, id) : 0;
  if (rc == 0)
    rc = client_call(client, &request, &result);
  if (rc)
    return rc;
  *stats = (struct cm_stats){
      .game = (enum cm_game)result.game,
      .nodes = result.nodes,
      .states = result.states,
      .longest = {{result.longest_mouse.plies, public_state(&result.longest_mouse.state)},
                  {result.longest_cat.plies, public_state(&result.longest_cat.state)}},
      .histogram = {result.mouse_histogram, result.cat_histogram},
      .histogram_count = {result.mouse_histogram_count, result.cat_histogram_count},
      .cols = result.cols};
  copy_counts(stats->outcomes[CM_MOUSE], &result.mouse_to_move);
  copy_counts(stats->outcomes[CM_CAT], &result.cat_to_move);
  memcpy(stats->id, result.id, sizeof stats->id);
  return 0;
}

int cm_verify(struct cm_client *client, const char *id, struct cm_verify *verify)
{
  struct request request = {.method = METHOD_VERIFY};
  struct result_verify result;
  int rc = id ? params_set_id(client, &request, id) : 0;
  if (rc == 0)
    rc = client_call(client, &request, &result);
  if (rc)
    return rc;
  const struct table_fault *first = &result.first;
  *verify = (struct cm_verify){.correct = result.correct,
                               .checked = result.checked,
                               .faults = result.faults,
                               .cols = result.cols};
  if (!result.correct) {
    verify->first = public_state(&first->state);
    verify->stored =
        (struct cm_verdict){(enum cm_outcome)first->stored.outcome, first->stored.plies};
    verify->proper =
        (struct cm_verdict){(enum cm_outcome)first->proper.outcome, first->proper.plies};
  }
  memcpy(verify->id, result.id, sizeof verify->id);
  return 0;
}
