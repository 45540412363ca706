/*
 * The happy path: a small puzzle's arena is made at once. What a large one takes at most is foreseen from its
 * numbers, before anything is made: its memory is charged, and a helper makes it.
 *
 * The cache and the disk may both have a puzzle whose id begins with the same digits; often it is the same one.
 * Running solves are joined by whole ids alone, before this (solves_join()).
 *
 * Failure: a bad puzzle gets the solver's own sentence; one that has no room in memory is refused.
 */
#include "daemon/requests/posing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "proto/units.h"

enum { QUICK_MOVES = 1 << 15 }; /* an arena of so many takes the loop less than a millisecond */

/* What the puzzle takes as it was read, and what its arena will take at most. */
static uint64_t puzzle_bytes_max(const struct puzzle *puzzle, uint64_t *moves)
{
  uint64_t nodes, read_bytes;
  if (puzzle->game == GAME_GRAPH) {
    nodes = puzzle->graph.nodes;
    *moves = 2 * (uint64_t)puzzle->graph.first[nodes];
    read_bytes = (nodes + 1 + *moves / 2) * sizeof(uint32_t);
  } else {
    const struct grid_size size = grid_size(puzzle);
    nodes = size.cells;
    *moves = grid_moves_max(&size, puzzle->grid.jump);
    read_bytes = nodes + puzzle->grid.rows * (sizeof(char *) + sizeof(uint32_t));
  }
  uint64_t set_bytes = (nodes / 64 + 1) * sizeof(uint64_t);
  return sizeof(struct arena) + 4 * set_bytes + (4 * nodes + *moves) * sizeof(uint32_t) +
         read_bytes;
}

static int make_arena(struct request *request, struct posed *posed, struct fault *fault)
{
  struct complaint complaint;
  int result = arena_new(&request->puzzle, &posed->arena, &complaint);
  free(request->puzzle_memory);
  request->puzzle_memory = NULL;
  if (result == -ENOMEM)
    return fault_set(fault, ERROR_NO_MEMORY, "out of memory for the puzzle");
  if (result < 0)
    return fault_set(fault, ERROR_BAD_PUZZLE, "%s", complaint.text);
  arena_id(posed->arena, &posed->id);
  return 0;
}

int pose_now(struct request *request, struct posed *posed, struct fault *fault)
{
  uint64_t moves;
  puzzle_bytes_max(&request->puzzle, &moves);
  *posed = (struct posed){0};
  return moves > QUICK_MOVES ? -EAGAIN : make_arena(request, posed, fault);
}

static void make(struct job *job)
{
  struct waiting *waiting = container_of(job, struct waiting, job);
  waiting->result = make_arena(&waiting->request, &waiting->posed, &waiting->fault);
}

static void on_made(struct job *job)
{
  struct waiting *waiting = container_of(job, struct waiting, job);
  struct memory *memory = waiting->requests->memory;
  struct posed posed = waiting->posed;
  uint64_t held_bytes = posed.arena ? posed.arena->bytes : 0;
  memory_release(memory, posed.charged_bytes - held_bytes);
  posed.charged_bytes = held_bytes;
  waiting->submitted = false;
  if (list_empty(&waiting->link))
    waiting_free(waiting);
  else if (waiting->result < 0)
    waiting_fail(waiting, &waiting->fault);
  else
    waiting->found(waiting, &posed.id, &posed);
  posed_drop(&posed, memory);
}

/* -EAGAIN where the puzzle must wait for memory that is being given back. Without hope of memory it is refused. */
static int begin_to_make(struct waiting *waiting)
{
  struct requests *requests = waiting->requests;
  const uint64_t bytes = waiting->puzzle_bytes, max_bytes = requests->config->limits.memory_bytes;
  int result = memory_charge(requests->memory, bytes, bytes, &waiting->posed.charged_bytes);
  if (result == -EAGAIN)
    return result;
  list_remove(&waiting->queued);
  if (result == 0) {
    waiting->job = (struct job){.run = make, .done = on_made};
    waiting_submit(waiting, requests->readers);
    return 0;
  }
  char need[UNIT_WORDS], max[UNIT_WORDS];
  if (bytes > max_bytes)
    fault_set(&waiting->fault, ERROR_TOO_LARGE,
              "the puzzle's moves may take %s, but --memory-max allows %s",
              bytes_words(bytes, need), bytes_words(max_bytes, max));
  else
    fault_set(&waiting->fault, ERROR_BUSY, "the solves under way need all of --memory-max");
  waiting_fail(waiting, &waiting->fault);
  return 0;
}

/* In the order of arrival, so that small puzzles do not overtake a large one for ever. */
void posing_continue(struct requests *requests)
{
  struct link *queue = &requests->large_puzzles;
  while (!list_empty(queue) &&
         begin_to_make(container_of(queue->next, struct waiting, queued)) != -EAGAIN)
    continue;
}

void pose_later(struct waiting *waiting, waiting_found *found)
{
  uint64_t moves;
  waiting->puzzle_bytes = puzzle_bytes_max(&waiting->request.puzzle, &moves);
  waiting->found = found;
  waiting_hold(waiting);
  list_append(&waiting->requests->large_puzzles, &waiting->queued);
  posing_continue(waiting->requests);
}

static void fail_to_find(struct waiting *waiting, uint64_t fits)
{
  const struct request *request = &waiting->request;
  struct fault fault;
  if (!waiting_was_stored(waiting, "the puzzle cannot be looked for on disk"))
    return;
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

static void on_looked(struct store_request *looked)
{
  struct waiting *waiting = container_of(looked, struct waiting, store);
  struct memory *memory = waiting->requests->memory;
  struct posed posed = {.arena = looked->arena, .id = looked->id, .on_disk = true};
  struct solved *solved = NULL;
  uint64_t fits = cache_find_prefix(memory->cache, waiting->request.puzzle_id, &solved);
  if (!solved || looked->count != 1 || memcmp(&solved->node.id, &posed.id, sizeof posed.id) != 0)
    fits += looked->count;
  if (fits == 1) {
    const struct id id = solved ? solved->node.id : posed.id;
    waiting->found(waiting, &id, &posed);
  } else {
    fail_to_find(waiting, fits);
  }
  posed_drop(&posed, memory);
}

void pose_by_id(struct waiting *waiting, waiting_found *found)
{
  waiting->found = found;
  waiting->store.done = on_looked;
  waiting_for_store(
      waiting, store_find(waiting->requests->store, &waiting->store, waiting->request.puzzle_id));
}
