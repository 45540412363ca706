/* A puzzle that somebody types at a terminal. */
#ifndef CATMOUSE_CLIENT_PROMPT_H
#define CATMOUSE_CLIENT_PROMPT_H

#include "client/file_text.h"

struct task;

/*
 * Says what is awaited and reads lines until they hold a whole puzzle, an empty line follows something, or input ends.
 * 0 or an exit status.
 */
int prompt_read(struct task *task, struct file_text *bytes);

#endif
