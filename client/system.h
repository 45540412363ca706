/*
 * What the client asks of the system beyond C11 and POSIX (and flock(), which all have). system_linux.c is the one
 * file that answers; a port writes another.
 */
#ifndef CATMOUSE_CLIENT_SYSTEM_H
#define CATMOUSE_CLIENT_SYSTEM_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

/* The user of the process at the other end of a Unix socket. 0 or a negative errno. */
int peer_user(int socket, uid_t *user);

/* Writes the path of this program, empty where that cannot be told. Returns how long its folder is, without a slash. */
int program_path(char path[static PATH_MAX]);

/* An empty file without a name, closed on exec; its descriptor or a negative errno. */
int memory_file_open(const char *name);

/* A descriptor that is readable once a process has ended, or a negative errno. Safe after fork(). */
int process_open(pid_t process);

/* From now on orphans among the processes below this one become its children. Safe after fork(). */
void orphans_adopt(void);

/* Kills the children of this thread, as far as a page of numbers has them. Safe after fork(). */
void children_kill(void);

/* Can this system keep a program from writing files? Needs no rights. */
bool confine_works(void);

/*
 * From now on this process and what it starts make and change no files but in `folder`, and the devices that programs
 * need. Safe after fork(). Does nothing where the system cannot.
 */
void confine_to(const char *folder);

#endif
