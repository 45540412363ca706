/*
 * The happy path: the puzzle is found in the cache by its id, and the answer written at once. A request that holds
 * a puzzle has its arena made first (posing.c). What is not in the cache is looked for on disk and solved.
 *
 * Without `id` and `puzzle`, a request means the puzzle that its connection last named.
 */
#include "daemon/requests/puzzle_requests.h"

#include <errno.h>
#include <string.h>

#include "daemon/requests/answers.h"
#include "daemon/requests/posing.h"
#include "daemon/requests/table_jobs.h"
#include "daemon/requests/waiting.h"

enum { NOTE_MS = STORE_TOUCH_S * 1000 };

/* The store need not know of every single hit. */
static void note_use(struct requests *requests, struct solved *solved)
{
  uint64_t now_ms = uv_now(requests->peers->loop);
  cache_touch(requests->memory->cache, solved, now_ms);
  if (now_ms - solved->noted_ms < NOTE_MS)
    return;
  solved->noted_ms = now_ms;
  store_touch(requests->store, &solved->node.id);
}

static bool takes_long(const struct requests *requests, const struct request *request,
                       const struct solved *solved)
{
  if (request->notification)
    return false; /* nothing is written for it */
  switch (request->method) {
  case METHOD_SOLVE: return false;
  case METHOD_QUERY:
  case METHOD_LINE: return answer_is_long(request, solved, &requests->config->messages);
  default: return true;
  }
}

static void answer_at_once(struct requests *requests, struct connection *connection,
                           const struct request *request, struct state start,
                           const struct solved *solved, enum source source)
{
  const struct answer_place place = {
      .out = &connection->out,
      .scratch = &requests->scratch,
      .encoding = connection->framer.encoding,
      .limits = &requests->config->messages,
  };
  if (request->notification)
    return;
  if (request->method == METHOD_SOLVE)
    answer_solve(&place, request, start, solved, source);
  else
    answer_write(&place, request, solved);
  connection_check_reply(connection, request);
}

/* About a puzzle at hand. */
static void answer_hit(struct requests *requests, struct connection *connection,
                       struct request *request, struct state start, struct solved *solved)
{
  struct fault fault;
  requests->hits++;
  note_use(requests, solved);
  if (answer_check_state(request, solved->arena, &fault) < 0) {
    connection_fail(connection, request, &fault);
  } else if (takes_long(requests, request, solved)) {
    struct waiting *waiting = waiting_new(requests, connection, request);
    if (waiting)
      table_job_start(waiting, solved);
  } else {
    answer_at_once(requests, connection, request, start, solved, SOURCE_MEMORY);
  }
}

/* The same for a request that has waited, and ends with its answer. */
static void answer_waiting(struct waiting *waiting, struct solved *solved, enum source source)
{
  struct requests *requests = waiting->requests;
  struct fault fault;
  note_use(requests, solved);
  if (waiting->background) {
    waiting_end(waiting);
  } else if (answer_check_state(&waiting->request, solved->arena, &fault) < 0) {
    waiting_fail(waiting, &fault);
  } else if (takes_long(requests, &waiting->request, solved)) {
    table_job_start(waiting, solved);
  } else {
    answer_at_once(requests, waiting->connection, &waiting->request, waiting->start, solved,
                   source);
    waiting_end(waiting);
  }
}

static void on_solved(struct asker *asker, struct solved *solved, const struct fault *fault)
{
  struct waiting *waiting = container_of(asker, struct waiting, asker);
  if (solved)
    answer_waiting(waiting, solved, SOURCE_SOLVED);
  else
    waiting_fail(waiting, fault);
}

static int check_new(const struct waiting *waiting, const struct posed *posed, struct fault *fault)
{
  struct request request =
      waiting->request; /* its state is checked once more when it is answered */
  if (waiting->requests->draining && !posed->on_disk)
    return fault_set(fault, ERROR_DRAINING, "the daemon is shutting down");
  return answer_check_state(&request, posed->arena, fault);
}

static void begin_waiting(struct waiting *waiting)
{
  struct fault fault;
  if (waiting_begin(waiting) == 0)
    return;
  solves_leave(waiting->requests->solves, &waiting->asker);
  fault_set(&fault, ERROR_NO_MEMORY, "out of memory for the wait");
  waiting_fail(waiting, &fault);
}

/* Has the puzzle solved, unless that was done meanwhile. */
static void ask(struct waiting *waiting, struct posed *posed)
{
  struct requests *requests = waiting->requests;
  struct solved *solved = cache_find(requests->memory->cache, &posed->id);
  struct fault fault;
  if (solved) {
    requests->hits++;
    answer_waiting(waiting, solved, SOURCE_MEMORY);
    return;
  }
  requests->misses++;
  waiting->start = posed->arena->start;
  waiting->asker.answer = on_solved;
  if (check_new(waiting, posed, &fault) < 0 ||
      solves_ask(requests->solves, posed, &waiting->asker, &fault) < 0) {
    waiting_fail(waiting, &fault);
  } else {
    begin_waiting(waiting);
  }
}

/* For pose(). */
static void handle_posed(struct requests *requests, struct connection *connection,
                         struct request *request, struct posed *posed)
{
  struct solved *solved = cache_find(requests->memory->cache, &posed->id);
  struct waiting *waiting;
  id_format(&posed->id, connection->named);
  if (solved)
    answer_hit(requests, connection, request, posed->arena->start, solved);
  else if ((waiting = waiting_new(requests, connection, request)))
    ask(waiting, posed);
  posed_drop(posed, requests->memory);
}

static void fail_to_find(struct waiting *waiting, uint64_t fits)
{
  const struct store_request *found = &waiting->store;
  const struct request *request = &waiting->request;
  struct fault fault;
  if (found->result < 0 && found->result != -ENOENT) {
    waiting_fail_in_store(waiting, "the puzzle cannot be looked for on disk");
    return;
  }
  if (fits > 1)
    fault_set(&fault, ERROR_UNKNOWN_ID, "more than one solved puzzle has an id that begins with %s",
              request->puzzle_id);
  else if (request_has(request, PARAM_ID))
    fault_set(&fault, ERROR_UNKNOWN_ID, "no solved puzzle has id %s", request->puzzle_id);
  else
    fault_set(&fault, ERROR_NO_PUZZLE,
              "the puzzle that this connection last named is gone, so name one by puzzle or id");
  waiting_fail(waiting, &fault);
}

/* Both the cache and the disk may have a puzzle whose id begins so, and it may be the same. */
static void on_found(struct store_request *found)
{
  struct waiting *waiting = container_of(found, struct waiting, store);
  struct requests *requests = waiting->requests;
  struct posed posed = {.arena = found->arena, .id = found->id, .on_disk = true};
  struct solved *solved = NULL;
  uint64_t on_disk = found->result == 0 ? found->count : 0;
  uint64_t fits = cache_find_prefix(requests->memory->cache, waiting->request.puzzle_id, &solved);
  if (!solved || on_disk != 1 || memcmp(&solved->node.id, &found->id, sizeof found->id) != 0)
    fits += on_disk;
  found->arena = NULL;
  if (fits != 1) {
    fail_to_find(waiting, fits);
  } else {
    id_format(solved ? &solved->node.id : &posed.id, waiting->connection->named);
    waiting_let_go(waiting);
    requests->hits += solved != NULL;
    if (solved)
      answer_waiting(waiting, solved, SOURCE_MEMORY);
    else
      ask(waiting, &posed);
  }
  posed_drop(&posed, requests->memory);
}

/* Until the id is known whole, a later request might mean another puzzle than its sender does. */
static void look_for(struct requests *requests, struct connection *connection,
                     struct request *request, const char *digits)
{
  memmove(request->puzzle_id, digits, strlen(digits) + 1);
  struct waiting *waiting = waiting_new(requests, connection, request);
  if (!waiting)
    return;
  digits = waiting->request.puzzle_id;
  waiting->asker.answer = on_solved;
  if (strlen(digits) < ID_TEXT) {
    waiting_hold(waiting);
  } else if (solves_join(requests->solves, digits, &waiting->asker)) {
    begin_waiting(waiting);
    return;
  }
  waiting->store.done = on_found;
  int result = store_find(requests->store, &waiting->store, digits);
  if (result == 0)
    return;
  waiting->store.result = result;
  on_found(&waiting->store);
}

static void handle_named(struct requests *requests, struct connection *connection,
                         struct request *request)
{
  bool is_named = request_has(request, PARAM_ID);
  const char *digits = is_named ? request->puzzle_id : connection->named;
  bool is_whole = strlen(digits) == ID_TEXT;
  struct solved *solved = NULL;
  struct fault fault;
  if (*digits == '\0') {
    fault_set(&fault, ERROR_NO_PUZZLE,
              "this connection has named no puzzle yet, so name one by puzzle or id");
    connection_fail(connection, request, &fault);
    return;
  }
  if (is_named && is_whole)
    memcpy(connection->named, digits, sizeof connection->named);
  if (is_whole && cache_find_prefix(requests->memory->cache, digits, &solved) == 1)
    answer_hit(requests, connection, request, (struct state){0}, solved);
  else
    look_for(requests, connection, request, digits);
}

void puzzle_request(struct requests *requests, struct connection *connection,
                    struct request *request)
{
  bool is_check = request->method == METHOD_STATS || request->method == METHOD_VERIFY;
  struct fault fault;
  if (is_check &&
      workers_load(requests->solvers).queued >= requests->config->limits.queued_solves) {
    fault_set(&fault, ERROR_BUSY, "too many solves and checks are waiting already (--queue-max)");
    connection_fail(connection, request, &fault);
  } else if (request_has(request, PARAM_PUZZLE)) {
    pose(requests, connection, request, handle_posed);
  } else {
    handle_named(requests, connection, request);
  }
}
