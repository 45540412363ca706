#include "client/play/move_text.h"

#include <stdio.h>
#include <string.h>

enum { LETTERS = 26 };

static uint32_t place_of_mover(const struct state *state)
{
  return state->turn == PLAYER_MOUSE ? state->mouse : state->cat;
}

char move_letter(const struct arena *arena, const struct state *state, uint32_t to)
{
  const struct moves *moves = &arena->moves[state->turn];
  const uint32_t *first = moves->to + moves->begin[place_of_mover(state)];
  uint32_t place = 0;
  while (place < LETTERS && first[place] != to)
    place++;
  return place < LETTERS ? (char)('a' + place) : ' ';
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

struct direction {
  const char *name, *keys[2]; /* what a terminal sends for the arrow key, in its two modes */
  int down, right;
};

static const struct direction directions[] = {
    {"up", {"\033[A", "\033OA"}, -1, 0},   {"down", {"\033[B", "\033OB"}, 1, 0},
    {"left", {"\033[D", "\033OD"}, 0, -1}, {"right", {"\033[C", "\033OC"}, 0, 1},
    {"stay", {NULL, NULL}, 0, 0},
};

enum { DIRECTIONS = sizeof directions / sizeof *directions };

/* The cell so far from the mover, reachable or not. */
static bool cell_at(const struct arena *arena, const struct state *state,
                    const struct direction *direction, int far, uint32_t *to)
{
  uint32_t from = place_of_mover(state);
  int64_t row = (int64_t)(from / arena->cols) + (int64_t)direction->down * far;
  int64_t col = (int64_t)(from % arena->cols) + (int64_t)direction->right * far;
  if (row < 0 || row >= arena->rows || col < 0 || col >= arena->cols)
    return false;
  *to = (uint32_t)(row * arena->cols + col);
  return true;
}

/* "up", "left 2" */
static bool parse_direction(const struct arena *arena, const struct state *state, const char *text,
                            uint32_t *to)
{
  char name[8];
  int far = 1, end = 0;
  int read = sscanf(text, "%7[a-z] %n%9d%n", name, &end, &far, &end);
  if (read < 1 || text[end] != '\0' || far < 0)
    return false;
  for (int i = 0; i < DIRECTIONS; i++) {
    if (strcmp(directions[i].name, name) == 0)
      return cell_at(arena, state, &directions[i], far, to);
  }
  return false;
}

/* How often the text is one and the same arrow key; 0 where it is anything else. */
static int count_arrows(const char *text, const struct direction *direction)
{
  for (int mode = 0; mode < 2; mode++) {
    const char *key = direction->keys[mode];
    size_t length = key ? strlen(key) : 0;
    int count = 0;
    while (key && strncmp(text + (size_t)count * length, key, length) == 0)
      count++;
    if (count > 0 && text[(size_t)count * length] == '\0')
      return count;
  }
  return 0;
}

/* Arrow keys as a terminal passes them on: one for each cell. */
static bool parse_arrows(const struct arena *arena, const struct state *state, const char *text,
                         uint32_t *to)
{
  for (int i = 0; i < DIRECTIONS; i++) {
    int far = count_arrows(text, &directions[i]);
    if (far > 0)
      return cell_at(arena, state, &directions[i], far, to);
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
         (arena->cols > 0 &&
          (parse_direction(arena, state, text, to) || parse_arrows(arena, state, text, to)));
}
