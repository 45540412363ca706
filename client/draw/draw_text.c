/*
 * Letters say who wins, so that colours only help: m5 is the mouse's in 5 plies, c12 the cat's in 12, = a draw.
 * The best move has a * behind it.
 */
#include "client/draw/draw.h"

#include <errno.h>
#include <string.h>

enum { CELL_MAX = WORDS_MAX + 2 };

static const char *colour_of(const struct picture *picture, uint32_t node)
{
  if (!picture_open(picture, node))
    return "\033[2m";
  switch (picture_value(picture, node).outcome) {
  case OUTCOME_MOUSE: return "\033[97;44m";
  case OUTCOME_CAT: return "\033[30;43m";
  default: return "";
  }
}

/* "m5*", or without `plies` its first letter. */
static void cell_words(const struct picture *picture, uint32_t node, bool plies,
                       char words[static CELL_MAX])
{
  const char *best = node == picture->best && plies ? "*" : "";
  if (!picture_open(picture, node)) {
    snprintf(words, CELL_MAX, "%s", plies && picture->arena->game == GAME_GRID ? "##" : "#");
    return;
  }
  struct answer_value value = picture_value(picture, node);
  const char *letter = value.outcome == OUTCOME_MOUSE ? "m"
                       : value.outcome == OUTCOME_CAT ? "c"
                                                      : "=";
  char number[WORDS_MAX] = "";
  if (plies && value.outcome != OUTCOME_DRAW)
    picture_plies(value, number);
  snprintf(words, CELL_MAX, "%s%s%s", letter, number, best);
}

static char mark_of(const struct picture *picture, uint32_t node)
{
  if (node == picture->state.cat)
    return 'C';
  if (node == picture->state.mouse)
    return 'M';
  if (!node_in(picture->arena->home[PLAYER_MOUSE], node))
    return ' ';
  return picture->arena->game == GAME_GRID ? 'F' : 'H';
}

static void print_coloured(FILE *out, const struct picture *picture, bool colour, uint32_t node,
                           const char *words, int width)
{
  const char *begin = colour ? colour_of(picture, node) : "";
  fprintf(out, "%s%*s%s", begin, width, words, *begin ? "\033[0m" : "");
}

/* Characters of the longest cell, its mark included. */
static uint32_t widest_cell(const struct picture *picture)
{
  uint32_t widest = 0;
  for (uint32_t node = 0; node < picture->arena->nodes; node++) {
    char words[CELL_MAX];
    cell_words(picture, node, true, words);
    widest = strlen(words) > widest ? (uint32_t)strlen(words) : widest;
  }
  return widest + 1;
}

static void print_cell(FILE *out, const struct picture *picture, bool colour, uint32_t node,
                       uint32_t width)
{
  char words[CELL_MAX], mark = mark_of(picture, node);
  cell_words(picture, node, width > 1, words);
  if (width == 1) {
    if (mark != ' ')
      snprintf(words, sizeof words, "%c", mark);
    print_coloured(out, picture, colour, node, words, 1);
    return;
  }
  fprintf(out, " %c", mark);
  print_coloured(out, picture, colour, node, words, (int)width - 1);
}

/* Characters of a grid's cells: 1 where the terminal has no room for plies. */
static uint32_t grid_width(const struct picture *picture, uint32_t columns)
{
  uint32_t widest = widest_cell(picture);
  return columns == 0 || (uint64_t)picture->arena->cols * (widest + 1) <= columns ? widest : 1;
}

static void print_grid(FILE *out, const struct picture *picture, bool colour, uint32_t width)
{
  const struct arena *arena = picture->arena;
  for (uint32_t row = 0; row < arena->rows; row++) {
    for (uint32_t col = 0; col < arena->cols; col++)
      print_cell(out, picture, colour, row * arena->cols + col, width);
    fputc('\n', out);
  }
}

static void print_graph(FILE *out, const struct picture *picture, bool colour)
{
  const struct arena *arena = picture->arena;
  const struct moves *moves = &arena->moves[PLAYER_MOUSE];
  int width = (int)widest_cell(picture);
  fprintf(out, "  node %*s  neighbours\n", width, "");
  for (uint32_t node = 0; node < arena->nodes; node++) {
    char words[CELL_MAX];
    cell_words(picture, node, true, words);
    fprintf(out, "%c %4u ", mark_of(picture, node), node);
    print_coloured(out, picture, colour, node, words, width);
    fputc(' ', out);
    for (uint32_t i = moves->begin[node]; i < moves->end[node]; i++)
      fprintf(out, " %u", moves->to[i]);
    fputc('\n', out);
  }
}

/* The best move in words, where the places have no room for its mark. */
static void print_best(FILE *out, const struct picture *picture)
{
  char place[WORDS_MAX];
  if (picture->best == NODE_NONE)
    return;
  place_words(picture->arena->cols, picture->best, place);
  fprintf(out, "best move: to %s\n", place);
}

/* A clause that fits no more into a terminal of so many columns begins a line. */
static void print_clauses(FILE *out, uint32_t columns, const char *const clauses[])
{
  size_t at = 0;
  for (size_t i = 0; clauses[i]; i++) {
    size_t length = strlen(clauses[i]);
    bool fits = columns == 0 || at + 1 + length <= columns;
    fprintf(out, "%s%s", i == 0 ? "" : fits ? " " : "\n", clauses[i]);
    at = i > 0 && fits ? at + 1 + length : length;
  }
  fputc('\n', out);
}

static void print_legend(FILE *out, const struct picture *picture, bool has_plies, uint32_t columns)
{
  bool grid = picture->arena->game == GAME_GRID;
  const char *who = player_name((enum cm_player)picture->who);
  const char *turn = player_name((enum cm_player)picture->state.turn);
  char stood[WORDS_MAX], moves[WORDS_MAX];
  snprintf(stood, sizeof stood, "if the %s stood there,", who);
  snprintf(moves, sizeof moves, "the %s to move:", turn);
  const char *cat = has_plies || !grid ? "c the cat," : "c the cat";
  const char *nobody = has_plies ? "= nobody," : "= nobody";
  fputc('\n', out);
  print_clauses(out, columns,
                (const char *const[]){"M mouse, C cat,",
                                      grid        ? has_plies ? "F food, # wall;" : "F food, # wall"
                                      : has_plies ? "H hole;"
                                                  : "H hole",
                                      has_plies ? "* best move" : NULL, NULL});
  print_clauses(out, columns,
                (const char *const[]){stood, moves, "m the mouse wins,", cat,
                                      !grid       ? nobody
                                      : has_plies ? "in so many plies"
                                                  : NULL,
                                      !grid && has_plies ? "in so many plies" : NULL, NULL});
}

int draw_text(FILE *out, const struct picture *picture, bool colour, uint32_t columns)
{
  bool grid = picture->arena->game == GAME_GRID;
  uint32_t width = grid ? grid_width(picture, columns) : 0;
  char verdict[WORDS_MAX], places[3 * WORDS_MAX];
  if (grid && columns > 0 && picture->arena->cols > columns)
    return -E2BIG;
  picture_verdict(picture, verdict);
  picture_places(picture, places);
  fprintf(out, "%s\n%s\n\n", verdict, places);
  if (grid)
    print_grid(out, picture, colour, width);
  else
    print_graph(out, picture, colour);
  print_legend(out, picture, width != 1, columns);
  if (width == 1)
    print_best(out, picture);
  return 0;
}
