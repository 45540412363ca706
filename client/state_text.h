/* States as they are written on the command line. */
#ifndef CATMOUSE_CLIENT_STATE_TEXT_H
#define CATMOUSE_CLIENT_STATE_TEXT_H

#include "client/cmclient.h"

/*
 * M,C,T with nodes or, in a grid, row:col; T is 0, mouse, 1 or cat; spaces may stand between. 0, or an exit
 * status with the sentence on stderr.
 */
int state_parse(const char *text, struct cm_state *state);

#endif
