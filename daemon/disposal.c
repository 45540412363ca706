/* One job for all that was dropped in one round of the loop. Without memory for it, the loop does the work. */
#include "daemon/disposal.h"

#include <stdlib.h>

struct disposal {
  struct job job;
  struct link dropped;
};

static void disposal_run(struct job *job)
{
  solved_free_all(&container_of(job, struct disposal, job)->dropped);
}

/* A pool that goes hands jobs back that never ran. */
static void disposal_done(struct job *job)
{
  struct disposal *disposal = container_of(job, struct disposal, job);
  solved_free_all(&disposal->dropped);
  free(disposal);
}

void disposal_start(struct server *server)
{
  struct disposal *disposal = calloc(1, sizeof *disposal);
  if (!disposal) {
    solved_free_all(&server->cache.dropped);
    return;
  }
  disposal->job.run = disposal_run;
  disposal->job.done = disposal_done;
  cache_take_dropped(&server->cache, &disposal->dropped);
  workers_submit(server->helpers, &disposal->job);
}
