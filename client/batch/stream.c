/*
 * The caller's thread cuts the stream; the others answer the chunks. Whoever finishes the chunk that is next to come out
 * writes it, and those behind it that are done.
 *
 * A chunk that was interrupted does not count: what is out is always whole chunks, of which a checkpoint can be made.
 */
#include "client/batch/stream.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "client/batch/cutter.h"

enum {
  CHUNKS_A_THREAD = 4,
  CHUNK_BYTES = 64 << 10,
  CHUNK_BYTES_ALL_ROLES = 512, /* of which each record has thousands of answers */
  IN_FLIGHT_BYTES = 2 * RECORD_BYTES_MAX,
  TICK_MS = 200,
};

/* A place for a chunk. */
struct slot {
  struct chunk chunk;
  bool done; /* answered, and not out yet */
};

struct run {
  const struct stream_options *options;
  struct answering how; /* as the options say, with a stop of ours */
  struct stream *stream;
  struct slot *slots; /* a ring of `count` */
  uint32_t count;
  struct cutter cutter; /* of the caller's thread alone */

  /* Numbers of chunks from the first on, under `lock`: made, taken by a thread, out. */
  pthread_mutex_t lock;
  pthread_cond_t changed;
  uint64_t made, taken, out;
  size_t bytes_in_flight;
  bool writing, no_more;
  int error;
  atomic_bool stop;
};

struct worker {
  struct run *run;
  struct answerer answerer;
};

static struct slot *slot_at(const struct run *run, uint64_t number)
{
  return &run->slots[number % run->count];
}

static int write_all(const struct buffer *out)
{
  for (size_t written = 0; written < out->length;) {
    ssize_t now = write(STDOUT_FILENO, out->data + written, out->length - written);
    if (now < 0 && errno != EINTR)
      return -errno;
    written += now > 0 ? (size_t)now : 0;
  }
  return 0;
}

/* With the lock held. What the chunk says becomes part of what is done. */
static void count_chunk(struct run *run, struct chunk *chunk)
{
  struct stream *stream = run->stream;
  int error = tally_add(&stream->tally, &chunk->tally);
  if (error && !run->error)
    run->error = error;
  if (!stream->bad[0])
    memcpy(stream->bad, chunk->bad, sizeof stream->bad);
  stream->bytes_out += chunk->out.length;
  stream->bytes_read = chunk->position;
  stream->checksum = chunk->checksum;
  stream->stopped |= chunk->is_last;
  if (run->options->on_tick && !stream->stopped)
    run->options->on_tick(run->options->context, stream);
}

static void stop(struct run *run)
{
  atomic_store(&run->stop, true);
  run->stream->stopped = true;
  pthread_cond_broadcast(&run->changed);
}

/* With the lock held, which is let go while writing. */
static void write_chunk(struct run *run, struct chunk *chunk)
{
  bool counts = !run->stream->stopped && !run->error && !chunk->abandoned && !chunk->error;
  if (chunk->error && !run->error && !run->stream->stopped) {
    run->error = chunk->error;
    memcpy(run->stream->why, chunk->why, sizeof chunk->why);
  }
  if (counts) {
    pthread_mutex_unlock(&run->lock);
    int error = write_all(&chunk->out);
    pthread_mutex_lock(&run->lock);
    if (error)
      run->error = error;
    else
      count_chunk(run, chunk);
  } else {
    run->stream->stopped = true;
  }
  if (run->error || chunk->is_last || !counts)
    stop(run);
}

/* With the lock held. Chunks come out in order, by one thread at a time. */
static void write_done(struct run *run)
{
  if (run->writing)
    return;
  run->writing = true;
  while (run->out < run->taken && slot_at(run, run->out)->done) {
    struct slot *slot = slot_at(run, run->out);
    write_chunk(run, &slot->chunk);
    run->bytes_in_flight -= slot->chunk.text.length;
    chunk_clear(&slot->chunk);
    slot->done = false;
    run->out++;
    pthread_cond_broadcast(&run->changed);
  }
  run->writing = false;
}

/* With the lock held. NULL at the end. */
static struct slot *take_slot(struct run *run)
{
  while (run->taken == run->made && !run->no_more)
    pthread_cond_wait(&run->changed, &run->lock);
  return run->taken < run->made ? slot_at(run, run->taken++) : NULL;
}

static void *work(void *context)
{
  struct worker *worker = context;
  struct run *run = worker->run;
  struct slot *slot;
  pthread_mutex_lock(&run->lock);
  while ((slot = take_slot(run))) {
    pthread_mutex_unlock(&run->lock);
    answerer_answer(&worker->answerer, &slot->chunk);
    pthread_mutex_lock(&run->lock);
    slot->done = true;
    write_done(run);
  }
  pthread_mutex_unlock(&run->lock);
  return NULL;
}

/* With the lock held. Interrupts are seen here, and the caller told that time goes on. */
static void tick(struct run *run)
{
  if (*run->options->interrupted)
    stop(run);
  if (run->options->on_tick && !run->stream->stopped)
    run->options->on_tick(run->options->context, run->stream);
}

static bool is_stopped(struct run *run)
{
  return atomic_load(&run->stop);
}

/* With the lock held: until something changed, or a tick is over. */
static void await_change(struct run *run)
{
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += TICK_MS * 1000000L;
  until.tv_sec += until.tv_nsec / 1000000000L;
  until.tv_nsec %= 1000000000L;
  if (pthread_cond_timedwait(&run->changed, &run->lock, &until) == ETIMEDOUT)
    tick(run);
}

/* With the lock held: until there is room for so many bytes in a free slot, or until it is stopped. */
static void await_room(struct run *run, size_t bytes)
{
  while (!is_stopped(run) &&
         (run->made - run->out == run->count ||
          (run->made > run->out && run->bytes_in_flight + bytes > IN_FLIGHT_BYTES)))
    await_change(run);
}

/* With the lock held. A free slot belongs to the caller's thread. */
static void make_chunk(struct run *run)
{
  struct chunk *chunk = &slot_at(run, run->made)->chunk;
  pthread_mutex_unlock(&run->lock);
  cutter_take(&run->cutter, chunk);
  pthread_mutex_lock(&run->lock);
  run->bytes_in_flight += chunk->text.length;
  run->made++;
  pthread_cond_broadcast(&run->changed);
}

static void read_stream(struct run *run)
{
  enum cutter_found found;
  while (!is_stopped(run) && (found = cutter_look(&run->cutter)) != CUTTER_END) {
    pthread_mutex_lock(&run->lock);
    tick(run);
    if (found == CUTTER_FOUND) {
      await_room(run, run->cutter.bytes);
      if (!is_stopped(run))
        make_chunk(run);
    }
    pthread_mutex_unlock(&run->lock);
  }
}

static void await_end(struct run *run)
{
  pthread_mutex_lock(&run->lock);
  run->no_more = true;
  pthread_cond_broadcast(&run->changed);
  while (run->out < run->made)
    await_change(run);
  pthread_mutex_unlock(&run->lock);
}

/*
 * Threads leave signals to the caller's, so that a closed pipe is an error of writing. `*started` of them are to be
 * joined, whatever is returned.
 */
static int start_threads(struct run *run, struct worker *workers, pthread_t *threads,
                         unsigned *started)
{
  sigset_t all, before;
  int error = 0;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  for (*started = 0; *started < run->options->threads && error == 0; ++*started) {
    workers[*started].run = run;
    error = answerer_init(&workers[*started].answerer, &run->how);
    if (error == 0)
      error = -pthread_create(&threads[*started], NULL, work, &workers[*started]);
    if (error) {
      answerer_deinit(&workers[*started].answerer);
      break;
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return error;
}

static int run_threads(struct run *run)
{
  unsigned started = 0;
  struct worker *workers = calloc(run->options->threads, sizeof *workers);
  pthread_t *threads = calloc(run->options->threads, sizeof *threads);
  int error = workers && threads ? start_threads(run, workers, threads, &started) : -ENOMEM;
  if (error == 0)
    read_stream(run);
  await_end(run);
  for (unsigned i = 0; i < started; i++) {
    pthread_join(threads[i], NULL);
    answerer_deinit(&workers[i].answerer);
  }
  free(workers);
  free(threads);
  return error;
}

static int run_init(struct run *run, struct input *input)
{
  int error = cutter_init(&run->cutter, input, run->how.from,
                          run->how.question.all_roles ? CHUNK_BYTES_ALL_ROLES : CHUNK_BYTES);
  run->how.question.stop = &run->stop;
  run->slots = calloc((size_t)CHUNKS_A_THREAD * run->options->threads, sizeof *run->slots);
  if (!run->slots)
    return -ENOMEM;
  for (; error == 0 && run->count < CHUNKS_A_THREAD * run->options->threads; run->count++)
    error = chunk_init(&run->slots[run->count].chunk, run->options->longest);
  return error;
}

static void run_deinit(struct run *run)
{
  for (uint32_t i = 0; i < run->count; i++)
    chunk_deinit(&run->slots[i].chunk);
  free(run->slots);
  cutter_deinit(&run->cutter);
  pthread_cond_destroy(&run->changed);
  pthread_mutex_destroy(&run->lock);
}

int stream_run(struct input *input, const struct stream_options *options, struct stream *stream)
{
  struct run run = {.options = options,
                    .how = options->how,
                    .stream = stream,
                    .lock = PTHREAD_MUTEX_INITIALIZER,
                    .changed = PTHREAD_COND_INITIALIZER};
  int error = run_init(&run, input);
  if (error == 0)
    error = cutter_pass(&run.cutter, stream->bytes_read, stream->checksum, stream->tally.records,
                        options->interrupted);
  if (error == 0)
    error = run_threads(&run);
  if (error == 0)
    error = run.error ? run.error : run.cutter.error;
  run_deinit(&run);
  return error;
}
