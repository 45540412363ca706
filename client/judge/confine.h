/* Keeping a program from writing files, by Landlock, which needs no rights. */
#ifndef CATMOUSE_CLIENT_JUDGE_CONFINE_H
#define CATMOUSE_CLIENT_JUDGE_CONFINE_H

#include <stdbool.h>

/* Does this system have it? */
bool confine_works(void);

/*
 * From now on this process and what it starts make and change no files but in `folder`, and the devices that programs
 * need. Safe after fork(). Does nothing where the system cannot.
 */
void confine_to(const char *folder);

#endif
