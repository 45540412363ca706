/*
 * Puzzles as the library's users hold them. Text is read by the room text/, and what the solver or the daemon's usual
 * limits would refuse is refused here, in the daemon's words.
 */
#include "client/client.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "proto/limits.h"
#include "solver/arena.h"

struct cm_puzzle *puzzle_from_text(struct text *text)
{
  struct cm_puzzle *made = calloc(1, sizeof *made);
  if (!made)
    return NULL;
  made->puzzle = text->puzzles[0].puzzle;
  made->text = text;
  return made;
}

static int bad_text(struct cm_client *client, const char *bytes, size_t length,
                    const struct text_fault *fault)
{
  const struct text_place place = text_place_of(bytes, length, fault->span.at);
  struct fault refusal;
  if (text_code_is_syntax(fault->code))
    return client_fail(client, -EINVAL, "line %u, column %u: %s", (unsigned)place.line,
                       (unsigned)place.column, fault->sentence);
  fault_set(&refusal, ERROR_BAD_PUZZLE, "%s", fault->sentence);
  return client_refuse(client, &refusal);
}

static int check_text(struct cm_client *client, const char *bytes, size_t length,
                      const struct text *text)
{
  const struct text_fault *first = text_first_fault(text);
  struct fault fault;
  if (first)
    return bad_text(client, bytes, length, first);
  if (text->puzzles_count > 1)
    return client_fail(client, -EINVAL, "the text holds %u puzzles, not one",
                       (unsigned)text->puzzles_count);
  return puzzle_check_limits(&text->puzzles[0].puzzle, &message_limits_default, &fault)
             ? client_refuse(client, &fault)
             : 0;
}

int cm_puzzle_parse(struct cm_client *client, const char *bytes, size_t length,
                    struct cm_puzzle **puzzle)
{
  struct text *text;
  client_forget(client);
  if (text_read(bytes, length, &text))
    return client_out_of_memory(client);
  int rc = check_text(client, bytes, length, text);
  struct cm_puzzle *made = rc == 0 ? puzzle_from_text(text) : NULL;
  if (made)
    *puzzle = made;
  else
    text_free(text);
  return rc == 0 && !made ? client_out_of_memory(client) : rc;
}

/* What the lists' offsets say must be so before anything is read by them. */
static int check_first(struct cm_client *client, uint32_t nodes, const uint32_t *first)
{
  if (first[0] != 0)
    return client_fail(client, -EINVAL, "first[0] is %u, not 0", (unsigned)first[0]);
  for (uint32_t node = 0; node < nodes; node++) {
    if (first[node + 1] < first[node])
      return client_fail(client, -EINVAL, "first[%u] is %u, less than first[%u], which is %u",
                         (unsigned)node + 1, (unsigned)first[node + 1], (unsigned)node,
                         (unsigned)first[node]);
  }
  return 0;
}

static int check_graph(struct cm_client *client, const struct puzzle *puzzle)
{
  struct complaint complaint;
  struct fault fault;
  struct arena *arena;
  if (puzzle_check_limits(puzzle, &message_limits_default, &fault))
    return client_refuse(client, &fault);
  int error = arena_new(puzzle, &arena, &complaint);
  if (error == 0)
    arena_free(arena);
  if (error == -EINVAL) {
    fault_set(&fault, ERROR_BAD_PUZZLE, "%s", complaint.text);
    return client_refuse(client, &fault);
  }
  return error ? client_out_of_memory(client) : 0;
}

int cm_puzzle_graph(struct cm_client *client, uint32_t nodes, const uint32_t *first,
                    const int32_t *neighbour, struct cm_puzzle **puzzle)
{
  client_forget(client);
  int rc = check_first(client, nodes, first);
  if (rc)
    return rc;
  size_t first_bytes = ((size_t)nodes + 1) * sizeof *first;
  size_t neighbour_bytes = (size_t)first[nodes] * sizeof *neighbour;
  struct cm_puzzle *made = calloc(1, sizeof *made);
  char *memory = malloc(first_bytes + neighbour_bytes);
  if (!made || !memory) {
    free(made);
    free(memory);
    return client_out_of_memory(client);
  }
  memcpy(memory, first, first_bytes);
  if (neighbour_bytes)
    memcpy(memory + first_bytes, neighbour, neighbour_bytes);
  made->memory = memory;
  made->puzzle.game = GAME_GRAPH;
  made->puzzle.graph.nodes = nodes;
  made->puzzle.graph.first = (const uint32_t *)memory;
  made->puzzle.graph.neighbour = (const int32_t *)(memory + first_bytes);
  rc = check_graph(client, &made->puzzle);
  if (rc)
    cm_puzzle_free(made);
  else
    *puzzle = made;
  return rc;
}

void cm_puzzle_free(struct cm_puzzle *puzzle)
{
  if (!puzzle)
    return;
  free(puzzle->memory);
  text_free(puzzle->text);
  free(puzzle);
}

enum cm_game cm_puzzle_game(const struct cm_puzzle *puzzle)
{
  return (enum cm_game)puzzle->puzzle.game;
}

uint32_t cm_puzzle_rows(const struct cm_puzzle *puzzle)
{
  return puzzle && puzzle->puzzle.game == GAME_GRID ? puzzle->puzzle.grid.rows : 0;
}

const char *cm_puzzle_row(const struct cm_puzzle *puzzle, uint32_t row, uint32_t *length)
{
  if (row >= cm_puzzle_rows(puzzle))
    return NULL;
  *length = puzzle->puzzle.grid.row_length[row];
  return puzzle->puzzle.grid.row[row];
}
