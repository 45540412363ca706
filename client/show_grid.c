/* Walls, food and players as the puzzle writes them; the best move is *, the others are o. */
#include "client/show_grid.h"

#include <stdio.h>

enum { MARGIN = 2 };

static char mark_of(char cell, uint32_t node, const struct cm_state *state,
                    const struct cm_move *moves, uint32_t moves_count)
{
  if (node == state->cat)
    return 'C';
  if (node == state->mouse)
    return 'M';
  for (uint32_t i = 0; i < moves_count; i++) {
    if (moves[i].to == node)
      return i == 0 ? '*' : 'o';
  }
  return cell == '#' || cell == 'F' ? cell : '.';
}

static void print_mark(const struct style *style, char mark)
{
  const char *colour = mark == 'C'   ? "\033[31m"
                       : mark == 'M' ? "\033[36m"
                       : mark == 'F' ? "\033[33m"
                       : mark == '*' ? "\033[1;32m"
                       : mark == '#' ? "\033[2m"
                                     : "";
  if (style->colour && *colour)
    printf("%s%c\033[0m", colour, mark);
  else
    putchar(mark);
}

void show_grid(const struct style *style, const struct cm_state *state, const struct cm_move *moves,
               uint32_t moves_count)
{
  uint32_t cols, node = 0, rows = style->puzzle ? cm_puzzle_rows(style->puzzle) : 0;
  if (style->columns > 0 && style->grid_cols + MARGIN > style->columns)
    return;
  for (uint32_t row = 0; row < rows; row++) {
    const char *cells = cm_puzzle_row(style->puzzle, row, &cols);
    printf("%*s", MARGIN, "");
    for (uint32_t col = 0; col < cols; col++, node++)
      print_mark(style, mark_of(cells[col], node, state, moves, moves_count));
    putchar('\n');
  }
}
