/* What each command of cmclient does. */
#ifndef CATMOUSE_CLIENT_COMMANDS_H
#define CATMOUSE_CLIENT_COMMANDS_H

#include "client/options.h"
#include "client/progress.h"

/*
 * Asks and shows. `puzzle` is NULL where none was given; `progress` is what the client tells of solves.
 * The exit status; what went wrong is on stderr by then.
 */
int command_run(struct cm_client *client, const struct options *options,
                const struct cm_puzzle *puzzle, struct progress_line *progress);

#endif
