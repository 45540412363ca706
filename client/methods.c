/*
 * The typed calls: each makes its request, has it answered (call.c), and puts the daemon's result into
 * the public struct. Texts stay where the response has them; lists are copied to client->list, and both
 * live until the next call.
 */
#include "client/client.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

static_assert((int)CM_GRID == (int)GAME_GRID && (int)CM_CAT == (int)PLAYER_CAT,
              "same games, players");
static_assert((int)CM_CAT_WINS == (int)OUTCOME_CAT && (int)CM_DRAW == (int)OUTCOME_DRAW,
              "outcomes");
static_assert((int)CM_END_MAX == (int)LINE_FULL && (int)CM_END_CAUGHT == (int)LINE_CAUGHT,
              "line ends");
static_assert((int)CM_SOLVED == (int)SOURCE_SOLVED && (int)CM_FROM_DISK == (int)SOURCE_DISK,
              "sources");
static_assert(CM_PLIES_NONE == PLIES_NONE && CM_LIMIT_NONE == LIMIT_NONE, "same plies");
static_assert((int)CM_ID_DIGITS == (int)ID_TEXT, "same ids");

static struct cm_state public_state(const struct state *state)
{
  return (struct cm_state){
      .mouse = state->mouse, .cat = state->cat, .turn = (enum cm_player)state->turn};
}

/* Room for the list of a result, owned by the client. Where there is none, the call has no answer. */
static void *list_room(struct cm_client *client, size_t count, size_t size)
{
  client->list = calloc(count ? count : 1, size);
  if (!client->list) {
    client_forget(client);
    client_out_of_memory(client);
  }
  return client->list;
}

/* Nothing is asked, and what the last call left goes as if something had been. */
static int refuse(struct cm_client *client, const char *sentence)
{
  client_forget(client);
  return client_fail(client, -EINVAL, "%s", sentence);
}

static int set_id(struct cm_client *client, struct request *request, const char *id)
{
  if (!id)
    return refuse(client, "no id is given");
  if (strlen(id) > ID_TEXT) {
    client_forget(client);
    return client_fail(client, -EINVAL, "an id has at most %d digits", ID_TEXT);
  }
  for (size_t i = 0; id[i]; i++)
    request->puzzle_id[i] = (char)tolower((unsigned char)id[i]);
  request->given |= P(ID);
  return 0;
}

static void set_puzzle(struct request *request, const struct cm_puzzle *puzzle)
{
  request->puzzle = puzzle->puzzle;
  request->given |= P(PUZZLE);
}

static int set_which(struct cm_client *client, struct request *request,
                     const struct cm_which *which)
{
  if (which && which->puzzle)
    set_puzzle(request, which->puzzle);
  return which && which->id ? set_id(client, request, which->id) : 0;
}

static int set_state(struct cm_client *client, struct request *request,
                     const struct cm_state *state, uint32_t limit_plies)
{
  if (state->turn != CM_MOUSE && state->turn != CM_CAT)
    return refuse(client, "a state's turn is neither the mouse's nor the cat's");
  request->state = (struct state){state->mouse, state->cat, (enum player)state->turn};
  request->by_row = state->by_row;
  request->mouse_row = state->mouse_row;
  request->cat_row = state->cat_row;
  request->given |= P(STATE);
  if (limit_plies == CM_LIMIT_OF_GAME)
    return 0;
  request->limit_plies = limit_plies;
  request->given |= P(LIMIT);
  return 0;
}

int cm_solve(struct cm_client *client, const struct cm_puzzle *puzzle, struct cm_solved *solved)
{
  struct request request = {.method = METHOD_SOLVE};
  struct result_solve result;
  set_puzzle(&request, puzzle);
  if (client->on_progress) {
    request.progress = true;
    request.given |= P(PROGRESS);
  }
  int rc = client_call(client, &request, &result);
  if (rc)
    return rc;
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
  int rc = set_state(client, &request, state, limit_plies);
  if (rc == 0)
    rc = set_which(client, &request, which);
  if (rc == 0)
    rc = client_call(client, &request, &result);
  if (rc)
    return rc;
  struct cm_move *moves = list_room(client, result.moves_count, sizeof *moves);
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
  int rc = set_state(client, &request, state, limit_plies);
  if (rc == 0)
    rc = set_which(client, &request, which);
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
  int rc = id ? set_id(client, &request, id) : 0;
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
  int rc = id ? set_id(client, &request, id) : 0;
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

int cm_list(struct cm_client *client, struct cm_list *list)
{
  struct request request = {.method = METHOD_LIST};
  struct result_list result;
  int rc = client_call(client, &request, &result);
  if (rc)
    return rc;
  struct cm_listed *tables = list_room(client, result.tables_count, sizeof *tables);
  if (!tables)
    return -ENOMEM;
  for (uint32_t i = 0; i < result.tables_count; i++) {
    const struct listed_table *from = &result.tables[i];
    tables[i] = (struct cm_listed){.game = (enum cm_game)from->game,
                                   .nodes = from->nodes,
                                   .bytes = from->bytes,
                                   .disk_bytes = from->disk_bytes,
                                   .hits = from->hits,
                                   .age_ms = from->age_ms,
                                   .where = (enum cm_place)from->where,
                                   .current = from->current};
    memcpy(tables[i].id, from->id, sizeof tables[i].id);
  }
  *list = (struct cm_list){tables, result.tables_count, result.total};
  return 0;
}

static int forget_tables(struct cm_client *client, struct request *request,
                         struct cm_evicted *evicted)
{
  struct result_evict result;
  int rc = client_call(client, request, &result);
  if (rc == 0)
    *evicted = (struct cm_evicted){result.evicted, result.bytes};
  return rc;
}

int cm_evict(struct cm_client *client, const char *id, struct cm_evicted *evicted)
{
  struct request request = {.method = METHOD_EVICT};
  int rc = set_id(client, &request, id);
  return rc ? rc : forget_tables(client, &request, evicted);
}

int cm_clear(struct cm_client *client, struct cm_evicted *evicted)
{
  struct request request = {.method = METHOD_CLEAR};
  return forget_tables(client, &request, evicted);
}

int cm_status(struct cm_client *client, struct cm_status *status)
{
  struct request request = {.method = METHOD_STATUS};
  struct result_status result;
  int rc = client_call(client, &request, &result);
  if (rc)
    return rc;
  struct cm_limit *limits = list_room(client, result.limits_count, sizeof *limits);
  if (!limits)
    return -ENOMEM;
  for (uint32_t i = 0; i < result.limits_count; i++)
    limits[i] = (struct cm_limit){result.limits[i].name, result.limits[i].value};
  *status = (struct cm_status){.version = result.version,
                               .pid = result.pid,
                               .uptime_ms = result.uptime_ms,
                               .connections = result.connections,
                               .jobs_running = result.jobs_running,
                               .jobs_queued = result.jobs_queued,
                               .requests = result.requests,
                               .hits = result.hits,
                               .misses = result.misses,
                               .solves = result.solves,
                               .tables = result.tables,
                               .bytes = result.bytes,
                               .kept_bytes = result.kept_bytes,
                               .draining = result.draining,
                               .store = {.state = (enum cm_store_state)result.store.state,
                                         .folder = result.store.folder,
                                         .error = result.store.error,
                                         .puzzles = result.store.puzzles,
                                         .tables = result.store.tables,
                                         .bytes = result.store.bytes,
                                         .reads = result.store.reads,
                                         .writes = result.store.writes,
                                         .damaged = result.store.damaged},
                               .limits = limits,
                               .limits_count = result.limits_count};
  return 0;
}

int cm_ping(struct cm_client *client)
{
  struct request request = {.method = METHOD_PING};
  return client_call(client, &request, NULL);
}

int cm_shutdown(struct cm_client *client, uint64_t *pending)
{
  struct request request = {.method = METHOD_SHUTDOWN};
  struct result_shutdown result;
  int rc = client_call(client, &request, &result);
  if (rc)
    return rc;
  if (pending)
    *pending = result.pending;
  rc = client_await_end(client);
  client_disconnect(client);
  return rc;
}
