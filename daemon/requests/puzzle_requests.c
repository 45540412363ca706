/*
 * The happy path: the puzzle is found in the cache by its id, and the answer written at once. A request that holds
 * a puzzle has its arena made first, and one whose id is not in the cache has it looked for on disk (posing.c). What
 * is not in the cache is solved.
 *
 * Without `id` and `puzzle`, a request means the puzzle that its connection last named.
 */
#include "daemon/requests/puzzle_requests.h"

#include <errno.h>
#include <string.h>

#include "daemon/requests/answers.h"
#include "daemon/requests/posing.h"

enum { NOTE_MS = STORE_TOUCH_S * 1000 };

/* The store is told of a use once a minute, not of every hit. */
static void note_use(struct requests *requests, struct solved *solved)
{
  uint64_t now_ms = uv_now(requests->peers->loop);
  cache_touch(requests->memory->cache, solved, now_ms);
  if (now_ms - solved->noted_ms < NOTE_MS)
    return;
  solved->noted_ms = now_ms;
  store_touch(requests->store, &solved->node.id);
}

/* False where the answer takes longer than the loop may be held. */
static bool answer_at_once(struct requests *requests, struct connection *connection,
                           struct request *request, struct state start, struct solved *solved,
                           enum source source)
{
  struct fault fault;
  const struct answer_place place = {
      .out = &connection->out,
      .scratch = &requests->scratch,
      .encoding = connection->framer.encoding,
      .limits = &requests->config->messages,
  };
  note_use(requests, solved);
  if (request->notification)
    return true;
  if (answer_check_state(request, solved->arena, &fault) < 0) {
    connection_fail(connection, request, &fault);
    return true;
  }
  if (answer_is_long(request, solved, place.limits))
    return false;
  if (request->method == METHOD_SOLVE)
    answer_solve(&place, request, start, solved, source);
  else if (answer_write(&place, request, solved) < 0)
    connection->out.failed = true;
  connection_check_reply(connection, request);
  return true;
}

/* About a puzzle at hand. */
static void answer_hit(struct requests *requests, struct connection *connection,
                       struct request *request, struct state start, struct solved *solved)
{
  struct waiting *waiting;
  requests->hits++;
  if (answer_at_once(requests, connection, request, start, solved, SOURCE_MEMORY))
    return;
  if ((waiting = waiting_new(requests, connection, request)))
    waiting_write_answer(waiting, solved);
}

/* Answers and ends a request that has waited. */
static void answer_waiting(struct waiting *waiting, struct solved *solved, enum source source)
{
  if (answer_at_once(waiting->requests, waiting->connection, &waiting->request, waiting->start,
                     solved, source))
    waiting_end(waiting);
  else
    waiting_write_answer(waiting, solved);
}

static void on_solved(struct asker *asker, struct solved *solved, const struct fault *fault)
{
  struct waiting *waiting = container_of(asker, struct waiting, asker);
  if (solved)
    answer_waiting(waiting, solved, SOURCE_SOLVED);
  else
    waiting_fail(waiting, fault);
}

/* Has the puzzle solved, unless it was solved meanwhile. */
static void ask(struct waiting *waiting, const struct id *id, struct posed *posed)
{
  struct requests *requests = waiting->requests;
  struct solved *solved = cache_find(requests->memory->cache, id);
  struct fault fault;
  if (posed->arena)
    waiting->start = posed->arena->start;
  if (solved) {
    requests->hits++;
    answer_waiting(waiting, solved, SOURCE_MEMORY);
    return;
  }
  requests->misses++;
  waiting->asker.answer = on_solved;
  int result = requests->peers->draining && !posed->on_disk
                   ? fault_set(&fault, ERROR_DRAINING, "the daemon is shutting down")
                   : answer_check_state(&waiting->request, posed->arena, &fault);
  if (result < 0 || solves_ask(requests->solves, posed, &waiting->asker, &fault) < 0)
    waiting_fail(waiting, &fault);
  else
    waiting_begin(waiting);
}

static void on_found(struct waiting *waiting, const struct id *id, struct posed *posed)
{
  id_format(id, waiting->connection->named);
  waiting_let_go(waiting);
  ask(waiting, id, posed);
}

/* A puzzle that is solved already is answered without a request that waits. */
static void handle_held(struct requests *requests, struct connection *connection,
                        struct request *request)
{
  struct posed posed;
  struct fault fault;
  struct waiting *waiting;
  struct solved *solved = NULL;
  int result = pose_now(request, &posed, &fault);
  if (result == 0) {
    id_format(&posed.id, connection->named);
    solved = cache_find(requests->memory->cache, &posed.id);
  }
  if (solved)
    answer_hit(requests, connection, request, posed.arena->start, solved);
  else if (result == -EBADMSG)
    connection_fail(connection, request, &fault);
  else if ((waiting = waiting_new(requests, connection, request)) && result == 0)
    ask(waiting, &posed.id, &posed);
  else if (waiting)
    pose_later(waiting, on_found);
  posed_drop(&posed, requests->memory);
}

/* Until the whole id is known, later requests of the connection wait: they may mean this puzzle without naming it. */
static void look_for(struct requests *requests, struct connection *connection,
                     struct request *request, const char *digits)
{
  memmove(request->puzzle_id, digits, strlen(digits) + 1);
  struct waiting *waiting = waiting_new(requests, connection, request);
  if (!waiting)
    return;
  digits = waiting->request.puzzle_id;
  waiting->asker.answer = on_solved;
  if (strlen(digits) < ID_TEXT)
    waiting_hold(waiting);
  else if (solves_join(requests->solves, digits, &waiting->asker))
    waiting_begin(waiting);
  if (!waiting->asker.solve)
    pose_by_id(waiting, on_found);
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
    handle_held(requests, connection, request);
  } else {
    handle_named(requests, connection, request);
  }
}
