/*
 * Puzzles as the library's users hold them. What is wrong with one is said in the daemon's own words,
 * since both read puzzles with the same code; whether it obeys its game's rules the daemon says.
 */
#include "client/client.h"
#include "client/puzzle_box.h"
#include "proto/puzzle_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int cannot_parse(struct cm_client *client, const struct fault *fault)
{
  if (fault->error == ERROR_NO_MEMORY)
    return client_out_of_memory(client);
  if (fault->error == ERROR_PARSE)
    return client_fail(client, -EINVAL, "%s", fault->text);
  return client_refuse(client, fault);
}

/* The text may be as long as it likes: a message says the same in fewer bytes, and these the daemon counts. */
static struct message_limits limits_of_text(void)
{
  struct message_limits limits = message_limits_default;
  limits.message_bytes = UINT64_MAX;
  return limits;
}

static int read_json(struct text_span json, struct cm_puzzle *puzzle, struct fault *fault)
{
  const struct message_limits limits = limits_of_text();
  return puzzle_from_json(json.at, json.length, &limits, &puzzle->puzzle, &puzzle->memory, fault);
}

/* Where a box is wrong is told as it was given, not as the object that was made of it. */
static int read_text(struct text_span text, struct cm_puzzle *puzzle, struct fault *fault)
{
  struct buffer object;
  buffer_init(&object);
  text = puzzle_box_begin(text);
  struct text_span json = puzzle_box_json(text, &object);
  int error = object.failed ? fault_set(fault, ERROR_NO_MEMORY, "out of memory for the puzzle")
                            : read_json(json, puzzle, fault);
  if (error && fault->error == ERROR_PARSE && json.at != text.at)
    error = read_json(text, puzzle, fault);
  buffer_deinit(&object);
  return error;
}

int cm_puzzle_parse(struct cm_client *client, const char *text, size_t length,
                    struct cm_puzzle **puzzle)
{
  client_forget(client);
  struct cm_puzzle *made = calloc(1, sizeof *made);
  struct fault fault;
  int rc = 0;
  if (!made)
    rc = client_out_of_memory(client);
  else if (read_text((struct text_span){text, length}, made, &fault))
    rc = cannot_parse(client, &fault);
  if (rc == 0)
    *puzzle = made;
  else
    free(made);
  return rc;
}

int cm_puzzle_graph(struct cm_client *client, uint32_t nodes, const uint32_t *first,
                    const int32_t *neighbour, struct cm_puzzle **puzzle)
{
  client_forget(client);
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
  *puzzle = made;
  return 0;
}

void cm_puzzle_free(struct cm_puzzle *puzzle)
{
  if (!puzzle)
    return;
  free(puzzle->memory);
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
