/*
 * A grid's rows: measured first, and with them the moves that an arena might have to hold, then copied into one
 * block of pointers, lengths and cells. A row that is no text is named by its place.
 */
#include "proto/puzzle_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct grid_size {
  uint64_t cells;
  uint32_t widest;
};

/* Leaves `reader` where it is. */
static int measure_grid(struct reader reader, uint64_t rows, const struct message_limits *limits,
                        struct grid_size *size, struct fault *fault)
{
  *size = (struct grid_size){0};
  if (rows > limits->nodes)
    return puzzle_over_limit("rows", rows, limits->nodes, fault);
  for (uint64_t row = 0; row < rows; row++) {
    struct value text;
    reader_next(&reader, &text);
    if (text.kind != ITEM_TEXT)
      return puzzle_item_is_no("grid", row, &text, "a text", fault);
    size->cells += text.length;
    if (text.length > size->widest)
      size->widest = (uint32_t)text.length;
  }
  if (size->cells > limits->nodes)
    return puzzle_over_limit("cells", size->cells, limits->nodes, fault);
  return 0;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

/* No walls assumed: from each cell, as far as the jump and the row or the column go, or staying. */
static int check_moves(const struct grid_size *size, uint32_t rows, const int32_t jump[2],
                       const struct message_limits *limits, struct fault *fault)
{
  uint64_t moves = 0;
  for (int player = 0; player < 2; player++) {
    uint64_t reach = jump[player] > 0 ? 2 * (uint64_t)jump[player] : 0;
    moves += size->cells * (1 + smaller(reach, size->widest) + smaller(reach, rows));
  }
  if (moves > limits->edges)
    return fault_set(fault, ERROR_LIMIT, "the grid may have %llu moves, more than the %llu allowed",
                     (unsigned long long)moves, (unsigned long long)limits->edges);
  return 0;
}

static int copy_rows(struct reader reader, uint32_t rows, uint64_t cells, struct puzzle *puzzle,
                     void **memory)
{
  const char **row = malloc(rows * (sizeof *row + sizeof(uint32_t)) + cells + 1);
  if (!row)
    return -ENOMEM;
  uint32_t *row_length = (uint32_t *)(row + rows);
  char *at = (char *)(row_length + rows);
  for (uint32_t i = 0; i < rows; i++) {
    struct value text;
    reader_next(&reader, &text);
    row[i] = at;
    row_length[i] = (uint32_t)text.length;
    memcpy(at, text.payload, row_length[i]);
    at += row_length[i];
  }
  puzzle->grid.rows = rows;
  puzzle->grid.row = row;
  puzzle->grid.row_length = row_length;
  *memory = row;
  return 0;
}

int grid_read(struct reader reader, uint64_t rows, const int32_t jump[2],
              const struct message_limits *limits, struct puzzle *puzzle, void **memory,
              struct fault *fault)
{
  struct puzzle read = {.game = GAME_GRID, .grid.jump = {jump[0], jump[1]}};
  struct grid_size size;
  if (measure_grid(reader, rows, limits, &size, fault) ||
      check_moves(&size, (uint32_t)rows, jump, limits, fault))
    return -EBADMSG;
  if (copy_rows(reader, (uint32_t)rows, size.cells, &read, memory))
    return puzzle_no_memory(fault);
  *puzzle = read;
  return 0;
}
