/*
 * What is much goes to the helper in one job. Without memory for that, and when the daemon ends, the loop does
 * the work.
 */
#include "daemon/disposal.h"

#include <stdlib.h>

/* What takes longer to give back than to hand to somebody else. */
enum { MUCH_BYTES = 256 << 10, MANY = 32 };

struct disposal {
  struct job job;
  struct link dropped; /* of the cache */
  struct link spent;   /* of the solves */
  struct arena *arena;
  struct buffer buffer;
};

static void give_back(struct disposal *disposal)
{
  solved_free_all(&disposal->dropped);
  solves_free_spent(&disposal->spent);
  arena_free(disposal->arena);
  disposal->arena = NULL;
  buffer_deinit(&disposal->buffer);
}

static void disposal_run(struct job *job)
{
  give_back(container_of(job, struct disposal, job));
}

/* A pool that goes hands jobs back that never ran. */
static void disposal_done(struct job *job)
{
  struct disposal *disposal = container_of(job, struct disposal, job);
  give_back(disposal);
  free(disposal);
}

/* One for the helper where that pays and can be had, else `here`. */
static struct disposal *begin(struct server *server, bool is_much, struct disposal *here)
{
  struct disposal *disposal = is_much && !server->ended ? malloc(sizeof *disposal) : NULL;
  if (!disposal)
    disposal = here;
  *disposal = (struct disposal){.job = {.run = disposal_run, .done = disposal_done}};
  list_init(&disposal->dropped);
  list_init(&disposal->spent);
  return disposal;
}

static void end(struct server *server, struct disposal *disposal, struct disposal *here)
{
  if (disposal == here)
    give_back(here);
  else
    workers_submit(server->helpers, &disposal->job);
}

void disposal_of_round(struct server *server)
{
  const struct cache *cache = &server->cache;
  const struct solves *solves = &server->solves;
  struct disposal here;
  bool is_much = cache->dropped_bytes + solves->spent_bytes >= MUCH_BYTES ||
                 cache->dropped_count + solves->spent_count >= MANY;
  if (list_empty(&cache->dropped) && list_empty(&solves->spent))
    return;
  struct disposal *disposal = begin(server, is_much, &here);
  cache_take_dropped(&server->cache, &disposal->dropped);
  solves_take_spent(&server->solves, &disposal->spent);
  end(server, disposal, &here);
}

void disposal_of_incoming(struct server *server, struct incoming *incoming)
{
  const struct arena *arena = incoming->arena;
  struct disposal here;
  struct disposal *disposal = begin(server, arena && arena->bytes >= MUCH_BYTES, &here);
  disposal->arena = incoming->arena;
  incoming->arena = NULL;
  incoming_deinit(incoming);
  end(server, disposal, &here);
}

void disposal_of_buffer(struct server *server, struct buffer *buffer)
{
  struct disposal here;
  struct disposal *disposal = begin(server, buffer->capacity >= MUCH_BYTES, &here);
  disposal->buffer = *buffer;
  buffer_init(buffer);
  end(server, disposal, &here);
}
