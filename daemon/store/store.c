/*
 * The loop's side: makes jobs of requests, hands them to the threads, and ends the requests of jobs that
 * are done or take too long. A job whose request has ended is done nevertheless.
 *
 * Jobs for the writer wait in `todo` until it has time for its next turn, which takes up to GROUP_MAX of
 * them. A turn that fails puts them back, until it is time to try again. On a full disk they are tried one
 * by one, so that a large puzzle keeps no small one from the space that is left.
 */
#include "daemon/store/store.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "daemon/store/disk.h"

enum {
  GROUP_MAX = 1024,
  STREAM_MIN = 8,
  GATHER_MS = 1,
  ARRIVALS_MAX = 1024,
  IDLE_MS = 100,
  HANG_TOLD_MS = 1000, /* after answers wait no longer */
  TIME_MS_MAX = 1 << 30,
  RETRY_MS_MIN = 20,
  CLOSE_S = 1
};

enum waiting { KEEPS, CHANGES, READS, WAITING };

struct store {
  struct store_options options;
  struct folder folder;
  struct workers *writer, *reader; /* of one thread each */
  struct database writes, reads;   /* theirs */
  struct turn turn;                /* the writer's while it `runs` */
  struct link todo;
  unsigned group_max; /* jobs of the next turn */
  unsigned arrivals;  /* puzzles written since a turn tidied; ARRIVALS_MAX: one is to tidy */
  struct link waiting[WAITING]; /* jobs whose requests wait */
  struct store_numbers numbers;
  uint64_t unkept_bytes;
  struct log_rate given_up;
  uint64_t booted_s;  /* since 1970; read once, so that a clock that jumps changes nothing */
  uint64_t began_ms;  /* the turn */
  uint64_t begins_ms; /* the next one, at the earliest */
  int failing;        /* a negative errno from a failure until all is well again, else 0 */
  uint64_t failures;  /* turns that failed one after the other */
  bool runs;
  bool hangs; /* it takes too long */
  bool draining;
};

static uint64_t clock_ms(clockid_t clock)
{
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static const char *reason(int result)
{
  switch (result) {
  case -EPERM: return "it must be a folder of this user with mode 0700";
  case -EEXIST: return "its puzzles.db is of another version, and has to be moved away";
  case -EROFS: return "it is read-only";
  default: return strerrordesc_np(-result);
  }
}

static struct store_job *new_job(struct store *store, enum job_kind kind, const struct id *id)
{
  struct store_job *job = store ? calloc(1, sizeof *job) : NULL;
  if (!job)
    return NULL;
  job->store = store;
  job->kind = kind;
  job->since_ms = clock_ms(CLOCK_MONOTONIC);
  if (id)
    job->low = *id;
  return job;
}

static void free_thing(void *thing)
{
  struct store_job *job = thing;
  free(job->packed);
  arena_free(job->reply.arena);
  free(job->reply.rows);
  free(job);
}

static void free_job(struct store_job *job)
{
  free_later(job->store->reader, free_thing, job, job->length);
}

/* Ends the request of a job, if it still has one. What came of it goes with it. */
static void end(struct store_job *job, int result)
{
  struct store_request *request = job->request, reply = {0};
  store_cancel(request);
  if (!request)
    return;
  if (result == 0) {
    reply = job->reply;
    job->reply = (struct store_request){0};
  }
  reply.done = request->done;
  reply.result = result;
  *request = reply;
  request->done(request);
}

/* The job whose request waits for longest, or NULL. */
static struct store_job *first(const struct store *store, enum waiting kind)
{
  struct link *link = store->waiting[kind].next;
  return link == &store->waiting[kind] ? NULL : container_of(link, struct store_job, waiting);
}

static void end_all(struct store *store, enum waiting kind, int result)
{
  for (struct store_job *job; (job = first(store, kind));)
    end(job, result);
}

/* The log says once that it fails. */
static void tell_fault(struct store *store, const char *error)
{
  if (store->numbers.condition != STORE_CONDITION_FAILING)
    log_line(store->options.log, LOG_WARNING,
             "%s cannot be written, so solved puzzles are kept in memory only: %s",
             store->folder.path, error);
  store->numbers.condition = STORE_CONDITION_FAILING;
  store->numbers.error = error;
}

static void recover(struct store *store)
{
  if (store->numbers.condition == STORE_CONDITION_FAILING)
    log_line(store->options.log, LOG_INFO, "%s can be written again", store->folder.path);
  store->numbers.condition = STORE_CONDITION_ON;
  store->numbers.error = "";
  store->failing = 0;
}

/* Has all that waits been tried in vain? Then only time can help. */
static bool is_stuck(const struct store *store)
{
  return store->failing && (store->failing != -ENOSPC || store->failures > store->numbers.unkept);
}

static void fail(struct store *store, int result)
{
  if (result != -ENOSPC || store->group_max > 1)
    list_move_all(&store->todo, &store->turn.jobs); /* the older ones first */
  list_move_all(&store->turn.jobs, &store->todo);
  if (result == -ENOSPC)
    store->group_max = 1;
  tell_fault(store, reason(result));
  if (result != -EBUSY || store->options.wait_ms > 0) { /* else the disk works, and answers wait */
    store->failing = result;
    store->failures++;
    end_all(store, KEEPS, -EAGAIN);
    end_all(store, CHANGES, result);
  }
  if (!store->draining || is_stuck(store))
    store->begins_ms = clock_ms(CLOCK_MONOTONIC) + store->options.retry_ms;
}

static void on_written(struct job *pool_job)
{
  struct store *store = container_of(pool_job, struct store, turn.job);
  struct store_numbers *numbers = &store->numbers;
  struct turn *turn = &store->turn;
  unsigned count = 0;
  store->runs = store->hangs = false;
  if (turn->result < 0) {
    fail(store, turn->result);
    return;
  }
  if (turn->tidies) {
    numbers->puzzles = turn->totals[0];
    numbers->bytes = turn->totals[1];
    store->arrivals = 0;
  }
  store->failures = 0;
  store->group_max = store->group_max < GROUP_MAX / 2 ? 2 * store->group_max : GROUP_MAX;
  for (struct link *link; (link = list_pop(&turn->jobs)); count++) {
    struct store_job *job = container_of(link, struct store_job, link);
    numbers->unkept -= job->kind == JOB_KEEP;
    store->arrivals += !turn->tidies && job->kind == JOB_KEEP;
    store->unkept_bytes -= job->length;
    end(job, 0);
    free_job(job);
  }
  if (store->group_max == GROUP_MAX || numbers->unkept == 0)
    recover(store);
  store->begins_ms = count >= STREAM_MIN ? clock_ms(CLOCK_MONOTONIC) + GATHER_MS : 0;
}

static void begin_turn(struct store *store)
{
  struct turn *turn = &store->turn;
  turn->job = (struct job){.run = disk_write, .done = on_written};
  turn->database = &store->writes;
  turn->options = &store->options;
  turn->now_s = store->booted_s + clock_ms(CLOCK_BOOTTIME) / 1000;
  turn->tidies = store->draining || turn->removed || store->arrivals >= ARRIVALS_MAX ||
                 list_empty(&store->todo);
  turn->empties = store->draining;
  turn->result = 0;
  for (unsigned i = 0; i < store->group_max && !list_empty(&store->todo); i++) {
    struct store_job *job = container_of(list_pop(&store->todo), struct store_job, link);
    turn->tidies |= job->kind > JOB_TOUCH;
    list_append(&turn->jobs, &job->link);
  }
  store->began_ms = clock_ms(CLOCK_MONOTONIC);
  store->runs = true;
  workers_submit(store->writer, &turn->job);
}

static bool has_work(const struct store *store)
{
  return store->failing || store->turn.removed || store->arrivals >= ARRIVALS_MAX ||
         !list_empty(&store->todo) || (store->draining && !store->turn.empties);
}

/* When the next turn is to begin: what has arrived is moved when nothing else has come for a while. */
static uint64_t next_turn_ms(const struct store *store)
{
  if (has_work(store))
    return store->begins_ms;
  return store->arrivals > 0 ? store->began_ms + IDLE_MS : UINT64_MAX;
}

/* True once `due_ms` has passed. Else lowers `*next_ms` to it. */
static bool is_due(uint64_t due_ms, uint64_t now_ms, uint64_t *next_ms)
{
  if (due_ms > now_ms && due_ms < *next_ms)
    *next_ms = due_ms;
  return due_ms <= now_ms;
}

/* Ends requests that have waited for too long; those that keep a puzzle only where a turn takes so long. */
static void end_overdue(struct store *store, enum waiting kind, uint64_t now_ms, uint64_t *next_ms)
{
  const uint64_t wait_ms = kind == KEEPS ? store->options.wait_ms : STORE_ANSWER_WAIT_MS;
  if (wait_ms == 0)
    return;
  for (struct store_job *job; (job = first(store, kind));) {
    uint64_t since_ms =
        kind == KEEPS && job->since_ms < store->began_ms ? store->began_ms : job->since_ms;
    if (!is_due(since_ms + wait_ms, now_ms, next_ms))
      break;
    store->hangs |= kind == KEEPS;
    end(job, kind == KEEPS ? -EAGAIN : -ETIMEDOUT);
  }
}

uint64_t store_tend(struct store *store, uint64_t now_ms)
{
  uint64_t next_ms = UINT64_MAX;
  if (!store)
    return next_ms;
  store_collect(store); /* what is done is not overdue */
  if (!store->runs && is_due(next_turn_ms(store), now_ms, &next_ms))
    begin_turn(store);
  for (int kind = 0; kind < WAITING; kind++)
    end_overdue(store, kind, now_ms, &next_ms);
  const uint64_t told_ms = store->began_ms + store->options.wait_ms + HANG_TOLD_MS;
  if (store->runs && is_due(told_ms, now_ms, &next_ms)) {
    store->hangs = true;
    tell_fault(store, "the disk does not answer");
  }
  return next_ms;
}

int store_open(const struct store_options *options, struct store **opened)
{
  struct store *store = calloc(1, sizeof *store);
  if (!store)
    return -ENOMEM;
  store->options = *options;
  store->options.wait_ms = options->wait_ms < TIME_MS_MAX ? options->wait_ms : TIME_MS_MAX;
  store->options.retry_ms = options->retry_ms < TIME_MS_MAX ? options->retry_ms : TIME_MS_MAX;
  if (options->retry_ms < RETRY_MS_MIN)
    store->options.retry_ms = RETRY_MS_MIN;
  store->group_max = GROUP_MAX;
  store->arrivals = ARRIVALS_MAX;
  store->folder.log = options->log;
  store->folder.damaged_max = options->bytes_max;
  store->writes.folder = store->reads.folder = &store->folder;
  store->booted_s = (uint64_t)time(NULL) - clock_ms(CLOCK_BOOTTIME) / 1000;
  store->numbers = (struct store_numbers){STORE_CONDITION_OPENING, store->folder.path, .error = ""};
  list_init(&store->todo);
  list_init(&store->turn.jobs);
  for (int kind = 0; kind < WAITING; kind++)
    list_init(&store->waiting[kind]);
  int result = folder_find(options->folder, store->folder.path);
  if (result == 0)
    result = workers_new("store-writer", 1, false, options->wake, options->context, &store->writer);
  if (result == 0)
    result = workers_new("store-reader", 1, false, options->wake, options->context, &store->reader);
  if (result < 0) {
    if (store->writer)
      workers_free(store->writer);
    free(store);
    return result;
  }
  begin_turn(store);
  *opened = store;
  return 0;
}

void store_close(struct store *store)
{
  if (!store)
    return;
  for (int kind = 0; kind < WAITING; kind++)
    end_all(store, kind, -ECANCELED);
  bool writer_ended = workers_free_within(store->writer, CLOSE_S);
  if (!workers_free_within(store->reader, CLOSE_S) || !writer_ended) {
    log_line(store->options.log, LOG_WARNING, "%s does not answer: it is left as it is",
             store->folder.path);
    return;
  }
  store->reader = NULL; /* what is freed now is freed at once */
  for (struct link *link; (link = list_pop(&store->todo));)
    free_job(container_of(link, struct store_job, link));
  database_close(&store->writes);
  database_close(&store->reads);
  free(store);
}

void store_collect(struct store *store)
{
  if (!store)
    return;
  workers_collect(store->writer);
  workers_collect(store->reader);
}

void store_cancel(struct store_request *request)
{
  if (!request || !request->job)
    return;
  list_remove(&request->job->waiting);
  atomic_store(&request->job->job.stop, true);
  request->job->request = NULL;
  request->job = NULL;
}

void store_touch(struct store *store, const struct id *id)
{
  bool works = store && !store->failing && !store->hangs; /* else it is not worth the memory */
  struct store_job *job = works ? new_job(store, JOB_TOUCH, id) : NULL;
  if (job)
    list_append(&store->todo, &job->link);
}

static void on_read(struct job *pool_job)
{
  struct store_job *job = container_of(pool_job, struct store_job, job);
  if (job->reply.arena)
    store_touch(job->store, &job->reply.id);
  end(job, job->reply.result);
  free_job(job);
}

/* Makes a request wait for its job. The job is NULL where there is no store or memory for it. */
static int ask(struct store *store, struct store_request *request, struct store_job *job,
               enum waiting kind)
{
  if (!job)
    return store ? -ENOMEM : -ENOENT;
  if (kind == CHANGES && store->failing) {
    free_job(job);
    return store->failing;
  }
  job->job = (struct job){.run = disk_read, .done = on_read};
  job->database = &store->reads;
  if (kind == READS)
    workers_submit(store->reader, &job->job);
  else
    list_append(&store->todo, &job->link);
  if (kind == KEEPS && (store->failing || (store->hangs && store->options.wait_ms > 0)))
    return -EAGAIN;
  request->job = job;
  job->request = request;
  list_append(&store->waiting[kind], &job->waiting);
  return 0;
}

int store_keep(struct store *store, struct store_request *request, uint8_t *packed, size_t length,
               const struct id *id, uint32_t nodes, enum game game)
{
  bool is_bad = store && (store->failing || store->hangs);
  bool full = store && (length > store->options.bytes_max ||
                        (is_bad && store->numbers.unkept > 0 &&
                         (store->numbers.unkept >= STORE_UNKEPT_MAX ||
                          store->unkept_bytes + length > STORE_UNKEPT_BYTES_MAX)));
  struct store_job *job = full ? NULL : new_job(store, JOB_KEEP, id);
  if (full)
    log_seldom(
        store->options.log, &store->given_up, clock_ms(CLOCK_MONOTONIC),
        "a puzzle is not kept: too much waits for the disk, or it is larger than --store-max");
  if (!job) {
    free(packed);
    return full ? -ENOSPC : ask(store, request, NULL, KEEPS);
  }
  job->packed = packed;
  job->length = length;
  job->nodes = nodes;
  job->game = game;
  store->numbers.unkept++;
  store->unkept_bytes += length;
  return ask(store, request, job, KEEPS);
}

int store_forget(struct store *store, struct store_request *request, const struct id *id)
{
  return ask(store, request, new_job(store, JOB_FORGET, id), CHANGES);
}

int store_clear(struct store *store, struct store_request *request)
{
  return ask(store, request, new_job(store, JOB_CLEAR, NULL), CHANGES);
}

int store_list(struct store *store, struct store_request *request, uint32_t rows_max)
{
  struct store_job *job = new_job(store, JOB_LIST, NULL);
  if (job)
    job->rows_max = rows_max;
  return ask(store, request, job, READS);
}

/* Looks for puzzles that wait to be written, and copies the first. -ENOMEM. */
static int find_unkept(const struct store *store, struct store_job *find)
{
  const struct link *const lists[] = {&store->turn.jobs, &store->todo};
  for (int i = 0; i < 2; i++)
    for (const struct link *at = lists[i]->next; at != lists[i]; at = at->next) {
      const struct store_job *job = container_of(at, struct store_job, link);
      const struct id *id = &job->low;
      if (job->kind != JOB_KEEP || memcmp(id, &find->low, sizeof *id) < 0 ||
          memcmp(id, &find->high, sizeof *id) > 0 ||
          (find->unkept > 0 && memcmp(id, &find->reply.id, sizeof *id) == 0))
        continue;
      if (find->unkept++ > 0)
        return 0;
      if (!(find->packed = malloc(job->length)))
        return -ENOMEM;
      memcpy(find->packed, job->packed, job->length);
      find->length = job->length;
      find->reply.id = *id;
    }
  return 0;
}

int store_find(struct store *store, struct store_request *request, const char *digits)
{
  size_t count = strlen(digits);
  assert(count >= ID_PREFIX_MIN && count <= ID_TEXT && strspn(digits, "0123456789abcdef") == count);
  struct store_job *job = new_job(store, JOB_FIND, NULL);
  if (!job)
    return ask(store, request, NULL, READS);
  memset(&job->high, 0xff, sizeof job->high);
  for (size_t i = 0; i < count; i++) {
    unsigned digit = (unsigned)(digits[i] <= '9' ? digits[i] - '0' : digits[i] - 'a' + 10);
    unsigned shift = i % 2 == 0 ? 4 : 0;
    job->low.bytes[i / 2] |= (uint8_t)(digit << shift);
    job->high.bytes[i / 2] ^= (uint8_t)((15 - digit) << shift);
  }
  if (find_unkept(store, job) == 0)
    return ask(store, request, job, READS);
  free_job(job);
  return -ENOMEM;
}

void store_status(const struct store *store, struct store_numbers *numbers)
{
  *numbers = store ? store->numbers : (struct store_numbers){.folder = "", .error = ""};
  numbers->damaged = store ? store->folder.damaged : 0;
}

void store_drain(struct store *store)
{
  if (!store)
    return;
  store->draining = true;
  store->failures = 0;
  store->begins_ms = 0;
  store_tend(store, clock_ms(CLOCK_MONOTONIC));
}

bool store_is_idle(const struct store *store)
{
  return !store || (!store->runs && (is_stuck(store) || !has_work(store)));
}
