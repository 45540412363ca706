/* States as they are written on the command line. */
#ifndef CATMOUSE_CLIENT_STATE_TEXT_H
#define CATMOUSE_CLIENT_STATE_TEXT_H

#include "client/cmclient.h"

/* Of a grid; all zeroes where the puzzle is a graph or its size is not known. */
struct grid_size {
  uint32_t rows;
  uint32_t cols;
};

/* Does it hold a place as row:col? Then state_parse() needs the grid's size. */
bool state_needs_grid(const char *text);

/*
 * M,C,T with nodes or, in a grid, row:col; T is 0, mouse, 1 or cat; spaces may stand between. 0, or an exit
 * status with the sentence on stderr.
 */
int state_parse(const char *text, struct grid_size grid, struct cm_state *state);

#endif
