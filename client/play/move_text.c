#include "client/play/move_text.h"

#include <stdio.h>
#include <string.h>

char move_letter(uint32_t place)
{
  return place < 26 ? (char)('a' + place) : 0;
}

static uint32_t place_of_mover(const struct state *state)
{
  return state->turn == PLAYER_MOUSE ? state->mouse : state->cat;
}

static bool parse_letter(const struct arena *arena, const struct state *state, const char *text,
                         uint32_t *to)
{
  const struct moves *moves = &arena->moves[state->turn];
  uint32_t from = place_of_mover(state), count = moves->end[from] - moves->begin[from];
  if (text[0] < 'a' || text[0] > 'z' || text[1] != '\0' || (uint32_t)(text[0] - 'a') >= count)
    return false;
  *to = moves->to[moves->begin[from] + (uint32_t)(text[0] - 'a')];
  return true;
}

/* "up", "left 2": a cell of the grid, reachable or not. */
static bool parse_direction(const struct arena *arena, const struct state *state, const char *text,
                            uint32_t *to)
{
  static const struct {
    const char *name;
    int down, right;
  } directions[] = {
      {"up", -1, 0}, {"down", 1, 0}, {"left", 0, -1}, {"right", 0, 1}, {"stay", 0, 0}};
  char name[8];
  int far = 1, end = 0;
  uint32_t from = place_of_mover(state);
  int read = sscanf(text, "%7[a-z] %n%9d%n", name, &end, &far, &end);
  if (read < 1 || text[end] != '\0' || far < 0)
    return false;
  for (size_t i = 0; i < sizeof directions / sizeof *directions; i++) {
    int64_t row = (int64_t)(from / arena->cols) + (int64_t)directions[i].down * far;
    int64_t col = (int64_t)(from % arena->cols) + (int64_t)directions[i].right * far;
    if (strcmp(directions[i].name, name) != 0)
      continue;
    if (row < 0 || row >= arena->rows || col < 0 || col >= arena->cols)
      return false;
    *to = (uint32_t)(row * arena->cols + col);
    return true;
  }
  return false;
}

bool move_parse(const struct arena *arena, const struct state *state, const char *text,
                uint32_t *to)
{
  unsigned node, col;
  int end = 0;
  if (sscanf(text, "%9u:%9u%n", &node, &col, &end) == 2 && text[end] == '\0') {
    *to = node * arena->cols + col;
    return arena->cols > 0 && node < arena->rows && col < arena->cols;
  }
  if (sscanf(text, "%9u%n", &node, &end) == 1 && text[end] == '\0') {
    *to = node;
    return node < arena->nodes;
  }
  return parse_letter(arena, state, text, to) ||
         (arena->cols > 0 && parse_direction(arena, state, text, to));
}
