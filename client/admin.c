/* The typed calls about the daemon itself and what it keeps. Texts and lists live as long as those of methods.c. */
#include "client/client.h"
#include "client/params.h"

#include <errno.h>
#include <string.h>

int cm_list(struct cm_client *client, struct cm_list *list)
{
  struct request request = {.method = METHOD_LIST};
  struct result_list result;
  int rc = client_call(client, &request, &result);
  if (rc)
    return rc;
  struct cm_listed *tables = client_list_room(client, result.tables_count, sizeof *tables);
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
                                   .where = (enum cm_place)from->where};
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
  if (rc)
    return rc;
  client_note_solve(client, NULL);
  *evicted = (struct cm_evicted){result.evicted, result.bytes};
  return 0;
}

int cm_evict(struct cm_client *client, const char *id, struct cm_evicted *evicted)
{
  struct request request = {.method = METHOD_EVICT};
  int rc = params_set_id(client, &request, id);
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
  struct cm_limit *limits = client_list_room(client, result.limits_count, sizeof *limits);
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
                                         .bytes = result.store.bytes,
                                         .unkept = result.store.unkept,
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
