/* Redis: GET of values as large as our answers. */
#ifndef CATMOUSE_BENCH_DAEMON_REDIS_H
#define CATMOUSE_BENCH_DAEMON_REDIS_H

#include "bench/daemon/script.h"
#include "bench/daemon/server.h"

/* Stores one value for each answer of `ours`, as "value:0", "value:1"..., and writes the GETs. */
void redis_script(const struct server *server, const struct script *ours, struct script *script);

#endif
