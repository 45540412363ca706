/*
 * How a daemon is to run: what the command line says. It must last as long as the process: threads that a disk
 * holds up still read its log when the daemon has gone.
 */
#ifndef CATMOUSE_DAEMON_CONFIG_H
#define CATMOUSE_DAEMON_CONFIG_H

#include "daemon/base/log.h"
#include "daemon/limits.h"

struct config {
  const char *socket; /* NULL for the usual place */
  const char *store;  /* folder, NULL for the usual place */
  bool no_store;
  struct log log;
  uint64_t idle_exit_ms; /* leave after so long without connections, 0 for never */
  uint64_t threads;      /* that solve, 0 for as many as there are processors */
  int ready_fd;          /* -1, or: told "ready" or why not, then closed */
  struct message_limits messages;
  struct daemon_limits limits;
};

#endif
