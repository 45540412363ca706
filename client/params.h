/* The parameters that typed calls have in common. Private to libcmclient. */
#ifndef CATMOUSE_CLIENT_PARAMS_H
#define CATMOUSE_CLIENT_PARAMS_H

#include "client/client.h"

/* 0, or -EINVAL with its sentence: the call is over. Puzzles are borrowed. */
int params_set_id(struct cm_client *client, struct request *request, const char *id);
void params_set_puzzle(struct request *request, const struct cm_puzzle *puzzle);
int params_set_which(struct cm_client *client, struct request *request,
                     const struct cm_which *which);
int params_set_state(struct cm_client *client, struct request *request,
                     const struct cm_state *state, uint32_t limit_plies);

#endif
