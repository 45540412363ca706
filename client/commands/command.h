/*
 * A command of cmclient: a row that names it, its options and its function. Each has a file of its own in
 * this folder and its row in commands.h; parsing, help, manual pages and completion are made from these.
 */
#ifndef CATMOUSE_CLIENT_COMMANDS_COMMAND_H
#define CATMOUSE_CLIENT_COMMANDS_COMMAND_H

#include <limits.h>
#include <stddef.h>

#include "client/options.h"

enum command_needs {
  NEEDS_NO_CLIENT, /* task->client is NULL; --socket and its like are refused */
  NEEDS_CLIENT,    /* asks a daemon that runs, and starts none */
  NEEDS_DAEMON,    /* starts one where none runs */
};

struct task; /* client/commands/task.h */

struct command {
  const char *name;
  const char *arguments; /* as help shows them: "[FILE|-]", "ID...", "" */
  int arguments_min;
  int arguments_max;   /* INT_MAX for any number */
  const char *meaning; /* one line, no capital, no full stop */
  const char *details; /* whole sentences for its own help and manual page, or NULL */
  const char *example; /* "$ cmclient ..." and what it prints, from the project's folder; or NULL */
  enum command_needs needs;
  unsigned shared;               /* set of OPTION(...); those of every command come by themselves */
  const struct option_kind *own; /* its own options, ended by one without a name; or NULL */
  size_t own_bytes;              /* size of the struct that their fields lie in, zeroed at first */

  /* The exit status. What went wrong is on stderr by then; what is printed on stdout is flushed by the caller. */
  int (*run)(struct task *task);
};

/* The shared options that the command takes, those of every command included. */
unsigned command_shared_options(const struct command *command);

#endif
