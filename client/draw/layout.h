/* Where the nodes of a picture lie: cells of a grid in their rows, nodes of a graph where Graphviz puts them. */
#ifndef CATMOUSE_CLIENT_DRAW_LAYOUT_H
#define CATMOUSE_CLIENT_DRAW_LAYOUT_H

#include "solver/arena.h"

struct point {
  double x, y; /* of a node's middle, in pixels from the top left corner */
};

struct layout {
  struct point *nodes; /* owned */
  double width, height;
};

/* Pixels: the side of a cell, and the radius of a node. */
enum { CELL_SIDE = 44, NODE_RADIUS = 19 };

/*
 * 0, and the caller ends it with layout_deinit(). A graph is laid out by the programs neato or, where it is
 * large, sfdp: an exit status, with the sentence on stderr, where these are missing or fail.
 */
int layout_init(const struct arena *arena, struct layout *layout);
void layout_deinit(struct layout *layout);

#endif
