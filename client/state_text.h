/* States as they are written on the command line. */
#ifndef CATMOUSE_CLIENT_STATE_TEXT_H
#define CATMOUSE_CLIENT_STATE_TEXT_H

#include "client/cmclient.h"

enum { STATE_WHY_MAX = 160 };

/*
 * Where the mouse is, where the cat is, whose turn it is: 1,2,mouse or 1 2 m or (1,2,0) or m=1,c=2,t=cat, in any case.
 * Places are nodes or, for both players of a grid, row:column, 2:0 or r2c0. 0, or -EINVAL with the sentence in `why`.
 */
int state_parse(const char *text, struct cm_state *state, char why[static STATE_WHY_MAX]);

#endif
