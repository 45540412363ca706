/* Keeps every core of the daemon solving while it is asked other things. */
#ifndef CATMOUSE_BENCH_DAEMON_BUSY_H
#define CATMOUSE_BENCH_DAEMON_BUSY_H

#include <sys/types.h>

#include "bench/daemon/server.h"

enum { ASKERS_MAX = 64 };

struct busy {
  pid_t askers[ASKERS_MAX];
  unsigned count;
};

/* As many processes as there are cores, and one more, each asking for one large solve after another. */
void busy_start(struct busy *busy, const struct server *server);
void busy_stop(struct busy *busy);

#endif
