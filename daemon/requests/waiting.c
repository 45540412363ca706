/*
 * The happy path: made by a handler, listed in its connection, ended by whatever it waits for. It also ends when its
 * connection closes and when it is cancelled. One whose wait_ms are over is answered, and stays in the background
 * until its solve ends. A long answer is written by the thread that runs its job, so that the loop only passes on
 * bytes.
 */
#include "daemon/requests/waiting.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/requests/answers.h"

static struct waiting *of_link(struct link *link)
{
  return container_of(link, struct waiting, link);
}

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
  buffer_init(&waiting->bytes);
  list_init(&waiting->asker.link);
  list_init(&waiting->queued);
  list_append(&connection->waiting, &waiting->link);
  connection->waiting_count++;
  requests->waiting_count++;
  return waiting;
}

void waiting_hold(struct waiting *waiting)
{
  waiting->connection->holder = waiting;
}

void waiting_let_go(struct waiting *waiting)
{
  struct connection *connection = waiting->connection;
  if (connection->holder != waiting)
    return;
  connection->holder = NULL;
  connection_touch(connection);
}

/* The connection no longer counts the request among those it waits for. */
static void count_out(struct waiting *waiting)
{
  if (waiting->background)
    return;
  waiting->connection->waiting_count--;
  waiting->requests->waiting_count--;
  connection_touch(waiting->connection);
}

static void leave_connection(struct waiting *waiting)
{
  list_remove(&waiting->link);
  waiting_let_go(waiting);
  count_out(waiting);
}

void waiting_free(struct waiting *waiting)
{
  if (waiting->solved)
    cache_unref(waiting->requests->memory->cache, waiting->solved);
  buffer_deinit(&waiting->bytes);
  if (waiting->request.puzzle_memory)
    free_later(waiting->requests->readers, free, waiting->request.puzzle_memory,
               waiting->puzzle_bytes);
  waiting->request.puzzle_memory = NULL;
  request_deinit(&waiting->request);
  free(waiting);
}

void waiting_end(struct waiting *waiting)
{
  leave_connection(waiting);
  waiting_free(waiting);
}

void waiting_fail(struct waiting *waiting, const struct fault *fault)
{
  connection_fail(waiting->connection, &waiting->request, fault);
  waiting_end(waiting);
}

void waiting_for_store(struct waiting *waiting, int result)
{
  if (result == 0)
    return;
  waiting->store = (struct store_request){.done = waiting->store.done, .result = result};
  waiting->store.done(&waiting->store);
}

bool waiting_was_stored(struct waiting *waiting, const char *what)
{
  struct fault fault;
  int result = waiting->store.result;
  if (result == 0 || result == -ENOENT)
    return true;
  if (result == -ENOMEM)
    fault_set(&fault, ERROR_NO_MEMORY, "out of memory: %s", what);
  else if (result == -ETIMEDOUT)
    fault_set(&fault, ERROR_TIMEOUT, "the disk does not answer: %s", what);
  else
    fault_set(&fault, ERROR_INTERNAL, "%s: %s", what, strerror(-result));
  waiting_fail(waiting, &fault);
  return false;
}

void waiting_submit(struct waiting *waiting, struct workers *pool)
{
  waiting->submitted = true;
  waiting->result = fault_set(&waiting->fault, ERROR_DRAINING, "the daemon is shutting down");
  workers_submit(pool, &waiting->job);
}

/* A pass over a whole table takes its turn among the solves; an answer from a table must not wait behind these. */
static bool is_pass(const struct waiting *waiting)
{
  return waiting->request.method == METHOD_STATS || waiting->request.method == METHOD_VERIFY;
}

/* Peers are served in turn: of each connection one long answer at a time is in the pool. */
static void write_next(struct connection *connection)
{
  struct waiting *next = NULL;
  for (struct link *at = connection->waiting.next; at != &connection->waiting; at = at->next) {
    struct waiting *waiting = container_of(at, struct waiting, link);
    if (!waiting->solved || is_pass(waiting))
      continue;
    if (waiting->submitted)
      return;
    next = next ? next : waiting;
  }
  if (next)
    waiting_submit(next, next->requests->writers);
}

void waiting_give_up(struct waiting *waiting)
{
  struct connection *connection = waiting->connection;
  if (waiting->asker.solve)
    solves_leave(&waiting->asker);
  store_cancel(&waiting->store);
  list_remove(&waiting->queued);
  leave_connection(waiting);
  if (waiting->submitted) {
    atomic_store(&waiting->job.stop, true);
  } else {
    waiting_free(waiting);
  }
  if (!connection->closing)
    write_next(connection);
}

void waiting_give_up_all(struct connection *connection)
{
  while (!list_empty(&connection->waiting))
    waiting_give_up(of_link(connection->waiting.next));
}

static void write_answer(struct job *job)
{
  struct waiting *waiting = container_of(job, struct waiting, job);
  struct buffer scratch;
  const struct answer_place place = {
      .out = &waiting->bytes,
      .scratch = &scratch,
      .encoding = waiting->encoding,
      .limits = &waiting->requests->config->messages,
      .stop = &job->stop,
  };
  if (atomic_load(&job->stop))
    return;
  buffer_init(&scratch);
  waiting->result = answer_write(&place, &waiting->request, waiting->solved);
  buffer_deinit(&scratch);
  if (waiting->result == -ENOMEM)
    fault_set(&waiting->fault, ERROR_NO_MEMORY, "out of memory for the answer");
}

static void on_written(struct job *job)
{
  struct waiting *waiting = container_of(job, struct waiting, job);
  struct connection *connection = waiting->connection;
  if (list_empty(&waiting->link)) {
    waiting_free(waiting);
    return;
  }
  if (waiting->result == 0) {
    buffer_append(&connection->out, waiting->bytes.data, waiting->bytes.length);
    connection_check_reply(connection, &waiting->request);
    waiting_end(waiting);
  } else {
    waiting_fail(waiting, &waiting->fault);
  }
  write_next(connection);
}

void waiting_write_answer(struct waiting *waiting, struct solved *solved)
{
  waiting->job = (struct job){.run = write_answer, .done = on_written};
  waiting->encoding = waiting->connection->framer.encoding;
  waiting->solved = solved;
  cache_ref(waiting->requests->memory->cache, solved);
  if (is_pass(waiting))
    waiting_submit(waiting, waiting->requests->solvers);
  else
    write_next(waiting->connection);
}

/* The request stays an asker of its solve: the connection still wants the table. */
static void move_to_background(struct waiting *waiting)
{
  struct connection *connection = waiting->connection;
  struct result_solving solving;
  memcpy(solving.id, asker_id(&waiting->asker), sizeof solving.id);
  if (!waiting->request.notification) {
    reply_solving(&connection->out, connection->framer.encoding, &waiting->request.id, &solving);
    connection_check_reply(connection, &waiting->request);
  }
  count_out(waiting);
  waiting->background = true;
  waiting->deadline_ms = 0;
  waiting->request.notification = true; /* it has its answer */
}

static void note_deadline(struct requests *requests, uint64_t deadline_ms)
{
  if (deadline_ms < requests->deadline_ms)
    requests->deadline_ms = deadline_ms;
}

void waiting_begin(struct waiting *waiting)
{
  if (!request_has(&waiting->request, PARAM_WAIT_MS))
    return;
  if (waiting->request.wait_ms == 0) {
    move_to_background(waiting);
    return;
  }
  waiting->deadline_ms = uv_now(waiting->requests->peers->loop) + waiting->request.wait_ms;
  note_deadline(waiting->requests, waiting->deadline_ms);
}

static void for_each(struct requests *requests, void (*visit)(struct waiting *waiting))
{
  struct link *connections = &requests->peers->connections;
  for (struct link *link = connections->next; link != connections; link = link->next) {
    struct connection *connection = container_of(link, struct connection, link);
    for (struct link *at = connection->waiting.next; at != &connection->waiting; at = at->next)
      visit(of_link(at));
  }
}

static void end_wait(struct waiting *waiting)
{
  if (waiting->deadline_ms == 0 || !waiting->asker.solve)
    return;
  if (waiting->deadline_ms <= uv_now(waiting->requests->peers->loop))
    move_to_background(waiting);
  else
    note_deadline(waiting->requests, waiting->deadline_ms);
}

void waiting_end_waits(struct requests *requests)
{
  if (requests->deadline_ms > uv_now(requests->peers->loop))
    return;
  requests->deadline_ms = UINT64_MAX;
  for_each(requests, end_wait);
}

/* A peer that reads slowly is told less often. */
static void tell_progress(struct waiting *waiting)
{
  struct connection *connection = waiting->connection;
  if (!waiting->request.progress || !waiting->asker.solve || waiting->request.notification ||
      connection_is_sending(connection))
    return;
  struct progress progress = asker_progress(&waiting->asker);
  reply_progress(&connection->out, connection->framer.encoding, &waiting->request.id, &progress);
  connection->out.failed = false; /* without memory the peer is not told this time */
  connection_touch(connection);
}

void waiting_tell_progress(struct requests *requests)
{
  for_each(requests, tell_progress);
}
