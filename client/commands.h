/* What each command of cmclient does. */
#ifndef CATMOUSE_CLIENT_COMMANDS_H
#define CATMOUSE_CLIENT_COMMANDS_H

#include "client/options.h"

/* The exit status; what went wrong is on stderr by then. */
int command_run(struct cm_client *client, const struct options *options);

#endif
