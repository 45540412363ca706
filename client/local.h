/* A puzzle solved in this process, for commands that need its whole table. */
#ifndef CATMOUSE_CLIENT_LOCAL_H
#define CATMOUSE_CLIENT_LOCAL_H

#include "client/subject.h"
#include "proto/errors.h"
#include "solver/arena.h"
#include "solver/table.h"

struct local {
  struct subject subject; /* unless local_read() read it */
  struct arena *arena;    /* NULL where only the daemon knows the puzzle as yet */
  struct table *table;    /* NULL until local_solve() */
};

/*
 * The puzzle in the file, checked, and in task->puzzle; "-" is standard input. 0, or an exit status; local_deinit()
 * either way.
 */
int local_read(struct task *task, const char *path, struct local *local);

/* The command's puzzle (subject_read()), checked where its text is at hand. Else as local_read(). */
int local_find(struct task *task, bool may_be_input, struct local *local);

/*
 * Solves what local_find() found; where only the daemon knows the puzzle, it is asked for it first. `state` is what
 * --state says, checked, or the puzzle's start. 0 or an exit status.
 */
int local_solve(struct task *task, struct local *local, struct state *state);

void local_deinit(struct local *local);

/* Says why as the daemon would; EXIT_REFUSED. */
int local_refused(struct task *task, enum error error, const char *text);

/* What --limit says, or the game's own; 0 is none. */
uint32_t local_limit(const struct task *task, const struct arena *arena);

#endif
