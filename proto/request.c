#include "proto/request.h"

#include <errno.h>
#include <stdlib.h>

void request_deinit(struct request *request)
{
  free(request->puzzle_memory);
  request->puzzle_memory = NULL;
}

static int find_cell(const char *path, uint32_t row, uint32_t rows, uint32_t cols, uint32_t *place,
                     struct fault *fault)
{
  uint32_t col = *place;
  if (cols == 0)
    return fault_set(fault, ERROR_BAD_STATE, "%s is a row and a column, but the puzzle is a graph",
                     path);
  if (row >= rows || col >= cols)
    return fault_set(fault, ERROR_BAD_STATE,
                     "%s is row %u, column %u, but the grid has %u rows and %u columns", path, row,
                     col, rows, cols);
  *place = row * cols + col;
  return 0;
}

int request_find_cells(struct request *request, uint32_t rows, uint32_t cols, struct fault *fault)
{
  struct state *state = &request->state;
  if (!request->by_row)
    return 0;
  if (find_cell("state.mouse", request->mouse_row, rows, cols, &state->mouse, fault) ||
      find_cell("state.cat", request->cat_row, rows, cols, &state->cat, fault))
    return -EBADMSG;
  request->by_row = false;
  return 0;
}
