/*
 * What the daemon asks of the system beyond C11, POSIX and libuv (and flock(), which all have). system_linux.c is the
 * one file that answers; a port writes another.
 */
#ifndef CATMOUSE_DAEMON_PEERS_SYSTEM_H
#define CATMOUSE_DAEMON_PEERS_SYSTEM_H

#include <sys/types.h>

/* Who made the other end of a connected Unix socket. */
struct peer_process {
  pid_t id;
  uid_t user;
};

/* 0 or a negative errno. */
int peer_process_find(int socket, struct peer_process *process);

#endif
