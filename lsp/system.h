/*
 * What the language server asks of the system beyond C11, POSIX and libuv. system_linux.c is the one file that answers;
 * a port writes another.
 */
#ifndef CATMOUSE_LSP_SYSTEM_H
#define CATMOUSE_LSP_SYSTEM_H

#include <sys/types.h>

/* A descriptor that is readable once a process has ended, or a negative errno. */
int process_descriptor(pid_t process);

#endif
