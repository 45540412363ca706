/*
 * One job for all that was dropped in one round of the loop, where that is much. Without memory for it, the loop
 * does the work.
 */
#include "daemon/disposal.h"

#include <stdlib.h>

/* What takes longer to give back than to hand to somebody else. */
enum { MUCH_BYTES = 256 << 10, MANY = 32 };

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
  struct cache *cache = &server->cache;
  struct link dropped;
  bool is_much = cache->dropped_bytes >= MUCH_BYTES || cache->dropped_count >= MANY;
  struct disposal *disposal = is_much ? calloc(1, sizeof *disposal) : NULL;
  if (!disposal) {
    cache_take_dropped(cache, &dropped);
    solved_free_all(&dropped);
    return;
  }
  disposal->job.run = disposal_run;
  disposal->job.done = disposal_done;
  cache_take_dropped(cache, &disposal->dropped);
  workers_submit(server->helpers, &disposal->job);
}
