/* Every command, in the order that help lists them. */
#ifndef CATMOUSE_CLIENT_COMMANDS_COMMANDS_H
#define CATMOUSE_CLIENT_COMMANDS_COMMANDS_H

#include "client/commands/command.h"

/* X(name): `struct command command_NAME` is defined in NAME.c. */
#define COMMANDS(X) \
  X(solve)          \
  X(query)          \
  X(line)           \
  X(explain)        \
  X(check)          \
  X(draw)           \
  X(play)           \
  X(stats)          \
  X(verify)         \
  X(batch)          \
  X(judge)          \
  X(merge)          \
  X(list)           \
  X(evict)          \
  X(clear)          \
  X(status)         \
  X(ping)           \
  X(stop)           \
  X(sockname)       \
  X(lsp)            \
  X(completion)

#define X(name) extern const struct command command_##name;
COMMANDS(X)
#undef X

/* All of them, ended by NULL. */
extern const struct command *const commands[];

/* NULL where none is called so. */
const struct command *command_find(const char *name);

#endif
