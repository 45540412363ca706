/*
 * The happy path: made by a handler, listed in its connection, ended by whatever it waits for. It also ends when its
 * connection closes and when it is cancelled. One whose wait_ms are over is answered and moves to the background,
 * where it ends with its solve.
 */
#include "daemon/requests/waiting.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/requests/table_jobs.h"

enum { TICK_MS = 100 };

static void on_tick(uv_timer_t *timer);

struct waiting *waiting_new(struct requests *requests, struct connection *connection,
                            struct request *request)
{
  struct waiting *waiting = calloc(1, sizeof *waiting);
  if (!waiting) {
    struct fault fault;
    fault_set(&fault, ERROR_NO_MEMORY, "out of memory for the request");
    connection_fail(connection, request, &fault);
    return NULL;
  }
  waiting->requests = requests;
  waiting->connection = connection;
  waiting->request = *request;
  *request = (struct request){.id = request->id};
  list_init(&waiting->asker.link);
  list_append(&connection->waiting, &waiting->link);
  connection->waiting_count++;
  if (requests->waiting_count++ == 0)
    uv_timer_start(&requests->tick, on_tick, TICK_MS, TICK_MS);
  return waiting;
}

void waiting_hold(struct waiting *waiting)
{
  waiting->holds = true;
  connection_hold(waiting->connection);
}

void waiting_let_go(struct waiting *waiting)
{
  if (waiting->holds)
    connection_release(waiting->connection);
  waiting->holds = false;
}

static void free_handle(uv_handle_t *handle)
{
  free(handle);
}

static void stop_deadline(struct waiting *waiting)
{
  if (waiting->deadline)
    uv_close((uv_handle_t *)waiting->deadline, free_handle);
  waiting->deadline = NULL;
}

/* Nobody waits for its answer any longer. */
static void leave_connection(struct waiting *waiting)
{
  struct requests *requests = waiting->requests;
  stop_deadline(waiting);
  waiting_let_go(waiting);
  list_remove(&waiting->link);
  if (waiting->background)
    return;
  waiting->connection->waiting_count--;
  if (--requests->waiting_count == 0)
    uv_timer_stop(&requests->tick);
  connection_touch(waiting->connection);
}

void waiting_end(struct waiting *waiting)
{
  leave_connection(waiting);
  request_deinit(&waiting->request);
  free(waiting);
}

void waiting_fail(struct waiting *waiting, const struct fault *fault)
{
  if (!waiting->background)
    connection_fail(waiting->connection, &waiting->request, fault);
  waiting_end(waiting);
}

void waiting_fail_in_store(struct waiting *waiting, const char *what)
{
  struct fault fault;
  int result = waiting->store.result;
  if (result == -ENOMEM)
    fault_set(&fault, ERROR_NO_MEMORY, "out of memory: %s", what);
  else if (result == -ETIMEDOUT)
    fault_set(&fault, ERROR_TIMEOUT, "the disk does not answer: %s", what);
  else
    fault_set(&fault, ERROR_INTERNAL, "%s: %s", what, strerror(-result));
  waiting_fail(waiting, &fault);
}

void waiting_give_up(struct waiting *waiting)
{
  if (waiting->asker.solve)
    solves_leave(waiting->requests->solves, &waiting->asker);
  store_cancel(&waiting->store);
  if (waiting->table_job)
    table_job_abandon(waiting->table_job);
  waiting_end(waiting);
}

void waiting_give_up_all(struct connection *connection)
{
  struct link *lists[] = {&connection->waiting, &connection->background};
  for (int i = 0; i < 2; i++)
    while (!list_empty(lists[i]))
      waiting_give_up(container_of(lists[i]->next, struct waiting, link));
}

/* The claim to the solve stays: the connection, or whoever joins it, wants the table. */
static void move_to_background(struct waiting *waiting)
{
  struct connection *connection = waiting->connection;
  connection_reply_solving(connection, &waiting->request, asker_id(&waiting->asker));
  leave_connection(waiting);
  waiting->background = true;
  list_append(&connection->background, &waiting->link);
}

static void on_deadline(uv_timer_t *deadline)
{
  struct waiting *waiting = deadline->data;
  struct peers *peers = waiting->requests->peers;
  if (waiting->asker.solve)
    move_to_background(waiting);
  peers_flush(peers);
}

int waiting_begin(struct waiting *waiting)
{
  if (!request_has(&waiting->request, PARAM_WAIT_MS))
    return 0;
  if (waiting->request.wait_ms == 0) {
    move_to_background(waiting);
    return 0;
  }
  waiting->deadline = malloc(sizeof *waiting->deadline);
  if (!waiting->deadline)
    return -ENOMEM;
  uv_timer_init(waiting->requests->peers->loop, waiting->deadline);
  waiting->deadline->data = waiting;
  uv_timer_start(waiting->deadline, on_deadline, waiting->request.wait_ms, 0);
  return 0;
}

/* A peer that reads slowly is told less often. */
static void tell_progress(struct waiting *waiting)
{
  struct connection *connection = waiting->connection;
  if (!waiting->request.progress || !waiting->asker.solve || waiting->request.notification ||
      connection_is_sending(connection))
    return;
  struct progress progress = asker_progress(&waiting->asker);
  size_t before = connection->out.length;
  reply_progress(&connection->out, connection->framer.encoding, &waiting->request.id, &progress);
  if (connection->out.failed) {
    connection->out.failed = false;
    connection->out.length = before;
  }
  connection_touch(connection);
}

static void on_tick(uv_timer_t *timer)
{
  struct requests *requests = container_of(timer, struct requests, tick);
  struct peers *peers = requests->peers;
  for (struct link *link = peers->connections.next; link != &peers->connections;
       link = link->next) {
    struct connection *connection = container_of(link, struct connection, link);
    for (struct link *at = connection->waiting.next; at != &connection->waiting; at = at->next)
      tell_progress(container_of(at, struct waiting, link));
  }
  peers_check_gone(peers);
  peers_flush(peers);
}

struct waiting *waiting_find(struct connection *connection, const struct request_id *id)
{
  struct link *lists[] = {&connection->waiting, &connection->background};
  for (int i = 0; i < 2; i++) {
    for (struct link *at = lists[i]->next; at != lists[i]; at = at->next) {
      struct waiting *waiting = container_of(at, struct waiting, link);
      if (request_id_equal(&waiting->request.id, id))
        return waiting;
    }
  }
  return NULL;
}

static bool is_about(const struct waiting *waiting, const char *digits)
{
  char text[ID_TEXT + 1];
  if (!waiting->asker.solve)
    return false;
  id_format(asker_id(&waiting->asker), text);
  return strncmp(text, digits, strlen(digits)) == 0;
}

struct waiting *waiting_find_puzzle(struct connection *connection, const char *digits)
{
  struct link *lists[] = {&connection->waiting, &connection->background};
  for (int i = 0; i < 2; i++)
    for (struct link *at = lists[i]->next; at != lists[i]; at = at->next)
      if (is_about(container_of(at, struct waiting, link), digits))
        return container_of(at, struct waiting, link);
  return NULL;
}
