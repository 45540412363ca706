/* Memory that solves and tables have left for the next solve goes where none needs it in time. The loop's thread. */
#ifndef CATMOUSE_DAEMON_SPARE_H
#define CATMOUSE_DAEMON_SPARE_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/workers.h"

struct server;

struct spare {
  struct job job;
  bool going;        /* the job is in the pool */
  uint64_t begun_ms; /* when the time began in which it may be needed, by the loop's clock */
};

void spare_init(struct server *server);

/* Has what was not needed given back, once it is time. Is there any left to come back for? */
bool spare_look(struct server *server);

#endif
