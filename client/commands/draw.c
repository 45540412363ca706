/* A picture of a state: who would win if a player stood elsewhere, and the best move. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/draw/draw.h"
#include "client/local.h"

enum format { FORMAT_TEXT, FORMAT_SVG, FORMAT_DOT, FORMAT_HTML };

enum { HTML_NODES_MOST = 2000 };

static const char *const format_names[] = {[FORMAT_TEXT] = "text",
                                           [FORMAT_SVG] = "svg",
                                           [FORMAT_DOT] = "dot",
                                           [FORMAT_HTML] = "html",
                                           NULL};
/* Whose places are coloured. */
enum whose { WHOSE_MOVER, WHOSE_MOUSE, WHOSE_CAT };

static const char *const whose_names[] = {
    [WHOSE_MOVER] = "mover", [WHOSE_MOUSE] = "mouse", [WHOSE_CAT] = "cat", NULL};

struct draw_options {
  int format; /* enum format */
  int whose;  /* enum whose */
  const char *output;
};

static const struct option_kind own_options[] = {
    {.name = "for",
     .argument = "WHO",
     .take = take_choice,
     .field = offsetof(struct draw_options, whose),
     .choices = whose_names,
     .meaning = "colour where the mouse, the cat or the mover might stand; mover without it"},
    {.name = "format",
     .argument = "FORMAT",
     .take = take_choice,
     .field = offsetof(struct draw_options, format),
     .choices = format_names,
     .meaning = "text, svg, dot or html; text without it"},
    {.name = "output",
     .letter = 'o',
     .argument = "PATH",
     .take = take_text,
     .field = offsetof(struct draw_options, output),
     .meaning = "write to a file"},
    {0}};

static int draw_to(struct task *task, const struct picture *picture, FILE *out)
{
  const struct draw_options *own = task->own;
  struct layout layout;
  if (own->format == FORMAT_TEXT) {
    uint32_t columns = own->output ? 0 : task->style.columns;
    if (draw_text(out, picture, !own->output && task->style.colour, columns) < 0)
      return task_misuse(task, "the grid has %u columns, but the terminal only %u",
                         picture->arena->cols, columns);
    return 0;
  }
  if (own->format == FORMAT_DOT) {
    if (picture->arena->game == GAME_GRID)
      return task_misuse(task, "dot is for graphs; a grid is drawn as text or svg");
    draw_dot(out, picture);
    return 0;
  }
  if (own->format == FORMAT_HTML && picture->arena->nodes > HTML_NODES_MOST)
    return task_misuse(task, "html holds the table of at most %d nodes, and the puzzle has %u",
                       HTML_NODES_MOST, picture->arena->nodes);
  int status = layout_init(picture->arena, &layout);
  if (status)
    return status;
  if (own->format == FORMAT_SVG)
    draw_svg(out, picture, &layout);
  else if (draw_html(out, picture, &layout) < 0)
    status = task_misuse(task, "out of memory for the page");
  layout_deinit(&layout);
  return status;
}

static int write_file(struct task *task, const char *path, const char *bytes, size_t length)
{
  FILE *file = fopen(path, "w");
  if (!file)
    return task_misuse(task, "cannot open %s: %s", path, strerror(errno));
  bool written = fwrite(bytes, 1, length, file) == length;
  if (fclose(file) == 0 && written)
    return EXIT_ANSWERED;
  return task_misuse(task, "cannot write %s: %s", path, strerror(errno));
}

/* Nothing is written before all of it is there: what fails leaves an older picture alone. */
static int draw(struct task *task, const struct picture *picture)
{
  const struct draw_options *own = task->own;
  char *bytes = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&bytes, &length);
  if (!out)
    return task_misuse(task, "out of memory for the picture");
  int status = draw_to(task, picture, out);
  bool complete = !ferror(out);
  if ((fclose(out) != 0 || !complete) && status == 0)
    status = task_misuse(task, "out of memory for the picture");
  else if (status == 0 && own->output)
    status = write_file(task, own->output, bytes, length);
  else if (status == 0)
    fwrite(bytes, 1, length, stdout);
  free(bytes);
  return status;
}

static int run(struct task *task)
{
  const struct draw_options *own = task->own;
  struct local local;
  struct state state;
  struct picture picture;
  int status = local_find(task, true, &local);
  if (status == 0)
    status = local_solve(task, &local, &state);
  if (status == 0) {
    subject_tell(&local.subject, own->format == FORMAT_TEXT && !own->output ? stdout : stderr);
    enum player who = own->whose == WHOSE_MOVER   ? state.turn
                      : own->whose == WHOSE_MOUSE ? PLAYER_MOUSE
                                                  : PLAYER_CAT;
    uint32_t limit = local_limit(task, local.arena);
    status = picture_init(&picture, local.arena, local.table, &state, who, limit) < 0
                 ? task_misuse(task, "out of memory for the picture")
                 : draw(task, &picture);
  }
  local_deinit(&local);
  return status;
}

const struct command command_draw = {
    .name = "draw",
    .arguments = "[FILE|-]",
    .arguments_max = 1,
    .meaning = "draw a puzzle, coloured by who wins where",
    .details = "Colours each place by who wins if the player to move stood there, the other "
               "staying where it\n"
               "is, with the plies to the end and the best move. Graphs are laid out by Graphviz's "
               "neato or\n"
               "sfdp for svg and html.",
    .example = "$ cmclient draw examples/puzzles/grid-leetcode.txt\n"
               "The mouse wins in 5 plies.\n"
               "mouse at 2:0, cat at 1:1, the mouse to move\n"
               "\n"
               "   ##   ##   ##   ## F m0\n"
               "   ## C c0   m3   m3   m1\n"
               " M m5   m5  m3*   m3   m1\n"
               "\n"
               "M mouse, C cat, F food, # wall; * best move\n"
               "if the mouse stood there, the mouse to move: m the mouse wins, c the cat, in so "
               "many plies\n",
    .needs = NEEDS_DAEMON,
    .shared = OPTION(STATE) | OPTION(START) | OPTION(ID) | OPTION(LIMIT) | OPTION(COLOUR),
    .own = own_options,
    .own_bytes = sizeof(struct draw_options),
    .run = run,
};
