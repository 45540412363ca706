/*
 * What the editor may have run. Each takes one map: `uri` with `puzzle` (its number in the file) or `position` (the
 * first puzzle without), or `text`; `state` {mouse, cat, turn}, the puzzle's start without; `limit`, `max`. Each
 * returns the daemon's answer as JSON.
 */
#ifndef CATMOUSE_LSP_COMMANDS_H
#define CATMOUSE_LSP_COMMANDS_H

#include <jansson.h>

/* A list of all commands' names. */
json_t *command_names(void);

#endif
