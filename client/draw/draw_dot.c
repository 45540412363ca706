/* Dot text: https://graphviz.org/doc/info/lang.html */
#include "client/draw/draw.h"

static void print_node(FILE *out, const struct picture *picture, uint32_t node)
{
  static const char *const fills[] = {
      [OUTCOME_MOUSE] = "fillcolor=\"#0b5fa5\", fontcolor=white",
      [OUTCOME_CAT] = "fillcolor=\"#f2b24c\"",
      [OUTCOME_DRAW] = "fillcolor=white",
  };
  char plies[WORDS_MAX] = "";
  const char *fill = "fillcolor=\"#bbbbbb\"";
  if (picture_open(picture, node)) {
    struct answer_value value = picture_value(picture, node);
    picture_plies(value, plies);
    fill = fills[value.outcome];
  }
  fprintf(out, "  %u [label=\"%u\\n%s\", %s", node, node, plies, fill);
  if (node == picture->state.mouse)
    fputs(", xlabel=mouse, penwidth=4", out);
  if (node == picture->state.cat)
    fputs(", xlabel=cat, penwidth=4", out);
  if (node_in(picture->arena->home[PLAYER_MOUSE], node))
    fputs(", shape=doublecircle", out);
  fputs("];\n", out);
}

void draw_dot(FILE *out, const struct picture *picture)
{
  const struct arena *arena = picture->arena;
  const struct moves *moves = &arena->moves[PLAYER_MOUSE];
  const struct state *state = &picture->state;
  uint32_t mover = state->turn == PLAYER_MOUSE ? state->mouse : state->cat;
  char verdict[WORDS_MAX], places[3 * WORDS_MAX];
  picture_verdict(picture, verdict);
  picture_places(picture, places);
  fprintf(out,
          "graph catmouse {\n  label=\"%s\\n%s\\nEach node: who wins if the %s stood there, the %s "
          "to move, and in how many plies\";\n  layout=%s; overlap=false; start=1;\n"
          "  node [shape=circle, style=filled, width=0.6, fixedsize=true];\n",
          verdict, places, player_name((enum cm_player)picture->who),
          player_name((enum cm_player)state->turn), arena->nodes < 300 ? "neato" : "sfdp");
  for (uint32_t node = 0; node < arena->nodes; node++)
    print_node(out, picture, node);
  for (uint32_t node = 0; node < arena->nodes; node++) {
    for (uint32_t i = moves->begin[node]; i < moves->end[node]; i++) {
      uint32_t to = moves->to[i];
      if (to < node)
        continue;
      if (picture->best != NODE_NONE && node == mover && to == picture->best)
        fprintf(out, "  %u -- %u [dir=forward, penwidth=4];\n", node, to);
      else if (picture->best != NODE_NONE && to == mover && node == picture->best)
        fprintf(out, "  %u -- %u [dir=back, penwidth=4];\n", node, to);
      else
        fprintf(out, "  %u -- %u;\n", node, to);
    }
  }
  fputs("}\n", out);
}
