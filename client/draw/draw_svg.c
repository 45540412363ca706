/*
 * Drawn in layers: edges, places with their plies, the best move, the players, the legend. The mouse's colour is
 * dark with light figures and the cat's light with dark ones, so that they differ in grey too; blue and orange
 * differ for every kind of colour-blindness (Okabe and Ito, 2008).
 */
#include "client/draw/draw.h"

#include <math.h>

enum { LEGEND_HEIGHT = 88, TITLE_HEIGHT = 76, WIDTH_LEAST = 440 };

static const char *class_of(const struct picture *picture, uint32_t node)
{
  static const char *const classes[] = {
      [OUTCOME_MOUSE] = "mouse", [OUTCOME_CAT] = "cat", [OUTCOME_DRAW] = "draw"};
  return picture_open(picture, node) ? classes[picture_value(picture, node).outcome] : "wall";
}

static void print_style(FILE *out)
{
  fputs(
      "<style>\n"
      "text{font-family:system-ui,sans-serif;text-anchor:middle;fill:#1a1a1a}\n"
      ".back{fill:#fff}.edge{stroke:#8a8a8a;stroke-width:1.5}\n"
      ".place{stroke:#444;stroke-width:1}\n"
      ".mouse{fill:#0b5fa5}.cat{fill:#f2b24c}.draw{fill:#fff}.wall{fill:#777}\n"
      ".mouse+text,.mouse+text+text{fill:#fff}.cat+text,.cat+text+text{fill:#1a1a1a}\n"
      ".plies{font-size:15px;font-weight:600}.number{font-size:10.5px}\n"
      ".left{text-anchor:start;font-size:13px}.title{font-size:17px;font-weight:600}\n"
      ".best{stroke:#b3007a;stroke-width:4.5;fill:none}.head{fill:#b3007a;stroke:#fff}\n"
      ".best .rim{stroke:#fff;stroke-width:8}\n"
      ".badge{stroke:#fff;stroke-width:2}.badge.m{fill:#063a66}.badge.c{fill:#8a4b00}\n"
      "text.letter{fill:#fff;font-size:12px;font-weight:700}\n"
      "@media(prefers-color-scheme:dark){\n"
      ".back{fill:#16181d}text{fill:#e8e8e8}.place{stroke:#9a9a9a}.draw{fill:#2b2f37}\n"
      ".wall{fill:#4a4d55}.best{stroke:#ff8ad8}.best .rim{stroke:#16181d}\n"
      ".head{fill:#ff8ad8;stroke:#16181d}.edge{stroke:#777}}\n"
      "</style>\n"
      "<defs><marker id=\"head\" viewBox=\"0 0 10 10\" refX=\"8\" refY=\"5\" markerWidth=\"3.4\" "
      "markerHeight=\"3.4\" orient=\"auto\"><path class=\"head\" d=\"M0 0L10 5L0 10z\"/></marker>\n"
      "<pattern id=\"hatch\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" "
      "patternTransform=\"rotate(45)\"><path d=\"M0 0V7\" stroke=\"#0006\" "
      "stroke-width=\"5\"/></pattern></defs>\n",
      out);
}

static void print_edges(FILE *out, const struct picture *picture, const struct layout *layout)
{
  const struct arena *arena = picture->arena;
  const struct moves *moves = &arena->moves[PLAYER_MOUSE];
  if (arena->game == GAME_GRID)
    return;
  for (uint32_t node = 0; node < arena->nodes; node++) {
    for (uint32_t i = moves->begin[node]; i < moves->end[node]; i++) {
      const struct point *from = &layout->nodes[node], *to = &layout->nodes[moves->to[i]];
      if (moves->to[i] > node)
        fprintf(out, "<line class=\"edge\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                from->x, from->y, to->x, to->y);
    }
  }
}

static void print_cell(FILE *out, const struct picture *picture, const struct point *at,
                       uint32_t node, const char *plies)
{
  const char *kind = class_of(picture, node);
  double left = at->x - CELL_SIDE / 2.0, top = at->y - CELL_SIDE / 2.0;
  fprintf(out, "<rect class=\"place %s\" x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\"/>\n",
          kind, left, top, CELL_SIDE, CELL_SIDE);
  if (!picture_open(picture, node))
    fprintf(out, "<rect fill=\"url(#hatch)\" x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\"/>\n",
            left, top, CELL_SIDE, CELL_SIDE);
  else
    fprintf(out, "<text class=\"plies\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", at->x, at->y + 6,
            plies);
  if (node_in(picture->arena->home[PLAYER_MOUSE], node))
    fprintf(out, "<text class=\"number\" x=\"%.1f\" y=\"%.1f\">food</text>\n", at->x, at->y + 18);
}

/* How moves name cells: rows and columns from 0, beside the first of each. */
static void print_coordinates(FILE *out, const struct picture *picture, const struct layout *layout)
{
  const struct arena *arena = picture->arena;
  const struct point *first = &layout->nodes[0];
  const double aside = CELL_SIDE / 2.0 + 11;
  for (uint32_t row = 0; row < arena->rows; row++)
    fprintf(out, "<text class=\"number\" x=\"%.1f\" y=\"%.1f\">%u</text>\n", first->x - aside,
            layout->nodes[row * arena->cols].y + 4, row);
  for (uint32_t col = 0; col < arena->cols; col++)
    fprintf(out, "<text class=\"number\" x=\"%.1f\" y=\"%.1f\">%u</text>\n", layout->nodes[col].x,
            first->y - aside + 4, col);
}

static void print_node(FILE *out, const struct picture *picture, const struct point *at,
                       uint32_t node, const char *plies)
{
  if (node_in(picture->arena->home[PLAYER_MOUSE], node))
    fprintf(out, "<circle class=\"place draw\" cx=\"%.1f\" cy=\"%.1f\" r=\"%d\"/>\n", at->x, at->y,
            NODE_RADIUS + 4);
  fprintf(out, "<circle class=\"place %s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%d\"/>\n",
          class_of(picture, node), at->x, at->y, NODE_RADIUS);
  fprintf(out, "<text class=\"plies\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", at->x, at->y + 3, plies);
  fprintf(out, "<text class=\"number\" x=\"%.1f\" y=\"%.1f\">%u</text>\n", at->x, at->y + 13, node);
  if (node_in(picture->arena->home[PLAYER_MOUSE], node))
    fprintf(out, "<text class=\"number\" x=\"%.1f\" y=\"%.1f\">hole</text>\n", at->x,
            at->y + NODE_RADIUS + 15);
}

static void print_places(FILE *out, const struct picture *picture, const struct layout *layout)
{
  for (uint32_t node = 0; node < picture->arena->nodes; node++) {
    char plies[WORDS_MAX] = "";
    if (picture_open(picture, node))
      picture_plies(picture_value(picture, node), plies);
    if (picture->arena->game == GAME_GRID)
      print_cell(out, picture, &layout->nodes[node], node, plies);
    else
      print_node(out, picture, &layout->nodes[node], node, plies);
  }
}

/* With a rim in the colour of the background, which tells it from any place below; the head has its own. */
static void print_arrow(FILE *out, struct point from, struct point to)
{
  fprintf(out,
          "<g class=\"best\"><line class=\"rim\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>"
          "<line marker-end=\"url(#head)\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/></g>\n",
          from.x, from.y, (from.x + to.x) / 2, (from.y + to.y) / 2, from.x, from.y, to.x, to.y);
}

/* From the rim of a place to the rim of the other; around the place where the best is to stay. */
static void print_best(FILE *out, const struct picture *picture, const struct layout *layout)
{
  const struct state *state = &picture->state;
  if (picture->best == NODE_NONE)
    return;
  const struct point *from =
      &layout->nodes[state->turn == PLAYER_MOUSE ? state->mouse : state->cat];
  const struct point *to = &layout->nodes[picture->best];
  double length = hypot(to->x - from->x, to->y - from->y);
  if (length < 1) {
    fprintf(out,
            "<g class=\"best\"><circle class=\"rim\" cx=\"%.1f\" cy=\"%.1f\" r=\"%d\"/>"
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%d\"/></g>\n",
            from->x, from->y, NODE_RADIUS - 1, from->x, from->y, NODE_RADIUS - 1);
    return;
  }
  double x = (to->x - from->x) / length, y = (to->y - from->y) / length;
  double short_of = length > 3 * NODE_RADIUS ? NODE_RADIUS + 3 : length / 4;
  print_arrow(out, (struct point){from->x + x * short_of, from->y + y * short_of},
              (struct point){to->x - x * short_of, to->y - y * short_of});
}

/* At the left of its place, or at the right where the best move goes left. */
static void print_badge(FILE *out, const struct picture *picture, const struct layout *layout,
                        enum player player)
{
  const struct state *state = &picture->state;
  const bool moves = picture->best != NODE_NONE && player == state->turn;
  const struct point *at = &layout->nodes[player == PLAYER_MOUSE ? state->mouse : state->cat];
  const bool right = moves ? layout->nodes[picture->best].x < at->x
                           : state->mouse == state->cat && player == PLAYER_CAT;
  const double aside = right ? 15 : -15;
  const char letter = player == PLAYER_MOUSE ? 'M' : 'C';
  fprintf(out,
          "<circle class=\"badge %c\" cx=\"%.1f\" cy=\"%.1f\" r=\"10\"/>"
          "<text class=\"letter\" x=\"%.1f\" y=\"%.1f\">%c</text>\n",
          letter == 'M' ? 'm' : 'c', at->x + aside, at->y - 17, at->x + aside, at->y - 13, letter);
}

static void print_legend(FILE *out, const struct picture *picture, double top)
{
  bool grid = picture->arena->game == GAME_GRID;
  const struct {
    const char *kind, *words;
    double x, y;
  } rows[] = {
      {"mouse", "the mouse wins, in so many plies", 20, top},
      {"cat", grid ? "the cat wins; - as the game has no end" : "the cat wins", 20, top + 24},
      {"draw", grid ? NULL : "= nobody can force a win", 20, top + 48},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (rows[i].words)
      fprintf(out,
              "<rect class=\"place %s\" x=\"%.0f\" y=\"%.0f\" width=\"18\" height=\"18\"/>"
              "<g><text class=\"left\" x=\"%.0f\" y=\"%.0f\">%s</text></g>\n",
              rows[i].kind, rows[i].x, rows[i].y, rows[i].x + 26, rows[i].y + 14, rows[i].words);
  }
  print_arrow(out, (struct point){302, top + 9}, (struct point){326, top + 9});
  fprintf(out, "<g><text class=\"left\" x=\"334\" y=\"%.0f\">the best move</text></g>\n", top + 14);
  if (!grid)
    fprintf(out, "<text class=\"left\" x=\"302\" y=\"%.0f\">small: the node</text>\n", top + 38);
}

static void print_title(FILE *out, const struct picture *picture)
{
  char verdict[WORDS_MAX], places[3 * WORDS_MAX];
  picture_verdict(picture, verdict);
  picture_places(picture, places);
  fprintf(out, "<title>%s</title>\n<desc>%s</desc>\n", verdict, places);
  print_style(out);
  fprintf(out,
          "<rect class=\"back\" width=\"100%%\" height=\"100%%\"/>\n"
          "<text class=\"left title\" x=\"20\" y=\"28\">%s</text>\n"
          "<text class=\"left\" x=\"20\" y=\"48\">%s</text>\n"
          "<text class=\"left\" x=\"20\" y=\"66\">Who wins if the %s stood there, the %s "
          "to move</text>\n",
          verdict, places, player_name((enum cm_player)picture->who),
          player_name((enum cm_player)picture->state.turn));
}

void draw_svg(FILE *out, const struct picture *picture, const struct layout *layout)
{
  double width = layout->width > WIDTH_LEAST ? layout->width : WIDTH_LEAST;
  double height = layout->height + TITLE_HEIGHT + LEGEND_HEIGHT;
  fprintf(out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" "
          "height=\"%.0f\" role=\"img\">\n",
          width, height, width, height);
  print_title(out, picture);
  fprintf(out, "<g transform=\"translate(%.0f %d)\">\n", (width - layout->width) / 2, TITLE_HEIGHT);
  print_edges(out, picture, layout);
  if (picture->arena->game == GAME_GRID)
    print_coordinates(out, picture, layout);
  print_places(out, picture, layout);
  print_best(out, picture, layout);
  print_badge(out, picture, layout, PLAYER_MOUSE);
  print_badge(out, picture, layout, PLAYER_CAT);
  fputs("</g>\n", out);
  print_legend(out, picture, layout->height + TITLE_HEIGHT);
  fputs("</svg>\n", out);
}
