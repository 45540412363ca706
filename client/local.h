/* A puzzle solved in this process, for commands that need its whole table. */
#ifndef CATMOUSE_CLIENT_LOCAL_H
#define CATMOUSE_CLIENT_LOCAL_H

#include "client/commands/task.h"
#include "proto/errors.h"
#include "solver/arena.h"
#include "solver/table.h"

struct local {
  struct arena *arena;
  struct table *table; /* NULL until local_solve() */
};

/*
 * The puzzle in the file, checked, and in task->puzzle; "-" or NULL is standard input. 0, or an exit status; local_deinit()
 * either way.
 */
int local_read(struct task *task, const char *path, struct local *local);

/* The puzzle of the command's first argument, or on standard input, solved as well. */
int local_solve(struct task *task, struct local *local);

void local_deinit(struct local *local);

/* Says why as the daemon would; EXIT_REFUSED. */
int local_refused(enum error error, const char *text);

/* What --state says, checked, or the start of the puzzle. 0 or an exit status. */
int local_state(struct task *task, const struct arena *arena, struct state *state);

/* What --limit says, or the game's own; 0 is none. */
uint32_t local_limit(const struct task *task, const struct arena *arena);

#endif
