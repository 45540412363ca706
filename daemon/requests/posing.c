/*
 * The happy path: a small puzzle's arena is made at once. What a large one takes at most is foreseen from its
 * numbers, before anything is made: its memory is charged, and a helper makes it. Its connection's later requests
 * wait meanwhile, since they may be about it.
 *
 * Failure: a bad puzzle gets the solver's own sentence; one that has no room in memory is refused.
 */
#include "daemon/requests/posing.h"

#include <errno.h>
#include <stdlib.h>

#include "daemon/base/free_later.h"

enum { QUICK_MOVES = 1 << 15 }; /* an arena of so many takes the loop less than a millisecond */

/* A large puzzle on its way to an arena. */
struct puzzle_job {
  struct job job;
  struct link link; /* in the requests' `puzzle_jobs` while it waits for memory */
  struct requests *requests;
  struct connection *connection; /* NULL once that has closed */
  struct request request;        /* owned */
  struct posed posed;
  pose_done *done;
  uint64_t bytes_max;
  int result;
  struct complaint complaint;
};

static uint64_t smaller(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

/* No walls assumed: from each cell, as far as the jump and the row or the column go, or staying. */
static uint64_t grid_moves_max(const struct puzzle *puzzle, uint64_t *cells)
{
  uint64_t widest = 0, moves = 0;
  *cells = 0;
  for (uint32_t row = 0; row < puzzle->grid.rows; row++) {
    *cells += puzzle->grid.row_length[row];
    widest = puzzle->grid.row_length[row] > widest ? puzzle->grid.row_length[row] : widest;
  }
  for (int player = 0; player < 2; player++) {
    int32_t jump = puzzle->grid.jump[player];
    uint64_t reach = jump > 0 ? 2 * (uint64_t)jump : 0;
    moves += *cells * (1 + smaller(reach, widest) + smaller(reach, puzzle->grid.rows));
  }
  return moves;
}

/* What the puzzle takes as it was read, and what its arena will take at most. */
static uint64_t puzzle_bytes_max(const struct puzzle *puzzle, uint64_t *moves)
{
  uint64_t nodes, read_bytes;
  if (puzzle->game == GAME_GRAPH) {
    nodes = puzzle->graph.nodes;
    *moves = 2 * (uint64_t)puzzle->graph.first[nodes];
    read_bytes = (nodes + 1 + *moves / 2) * sizeof(uint32_t);
  } else {
    *moves = grid_moves_max(puzzle, &nodes);
    read_bytes = nodes + puzzle->grid.rows * (sizeof(char *) + sizeof(uint32_t));
  }
  uint64_t set_bytes = (nodes / 64 + 1) * sizeof(uint64_t);
  return sizeof(struct arena) + 4 * set_bytes + (4 * nodes + *moves) * sizeof(uint32_t) +
         read_bytes;
}

static int make_arena(struct request *request, struct posed *posed, struct complaint *complaint)
{
  int result = arena_new(&request->puzzle, &posed->arena, complaint);
  if (result == 0)
    arena_id(posed->arena, &posed->id);
  free(request->puzzle_memory);
  request->puzzle_memory = NULL;
  return result;
}

static void fail_to_make(struct connection *connection, const struct request *request, int result,
                         const struct complaint *complaint)
{
  struct fault fault;
  if (result == -ENOMEM)
    fault_set(&fault, ERROR_NO_MEMORY, "out of memory for the puzzle");
  else if (result == -ECANCELED)
    fault_set(&fault, ERROR_DRAINING, "the daemon is shutting down");
  else
    fault_set(&fault, ERROR_BAD_PUZZLE, "%s", complaint->text);
  connection_fail(connection, request, &fault);
}

static void puzzle_job_run(struct job *job)
{
  struct puzzle_job *puzzle_job = container_of(job, struct puzzle_job, job);
  puzzle_job->result = make_arena(&puzzle_job->request, &puzzle_job->posed, &puzzle_job->complaint);
}

static void free_puzzle(void *puzzle_memory)
{
  free(puzzle_memory);
}

static void puzzle_job_end(struct puzzle_job *puzzle_job)
{
  struct requests *requests = puzzle_job->requests;
  struct connection *connection = puzzle_job->connection;
  if (connection) {
    connection->puzzle_job = NULL;
    connection_release(connection);
  }
  list_remove(&puzzle_job->link);
  free_later(requests->memory->helpers, free_puzzle, puzzle_job->request.puzzle_memory,
             puzzle_job->bytes_max, NULL, NULL);
  puzzle_job->request.puzzle_memory = NULL;
  request_deinit(&puzzle_job->request);
  posed_drop(&puzzle_job->posed, requests->memory);
  free(puzzle_job);
}

static void puzzle_job_done(struct job *job)
{
  struct puzzle_job *puzzle_job = container_of(job, struct puzzle_job, job);
  struct posed *posed = &puzzle_job->posed;
  uint64_t held_bytes = posed->arena ? posed->arena->bytes : 0;
  memory_release(puzzle_job->requests->memory, posed->charged_bytes - held_bytes);
  posed->charged_bytes = held_bytes;
  if (puzzle_job->connection && puzzle_job->result == 0)
    puzzle_job->done(puzzle_job->requests, puzzle_job->connection, &puzzle_job->request, posed);
  else if (puzzle_job->connection)
    fail_to_make(puzzle_job->connection, &puzzle_job->request, puzzle_job->result,
                 &puzzle_job->complaint);
  puzzle_job_end(puzzle_job);
}

/* -EAGAIN where it must wait for memory that is on its way. It ends where there is none. */
static int puzzle_job_begin(struct puzzle_job *puzzle_job)
{
  struct requests *requests = puzzle_job->requests;
  uint64_t bytes_max = puzzle_job->bytes_max;
  int result =
      memory_charge(requests->memory, bytes_max, bytes_max, &puzzle_job->posed.charged_bytes);
  if (result == 0) {
    list_remove(&puzzle_job->link);
    workers_submit(requests->readers, &puzzle_job->job);
    return 0;
  }
  if (result == -EAGAIN)
    return result;
  char need[LIMIT_WORDS], max[LIMIT_WORDS];
  struct fault fault;
  if (bytes_max > requests->config->limits.memory_bytes)
    fault_set(&fault, ERROR_TOO_LARGE, "the puzzle's moves may take %s, but --memory-max allows %s",
              limit_bytes_words(bytes_max, need),
              limit_bytes_words(requests->config->limits.memory_bytes, max));
  else
    fault_set(&fault, ERROR_BUSY, "the solves under way need all of --memory-max");
  connection_fail(puzzle_job->connection, &puzzle_job->request, &fault);
  puzzle_job_end(puzzle_job);
  return 0;
}

static void make_later(struct requests *requests, struct connection *connection,
                       struct request *request, uint64_t bytes_max, pose_done *done)
{
  struct puzzle_job *puzzle_job = calloc(1, sizeof *puzzle_job);
  if (!puzzle_job) {
    fail_to_make(connection, request, -ENOMEM, NULL);
    return;
  }
  puzzle_job->job = (struct job){.run = puzzle_job_run, .done = puzzle_job_done};
  puzzle_job->requests = requests;
  puzzle_job->connection = connection;
  puzzle_job->request = *request;
  puzzle_job->bytes_max = bytes_max;
  puzzle_job->done = done;
  puzzle_job->result = -ECANCELED;
  *request = (struct request){.id = request->id};
  connection->puzzle_job = puzzle_job;
  connection_hold(connection);
  list_append(&requests->puzzle_jobs, &puzzle_job->link);
  posing_continue(requests);
}

/* In the order they came: a large one is not overtaken for ever. */
void posing_continue(struct requests *requests)
{
  while (!list_empty(&requests->puzzle_jobs)) {
    struct link *first = requests->puzzle_jobs.next;
    if (puzzle_job_begin(container_of(first, struct puzzle_job, link)) == -EAGAIN) {
      workers_wake(requests->readers);
      return;
    }
  }
}

void posing_leave(struct connection *connection)
{
  struct puzzle_job *puzzle_job = connection->puzzle_job;
  if (!puzzle_job)
    return;
  connection->puzzle_job = NULL;
  puzzle_job->connection = NULL;
  if (!list_empty(&puzzle_job->link))
    puzzle_job_end(puzzle_job);
}

void pose(struct requests *requests, struct connection *connection, struct request *request,
          pose_done *done)
{
  uint64_t moves;
  uint64_t bytes_max = puzzle_bytes_max(&request->puzzle, &moves);
  if (moves > QUICK_MOVES) {
    make_later(requests, connection, request, bytes_max, done);
    return;
  }
  struct posed posed = {0};
  struct complaint complaint;
  int result = make_arena(request, &posed, &complaint);
  if (result == 0)
    done(requests, connection, request, &posed);
  else
    fail_to_make(connection, request, result, &complaint);
}
