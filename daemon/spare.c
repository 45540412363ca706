/* Giving back takes milliseconds where it is much, so the helper does it. */
#include "daemon/spare.h"

#include "daemon/server.h"
#include "solver/solve.h"

static void spare_run(struct job *job)
{
  (void)job;
  solve_trim_memory();
}

static void spare_done(struct job *job)
{
  container_of(job, struct spare, job)->going = false;
}

void spare_init(struct server *server)
{
  server->spare = (struct spare){.job = {.run = spare_run, .done = spare_done}};
}

bool spare_look(struct server *server)
{
  struct spare *spare = &server->spare;
  uint64_t now_ms = uv_now(&server->loop);
  if (server->ended || solve_kept_bytes() == 0)
    return false;
  if (spare->going || now_ms - spare->begun_ms < server->config.limits.keep_ms)
    return true;
  spare->begun_ms = now_ms;
  spare->going = true;
  workers_submit(server->helpers, &spare->job);
  return true;
}
