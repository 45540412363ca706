#include "client/judge/challenge.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "solver/verdict.h"

static uint64_t bit(uint32_t node)
{
  return UINT64_C(1) << node;
}

static bool graph_is_legal(const struct challenge *challenge)
{
  if (challenge->nodes < 3)
    return false;
  for (uint32_t node = 0; node < challenge->nodes; node++) {
    if (challenge->neighbours[node] == 0)
      return false;
  }
  return (challenge->neighbours[2] & ~bit(0)) != 0;
}

static bool grid_is_legal(const struct challenge *challenge)
{
  unsigned marks[3] = {0};
  for (uint32_t row = 0; row < challenge->rows; row++) {
    for (uint32_t col = 0; col < challenge->cols; col++) {
      const char *mark = memchr("MCF", challenge->cell[row][col], 3);
      if (mark)
        marks[strchr("MCF", *mark) - "MCF"]++;
    }
  }
  return marks[0] == 1 && marks[1] == 1 && marks[2] == 1 && challenge->jump[0] > 0 &&
         challenge->jump[1] > 0;
}

bool challenge_is_legal(const struct challenge *challenge)
{
  return challenge->game == GAME_GRAPH ? graph_is_legal(challenge) : grid_is_legal(challenge);
}

static size_t write_graph(const struct challenge *challenge, char *text)
{
  char *at = text;
  for (uint32_t node = 0; node < challenge->nodes; node++) {
    at += sprintf(at, node ? ",[" : "[[");
    for (uint64_t left = challenge->neighbours[node]; left; left &= left - 1)
      at += sprintf(at, "%d%s", __builtin_ctzll(left), left & (left - 1) ? "," : "");
    at += sprintf(at, "]");
  }
  at += sprintf(at, "]\n");
  return (size_t)(at - text);
}

size_t challenge_write(const struct challenge *challenge, char text[static CHALLENGE_TEXT_BYTES])
{
  if (challenge->game == GAME_GRAPH)
    return write_graph(challenge, text);
  char *at = text;
  for (uint32_t row = 0; row < challenge->rows; row++)
    at += sprintf(at, "%s\"%.*s\"", row ? "," : "[", (int)challenge->cols, challenge->cell[row]);
  at += sprintf(at, "]\n%d\n%d\n", challenge->jump[PLAYER_CAT], challenge->jump[PLAYER_MOUSE]);
  return (size_t)(at - text);
}

void challenge_read_graph(const char *text, struct challenge *challenge)
{
  *challenge = (struct challenge){.game = GAME_GRAPH};
  for (const char *at = strchr(text + 1, '['); at; at = strchr(at, '[')) {
    char *end = (char *)at;
    uint64_t *list = &challenge->neighbours[challenge->nodes++];
    while (*end != ']')
      *list |= bit((uint32_t)strtoul(end + 1, &end, 10));
    at = end;
  }
}

void challenge_read_grid(const char *const *rows, uint32_t count, int32_t cat_jump,
                         int32_t mouse_jump, struct challenge *challenge)
{
  *challenge = (struct challenge){.game = GAME_GRID,
                                  .rows = count,
                                  .cols = (uint32_t)strlen(rows[0]),
                                  .jump = {mouse_jump, cat_jump}};
  for (uint32_t row = 0; row < count; row++)
    memcpy(challenge->cell[row], rows[row], challenge->cols);
}

static struct arena *graph_arena(const struct challenge *challenge)
{
  uint32_t first[NODES_MOST + 1], count = 0;
  int32_t neighbour[NODES_MOST * NODES_MOST];
  for (uint32_t node = 0; node < challenge->nodes; node++) {
    first[node] = count;
    for (uint64_t left = challenge->neighbours[node]; left; left &= left - 1)
      neighbour[count++] = __builtin_ctzll(left);
  }
  first[challenge->nodes] = count;
  const struct puzzle puzzle = {GAME_GRAPH, .graph = {challenge->nodes, first, neighbour}};
  struct arena *arena;
  struct complaint complaint;
  return arena_new(&puzzle, &arena, &complaint) == 0 ? arena : NULL;
}

struct arena *challenge_arena(const struct challenge *challenge)
{
  const char *rows[SIDE_MOST];
  uint32_t lengths[SIDE_MOST];
  struct arena *arena;
  struct complaint complaint;
  if (challenge->game == GAME_GRAPH)
    return graph_arena(challenge);
  for (uint32_t row = 0; row < challenge->rows; row++) {
    rows[row] = challenge->cell[row];
    lengths[row] = challenge->cols;
  }
  const struct puzzle puzzle = {
      GAME_GRID, .grid = {challenge->rows,
                          rows,
                          lengths,
                          {challenge->jump[PLAYER_MOUSE], challenge->jump[PLAYER_CAT]}}};
  return arena_new(&puzzle, &arena, &complaint) == 0 ? arena : NULL;
}

int challenge_solve(const struct challenge *challenge, struct answer_value *value)
{
  struct set_arena sets;
  struct arena *arena = challenge_arena(challenge);
  if (!arena)
    return -ENOMEM;
  set_arena_from(arena, &sets);
  struct table_value found = verdict(&sets);
  uint32_t limit_plies = arena->limit_plies ? arena->limit_plies : PLIES_NONE - 1;
  bool in_time = found.plies <= limit_plies;
  value->outcome = in_time ? found.outcome : arena->endless;
  value->plies = in_time ? found.plies : PLIES_NONE;
  arena_free(arena);
  return 0;
}

const char *outcome_word(enum game game, enum outcome outcome)
{
  static const char *const words[] = {"1", "2", "0"};
  if (game == GAME_GRAPH)
    return words[outcome];
  return outcome == OUTCOME_MOUSE ? "true" : "false";
}

bool outcome_read(enum game game, const char *line, enum outcome *outcome)
{
  for (int found = OUTCOME_MOUSE; found <= OUTCOME_DRAW; found++) {
    if (game == GAME_GRID && found == OUTCOME_DRAW)
      continue;
    if (strcasecmp(line, outcome_word(game, (enum outcome)found)) == 0) {
      *outcome = (enum outcome)found;
      return true;
    }
  }
  return false;
}
