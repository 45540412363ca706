/* One command under way: what its run function is given, and what all of them do alike. */
#ifndef CATMOUSE_CLIENT_COMMANDS_TASK_H
#define CATMOUSE_CLIENT_COMMANDS_TASK_H

#include "client/command_line.h"
#include "client/failure.h"
#include "client/last.h"
#include "client/progress.h"
#include "client/show.h"

struct task {
  const struct command *command;
  const struct options *options; /* shared ones */
  const void *own;               /* the command's own values */
  const char *const *arguments;
  int arguments_count;
  bool after_dashes;               /* the arguments stand behind -- */
  struct cm_client *client;        /* NULL for NEEDS_NO_CLIENT; Ctrl-C cancels its calls */
  struct progress_line progress;   /* told of solves by `client` */
  struct style style;              /* for what is shown on stdout */
  struct cm_puzzle *puzzle;        /* what puzzle_input_take() read, else NULL; owned */
  char puzzle_name[LAST_NAME_MAX]; /* of `puzzle` */
};

/* Runs what was written on the command line. The exit status; a failure has been said. */
int task_run(const struct command_line *line);

/*
 * The command's failure: `sentence`, behind the daemon's `name` for it where that is not NULL, then `details` as they
 * are, or NULL. On stderr or, with --json, as one object {"error": ...} on stdout. `status`.
 */
int task_fail(struct task *task, int status, const char *name, const char *sentence,
              const char *details);

/* One sentence, printf style, as the command's failure; EXIT_USAGE. */
int task_misuse(struct task *task, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What the client said when a call returned `result`, as the command's failure; its exit status. */
int task_call_failed(struct task *task, int result);

/*
 * After each call of the client: true when its answer is to be shown to people. Else `*status` is what to
 * return: the call failed, or its answer has been printed as JSON.
 */
bool task_answered(struct task *task, int result, int *status);

/* What Ctrl-C does: it ends the program, while somebody is waited for, or cancels the call of the client under way. */
void task_interrupt_ends(void);
void task_interrupt_cancels(const struct task *task);

#endif
