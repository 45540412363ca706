/* The puzzle that a command is about: one that is given, by text or by id, or the one this user solved last. */
#ifndef CATMOUSE_CLIENT_SUBJECT_H
#define CATMOUSE_CLIENT_SUBJECT_H

#include <stdio.h>

#include "client/commands/task.h"
#include "client/last.h"

struct subject {
  struct cm_which which;
  bool is_last;                     /* neither text nor id was given: `last` says what it is */
  struct last last;                 /* of the user's last puzzle, or of the text that was given */
  bool knows_start;                 /* `last.start` is the puzzle's */
  char solved_id[CM_ID_DIGITS + 1]; /* of a text, once it was solved */
};

/*
 * The puzzle in the command's argument, by --id, from standard input where `may_be_input`, or the last. The daemon is
 * not asked. 0 or an exit status.
 */
int subject_read(struct task *task, bool may_be_input, struct subject *subject);

/*
 * The same; where `by_id`, or where progress is to be seen, a text is solved by the daemon first and then goes by its
 * id.
 */
int subject_find(struct task *task, bool by_id, struct subject *subject);

/* The state that --state says, else the puzzle's own start. 0 or an exit status. */
int subject_state(struct task *task, const struct subject *subject, struct cm_state *state);

/*
 * task_answered(), which also says which puzzle was the last, and notes a text as the last from now on. `id` is the
 * answer's.
 */
bool subject_answered(struct task *task, struct subject *subject, int result, const char *id,
                      int *status);

/* What the client said when a call about the puzzle returned `result`, as the command's failure; its exit status. */
int subject_failed(struct task *task, const struct subject *subject, int result);

/* Says which puzzle was the last, where the command is about that. */
void subject_tell(const struct subject *subject, FILE *to);

/*
 * Notes that the puzzle is the user's last from now on, and what it is called; `verdict` of its start is NULL where it is
 * not known. A state folder that cannot be written is no failure.
 */
void subject_note(const struct cm_puzzle *puzzle, const char *name, const char *id,
                  const struct cm_verdict *verdict);

#endif
