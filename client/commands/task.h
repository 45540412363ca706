/* One command under way: what its run function is given, and what all of them do alike. */
#ifndef CATMOUSE_CLIENT_COMMANDS_TASK_H
#define CATMOUSE_CLIENT_COMMANDS_TASK_H

#include "client/commands/command.h"
#include "client/failure.h"
#include "client/progress.h"
#include "client/show.h"

struct task {
  const struct command *command;
  const struct options *options; /* shared ones */
  const void *own;               /* the command's own values */
  const char *const *arguments;
  int arguments_count;
  struct cm_client *client;      /* NULL for NEEDS_NO_CLIENT; Ctrl-C cancels its calls */
  struct progress_line progress; /* told of solves by `client` */
  struct style style;            /* for what is shown on stdout */
  struct cm_puzzle *puzzle;      /* what task_read_puzzle() read, else NULL; owned */
};

/* Runs what was written on the command line. The exit status; a failure has been said. */
int task_run(const struct command_line *line);

/* One sentence, printf style, as the command's failure; EXIT_USAGE. */
int task_misuse(struct task *task, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What the client said when a call returned `result`, as the command's failure; its exit status. */
int task_call_failed(struct task *task, int result);

/*
 * After each call of the client: true when its answer is to be shown to people. Else `*status` is what to
 * return: the call failed, or its answer has been printed as JSON.
 */
bool task_answered(struct task *task, int result, int *status);

/* Reads task->puzzle from `path`, or from standard input where that is NULL or "-". 0 or an exit status. */
int task_read_puzzle(struct task *task, const char *path);

/* A puzzle that a command is about. */
struct subject {
  struct cm_which which;
  char solved_id[CM_ID_DIGITS + 1]; /* of task->puzzle, once it was solved */
};

/*
 * What the command is about: the puzzle in its only argument, --id, or the puzzle last solved. Where `by_id`, or
 * where progress is to be seen, a puzzle that was given is solved first and then goes by its id. 0 or an exit status.
 */
int task_find_subject(struct task *task, bool by_id, struct subject *subject);

#endif
