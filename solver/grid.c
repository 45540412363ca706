/*
 * LeetCode 1728: rows of cells → arena, in O(cells + moves). Each player may
 * stay, or jump up to so many cells in one direction, over the other player but not through a wall.
 */
#include "solver/grid.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "solver/arena_parts.h"

/*
 * Long jumps make many moves of few cells: more would take seconds and gigabytes before any solve.
 */
enum { PLIES_OF_THE_GAME = 1000, MOVES_MAX = 1 << 27 };

/* Where the three marks stand, UINT32_MAX until found. */
struct marks {
  uint32_t mouse, cat, food;
};

static char cell_at(const struct puzzle *puzzle, uint32_t cols, uint32_t node)
{
  return puzzle->grid.row[node / cols][node % cols];
}

static int check_shape(const struct puzzle *puzzle, struct complaint *complaint)
{
  if (puzzle->grid.rows == 0 || puzzle->grid.row_length[0] == 0)
    return complain(complaint, "the grid is empty");
  uint32_t cols = puzzle->grid.row_length[0];
  for (uint32_t row = 1; row < puzzle->grid.rows; row++) {
    if (puzzle->grid.row_length[row] != cols)
      return complain(complaint, "grid[%u] has %u cells, but grid[0] has %u", row,
                      puzzle->grid.row_length[row], cols);
  }
  if ((uint64_t)puzzle->grid.rows * cols >= UINT32_MAX)
    return complain(complaint, "the grid has more cells than can be numbered");
  if (puzzle->grid.jump[PLAYER_CAT] < 1)
    return complain(complaint, "catJump is %d, but must be at least 1",
                    puzzle->grid.jump[PLAYER_CAT]);
  if (puzzle->grid.jump[PLAYER_MOUSE] < 1)
    return complain(complaint, "mouseJump is %d, but must be at least 1",
                    puzzle->grid.jump[PLAYER_MOUSE]);
  return 0;
}

static int check_cell(char cell, uint32_t row, uint32_t col, struct complaint *complaint)
{
  if (cell && strchr("#.CFM", cell))
    return 0;
  if (isprint((unsigned char)cell))
    return complain(complaint, "grid[%u][%u] is '%c', not one of # . C F M", row, col, cell);
  return complain(complaint, "grid[%u][%u] is 0x%02x, not one of # . C F M", row, col,
                  (unsigned char)cell);
}

static int mark(uint32_t *place, char cell, uint32_t node, uint32_t cols,
                struct complaint *complaint)
{
  if (*place != UINT32_MAX)
    return complain(complaint, "a second %c at grid[%u][%u]", cell, node / cols, node % cols);
  *place = node;
  return 0;
}

static int find_marks(const struct puzzle *puzzle, struct marks *marks, struct complaint *complaint)
{
  uint32_t cols = puzzle->grid.row_length[0];
  for (uint32_t node = 0; node < puzzle->grid.rows * cols; node++) {
    char cell = cell_at(puzzle, cols, node);
    int status = check_cell(cell, node / cols, node % cols, complaint);
    if (status == 0 && cell == 'M')
      status = mark(&marks->mouse, cell, node, cols, complaint);
    else if (status == 0 && cell == 'C')
      status = mark(&marks->cat, cell, node, cols, complaint);
    else if (status == 0 && cell == 'F')
      status = mark(&marks->food, cell, node, cols, complaint);
    if (status < 0)
      return status;
  }
  if (marks->mouse == UINT32_MAX)
    return complain(complaint, "the grid has no M");
  if (marks->cat == UINT32_MAX)
    return complain(complaint, "the grid has no C");
  if (marks->food == UINT32_MAX)
    return complain(complaint, "the grid has no F");
  return 0;
}

/* How many jumps there are within `length` free cells in a line, both ways. */
static uint64_t count_in_line(uint64_t length, uint64_t jump)
{
  if (length == 0)
    return 0;
  uint64_t reach = jump < length - 1 ? jump : length - 1;
  return reach * (reach + 1) + 2 * (length - 1 - reach) * reach;
}

/* Along the row or column that begins with (row, col). */
static uint64_t count_along(const struct puzzle *puzzle, uint32_t jump, uint32_t row, uint32_t col,
                            bool down)
{
  uint64_t jumps = 0, length = 0;
  for (; row < puzzle->grid.rows && col < puzzle->grid.row_length[0]; row += down, col += !down) {
    length++;
    if (puzzle->grid.row[row][col] == '#') {
      jumps += count_in_line(length - 1, jump);
      length = 0;
    }
  }
  return jumps + count_in_line(length, jump);
}

/* One player's moves but for staying, in O(cells). */
static uint64_t count_jumps(const struct puzzle *puzzle, uint32_t jump)
{
  uint64_t jumps = 0;
  for (uint32_t row = 0; row < puzzle->grid.rows; row++)
    jumps += count_along(puzzle, jump, row, 0, false);
  for (uint32_t col = 0; col < puzzle->grid.row_length[0]; col++)
    jumps += count_along(puzzle, jump, 0, col, true);
  return jumps;
}

static uint32_t count_free(const struct puzzle *puzzle)
{
  uint32_t count = 0;
  for (uint32_t row = 0; row < puzzle->grid.rows; row++)
    for (uint32_t col = 0; col < puzzle->grid.row_length[0]; col++)
      count += puzzle->grid.row[row][col] != '#';
  return count;
}

/* How many cells one can jump from (row, col) in the direction (down, right). */
static uint32_t reach(const struct puzzle *puzzle, uint32_t jump, uint32_t row, uint32_t col,
                      int down, int right)
{
  uint32_t cols = puzzle->grid.row_length[0];
  uint32_t cells = 0;
  while (cells < jump) {
    row += (uint32_t)down;
    col += (uint32_t)right;
    if (row >= puzzle->grid.rows || col >= cols || puzzle->grid.row[row][col] == '#')
      break;
    cells++;
  }
  return cells;
}

/* Where one can go from `node`, in ascending order. Returns how many. */
static uint32_t list_jumps(const struct puzzle *puzzle, enum player player, uint32_t node,
                           uint32_t *to)
{
  uint32_t cols = puzzle->grid.row_length[0], row = node / cols, col = node % cols;
  uint32_t jump = (uint32_t)puzzle->grid.jump[player];
  if (puzzle->grid.row[row][col] == '#')
    return 0;
  uint32_t up = reach(puzzle, jump, row, col, -1, 0);
  uint32_t left = reach(puzzle, jump, row, col, 0, -1);
  uint32_t right = reach(puzzle, jump, row, col, 0, 1);
  uint32_t down = reach(puzzle, jump, row, col, 1, 0);
  for (uint32_t cells = up; cells > 0; cells--)
    *to++ = node - cells * cols;
  for (uint32_t there = node - left; there <= node + right; there++)
    *to++ = there;
  for (uint32_t cells = 1; cells <= down; cells++)
    *to++ = node + cells * cols;
  return up + left + 1 + right + down;
}

static void fill_moves(const struct puzzle *puzzle, uint64_t targets, struct arena_parts *parts)
{
  uint32_t at = 0;
  for (int player = 0; player < 2; player++) {
    for (uint32_t node = 0; node < parts->arena->nodes; node++) {
      parts->begin[player][node] = at;
      at += list_jumps(puzzle, player, node, parts->to + at);
      parts->end[player][node] = at;
    }
  }
  assert(at == targets);
  (void)targets;
}

static void fill_sets(const struct puzzle *puzzle, uint32_t food, struct arena_parts *parts)
{
  uint32_t cols = puzzle->grid.row_length[0];
  for (int player = 0; player < 2; player++) {
    node_add(parts->home[player], food);
    for (uint32_t node = 0; node < parts->arena->nodes; node++) {
      if (cell_at(puzzle, cols, node) == '#')
        node_add(parts->barred[player], node);
    }
  }
}

int grid_arena_new(const struct puzzle *puzzle, struct arena **arena, struct complaint *complaint)
{
  struct marks marks = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
  int status = check_shape(puzzle, complaint);
  if (status == 0)
    status = find_marks(puzzle, &marks, complaint);
  if (status < 0)
    return status;
  uint32_t nodes = puzzle->grid.rows * puzzle->grid.row_length[0];
  uint64_t targets = 2 * (uint64_t)count_free(puzzle);
  for (int player = 0; player < 2; player++)
    targets += count_jumps(puzzle, (uint32_t)puzzle->grid.jump[player]);
  if (targets > MOVES_MAX)
    return complain(complaint, "the grid has %llu moves, but at most %d are taken",
                    (unsigned long long)targets, MOVES_MAX);
  struct arena_parts parts;
  status = arena_parts_new(nodes, targets, false, &parts);
  if (status < 0)
    return status;
  fill_moves(puzzle, targets, &parts);
  fill_sets(puzzle, marks.food, &parts);
  parts.arena->game = GAME_GRID;
  parts.arena->rows = puzzle->grid.rows;
  parts.arena->cols = puzzle->grid.row_length[0];
  parts.arena->mirrored = true;
  parts.arena->endless = OUTCOME_CAT;
  parts.arena->limit_plies = PLIES_OF_THE_GAME;
  parts.arena->start = (struct state){marks.mouse, marks.cat, PLAYER_MOUSE};
  *arena = parts.arena;
  return 0;
}
