/* What the editor may have run: the daemon's answers as JSON. */
#ifndef CATMOUSE_LSP_COMMANDS_H
#define CATMOUSE_LSP_COMMANDS_H

#include <jansson.h>

/* A list of all commands' names. */
json_t *command_names(void);

#endif
