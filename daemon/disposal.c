/*
 * What is much goes to the helper in one job. Without memory for that, and when the daemon ends, the loop does
 * the work. Solves may wait for what tables and solves have held.
 */
#include "daemon/disposal.h"

#include <stdlib.h>

#include "daemon/patience.h"

/* What takes longer to give back than to hand to somebody else. */
enum { MUCH_BYTES = SLIGHT_BYTES, MANY = 32 };

struct disposal {
  struct job job;
  struct server *server;
  uint64_t budgeted_bytes; /* of the two lists */
  struct link dropped;     /* of the cache */
  struct link spent;       /* of the solves */
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

static void tell_solves(const struct disposal *disposal)
{
  struct solves *solves = &disposal->server->solves;
  if (disposal->budgeted_bytes == 0)
    return;
  budget_left(&solves->budget, disposal->budgeted_bytes);
  solves_start_waiting(solves);
}

static void disposal_run(struct job *job)
{
  give_back(container_of(job, struct disposal, job));
}

/* A pool that goes hands jobs back that never ran. What is kept of their memory is looked at by and by. */
static void disposal_done(struct job *job)
{
  struct disposal *disposal = container_of(job, struct disposal, job);
  give_back(disposal);
  tell_solves(disposal);
  if (!disposal->server->ended)
    patience_begin(disposal->server);
  free(disposal);
}

/* One for the helper where that pays and can be had, else `here`. */
static struct disposal *begin(struct server *server, bool is_much, struct disposal *here)
{
  struct disposal *disposal = is_much && !server->ended ? malloc(sizeof *disposal) : NULL;
  if (!disposal)
    disposal = here;
  *disposal =
      (struct disposal){.job = {.run = disposal_run, .done = disposal_done}, .server = server};
  list_init(&disposal->dropped);
  list_init(&disposal->spent);
  return disposal;
}

static void end(struct disposal *disposal, struct disposal *here)
{
  if (disposal == here) {
    give_back(here);
    tell_solves(here);
  } else {
    workers_submit(disposal->server->helpers, &disposal->job);
  }
}

void disposal_of_round(struct server *server)
{
  const struct cache *cache = &server->cache;
  struct solves *solves = &server->solves;
  struct disposal here;
  uint64_t bytes = cache->dropped_bytes + solves->spent_bytes;
  bool is_much = bytes >= MUCH_BYTES || cache->dropped_count + solves->spent_count >= MANY;
  if (list_empty(&cache->dropped) && list_empty(&solves->spent))
    return;
  struct disposal *disposal = begin(server, is_much, &here);
  disposal->budgeted_bytes = bytes;
  budget_leave(&solves->budget, cache->dropped_bytes);
  cache_take_dropped(&server->cache, &disposal->dropped);
  solves_take_spent(solves, &disposal->spent);
  end(disposal, &here);
}

void disposal_of_incoming(struct server *server, struct incoming *incoming)
{
  const struct arena *arena = incoming->arena;
  struct disposal here;
  struct disposal *disposal = begin(server, arena && arena->bytes >= MUCH_BYTES, &here);
  disposal->arena = incoming->arena;
  incoming->arena = NULL;
  incoming_deinit(incoming);
  end(disposal, &here);
}

void disposal_of_buffer(struct server *server, struct buffer *buffer)
{
  struct disposal here;
  struct disposal *disposal = begin(server, buffer->capacity >= MUCH_BYTES, &here);
  disposal->buffer = *buffer;
  buffer_init(buffer);
  end(disposal, &here);
}
