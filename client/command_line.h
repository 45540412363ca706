/* The command line as it was written: which command, the options that commands share, its own, its arguments. */
#ifndef CATMOUSE_CLIENT_COMMAND_LINE_H
#define CATMOUSE_CLIENT_COMMAND_LINE_H

#include <stdbool.h>

#include "client/commands/command.h"

struct command_line {
  const struct command *command;
  struct options options;
  void *own;              /* the command's own values, `command->own_bytes` of them; owned */
  const char **arguments; /* owned; the texts are argv's */
  int arguments_count;
  bool after_dashes; /* they stand behind --, all of them */
  bool json_seen;    /* --json stands somewhere, and misuse is told in JSON */
};

/*
 * Reads the command line; the caller ends it with command_line_deinit(). Prints and exits where that is
 * all there is to do: help, version, misuse.
 */
void command_line_parse(int argc, char **argv, struct command_line *line);
void command_line_deinit(struct command_line *line);

#endif
