/* The store without the daemon: this thread keeps so many puzzles under way, as a connection would. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "bench/measure.h"
#include "bench/random.h"
#include "bench/solver/families.h"
#include "bench/store/measures.h"
#include "daemon/store/store.h"
#include "solver/packed.h"

enum { UNDER_WAY_MAX = 256, LOOKUPS = 10000 };

struct bench {
  struct store *store;
  int woken;
  unsigned under_way;
  struct store_request requests[UNDER_WAY_MAX];
};

struct made {
  uint8_t *packed;
  size_t length;
  struct id id;
};

static void wake(void *context)
{
  eventfd_write(((struct bench *)context)->woken, 1);
}

/* A puzzle that takes long is kept later (-EAGAIN). */
static void on_done(struct store_request *request)
{
  if (request->result < 0 && request->result != -EAGAIN)
    die("the store fails: %s", strerror(-request->result));
}

static void start(struct bench *bench, const char *folder)
{
  static const struct log log = {.level = LOG_WARNING};
  const struct store_options options = {
      .folder = folder,
      .bytes_max = 1 << 30,
      .puzzles_max = 1000000,
      .log = &log,
      .wake = wake,
      .context = bench,
  };
  bench->woken = eventfd(0, EFD_CLOEXEC);
  if (bench->woken < 0 || store_open(&options, &bench->store) < 0)
    die("cannot open a store in %s", folder);
}

/* What the daemon's loop does once. */
static void wait_once(struct bench *bench)
{
  eventfd_t count;
  uint64_t now_ms = wall_ns() / 1000000, due_ms = store_tend(bench->store, now_ms);
  struct pollfd woken = {.fd = bench->woken, .events = POLLIN};
  if (poll(&woken, 1, due_ms == UINT64_MAX ? -1 : (int)(due_ms - now_ms)) > 0)
    eventfd_read(bench->woken, &count);
  store_collect(bench->store);
}

static void stop(struct bench *bench)
{
  store_drain(bench->store);
  while (!store_is_idle(bench->store))
    wait_once(bench);
  store_close(bench->store);
  close(bench->woken);
}

static struct made make(uint64_t seed)
{
  struct specimen specimen;
  struct arena *arena;
  struct complaint complaint = {.text = "out of memory"};
  family_make(&families[0], NODES, seed, &specimen);
  if (arena_new(&specimen.puzzle, &arena, &complaint) < 0)
    die("a puzzle is refused: %s", complaint.text);
  struct made made = {.length = arena_packed_bytes(arena)};
  made.packed = need_memory(1, made.length);
  arena_id(arena, &made.id);
  arena_pack(arena, made.packed);
  arena_free(arena);
  specimen_deinit(&specimen);
  return made;
}

static void keep(struct bench *bench, struct store_request *request, const struct made *made)
{
  *request = (struct store_request){.done = on_done};
  int result =
      store_keep(bench->store, request, made->packed, made->length, &made->id, NODES, GAME_GRAPH);
  if (result < 0 && result != -EAGAIN)
    die("the store refuses a puzzle: %s", strerror(-result));
}

/* Keeps them with so many under way, until all are on disk. Returns how many a second. */
static double stream(struct bench *bench, const struct made *made, unsigned count,
                     unsigned under_way)
{
  struct store_numbers numbers;
  uint64_t begin_ns = wall_ns();
  for (unsigned i = 0; i < count + under_way; i++) {
    struct store_request *request = &bench->requests[i % under_way];
    while (request->job)
      wait_once(bench);
    if (i < count)
      keep(bench, request, &made[i]);
  }
  for (store_status(bench->store, &numbers); numbers.unkept > 0;
       store_status(bench->store, &numbers))
    wait_once(bench);
  return count * 1e9 / (double)(wall_ns() - begin_ns);
}

static double stream_more(struct bench *bench, const struct plan *plan, unsigned first,
                          unsigned count, unsigned under_way, struct id ids[2])
{
  struct made *made = need_memory(count, sizeof *made);
  for (unsigned i = 0; i < count; i++)
    made[i] = make(plan->seed + first + i);
  ids[0] = made[0].id;
  ids[1] = made[count - 1].id;
  double rate = stream(bench, made, count, under_way);
  free(made);
  return rate;
}

static void find(struct bench *bench, const struct id *id)
{
  struct store_request request = {.done = on_done};
  char digits[ID_TEXT + 1];
  id_format(id, digits);
  if (store_find(bench->store, &request, digits) < 0)
    die("the store refuses to look");
  while (request.job)
    wait_once(bench);
  if (request.count != 1)
    die("a puzzle is not found");
  arena_free(request.arena);
}

/* Microseconds for one that nobody has looked for before. */
static double lookup_us(struct bench *bench, const struct plan *plan)
{
  struct random random = {plan->seed};
  uint64_t spent_ns = 0;
  for (unsigned i = 0; i < LOOKUPS; i++) {
    struct made made = make(plan->seed + random_below(&random, plan->puzzles));
    uint64_t begin_ns = wall_ns();
    find(bench, &made.id);
    spent_ns += wall_ns() - begin_ns;
    free(made.packed);
  }
  return (double)spent_ns / LOOKUPS / 1e3;
}

void measure_alone(const struct plan *plan, const char *folder, struct id ids[2])
{
  static struct bench bench;
  unsigned most = plan->puzzles - 3 * STREAM;
  struct id unused[2];
  start(&bench, folder);
  figure(plan, "kept, 64 at once, into an empty store",
         stream_more(&bench, plan, 0, STREAM, 64, ids), "/s");
  stream_more(&bench, plan, STREAM, most, 256, unused);
  figure(plan, "kept, 64 at once, into a full store",
         stream_more(&bench, plan, STREAM + most, STREAM, 64, unused), "/s");
  figure(plan, "kept, 256 at once, into a full store",
         stream_more(&bench, plan, 2 * STREAM + most, STREAM, 256, unused), "/s");
  ids[1] = unused[1];
  figure(plan, "one looked up by its id", lookup_us(&bench, plan), "us");
  uint64_t begin_ns = wall_ns();
  stop(&bench);
  figure(plan, "drained and closed", (double)(wall_ns() - begin_ns) / 1e6, "ms");
  double before_mb = resident_mb(getpid());
  begin_ns = wall_ns();
  start(&bench, folder);
  find(&bench, &ids[0]);
  figure(plan, "opened, and one found", (double)(wall_ns() - begin_ns) / 1e6, "ms");
  for (unsigned i = 0; i < 2000; i++) {
    struct made made = make(plan->seed + i * 7);
    find(&bench, &made.id);
    free(made.packed);
  }
  figure(plan, "memory for it, after 2,000 were found", resident_mb(getpid()) - before_mb, "MB");
  stop(&bench);
}
