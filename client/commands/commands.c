#include "client/commands/commands.h"

#include <string.h>

const struct command *const commands[] = {
#define X(name) &command_##name,
    COMMANDS(X)
#undef X
        NULL,
};

const struct command *command_find(const char *name)
{
  for (const struct command *const *command = commands; *command; command++) {
    if (strcmp((*command)->name, name) == 0)
      return *command;
  }
  return NULL;
}

unsigned command_shared_options(const struct command *command)
{
  return command->shared | OPTIONS_OF_ALL |
         (command->needs == NEEDS_NO_CLIENT ? 0 : OPTIONS_OF_CLIENT);
}
