/*
 * The caller's thread reads and cuts; the others answer. Whoever finishes the chunk that is next to come out writes it,
 * and those behind it that are done. A chunk is cut where it is full, or where nothing more came for some
 * milliseconds, so that a slow stream is answered at once.
 *
 * A chunk that was interrupted does not count: what is out is always whole chunks, of which a checkpoint can be made.
 */
#include "client/batch/stream.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

enum {
  CHUNK_BYTES = 64 << 10,
  KEPT_BYTES = 1 << 20, /* larger memory is given back after a chunk */
  CHUNKS_A_THREAD = 4,
  IN_FLIGHT_BYTES = 2 * RECORD_BYTES_MAX,
  PATIENCE_MS = 5, /* what is there is answered once nothing more came for so long, */
  HURRY_MS = 20,   /* or once it has waited for so long */
  TICK_MS = 200,
};

enum chunk_state { CHUNK_FREE, CHUNK_WAITING, CHUNK_UNDER_WAY, CHUNK_DONE };

struct chunk {
  enum chunk_state state;
  struct buffer text;
  uint64_t first_number;       /* of its first record, from 1 */
  bool too_long;               /* it is one record, too long to be held */
  uint64_t position, checksum; /* of the stream up to its end */

  struct buffer out;
  struct tally tally;
  char bad[ITEM_BAD_BYTES + 64];
  bool abandoned; /* interrupted: nothing of it counts */
  bool is_last;   /* strict, and it has a bad record */
  int error;
};

struct run {
  struct input *input;
  const struct stream_options *options;
  struct stream *stream;
  struct chunk *chunks; /* a ring of `count` */
  uint32_t count;

  /* Numbers of chunks from the first on, under `lock`: made, taken by a thread, out. */
  pthread_mutex_t lock;
  pthread_cond_t changed;
  uint64_t made, taken, out;
  size_t bytes_in_flight;
  bool writing, no_more;
  int error;
  atomic_bool stop;

  /* Of the caller's thread alone. */
  struct buffer rest; /* read, but behind the last whole record */
  XXH3_state_t *hash;
  uint64_t position, records;
  bool at_end, skipping_line;
  int input_error;
};

/* What a thread has for itself. */
struct worker {
  struct run *run;
  struct item item;
  struct question question;
  struct chunk *chunk;
  struct record record;
  uint64_t number;
};

static struct chunk *chunk_at(const struct run *run, uint64_t number)
{
  return &run->chunks[number % run->count];
}

static void take_answer(void *context, const struct answer *answer)
{
  struct worker *worker = context;
  struct chunk *chunk = worker->chunk;
  const struct stream_options *options = worker->run->options;
  if (options->lines)
    line_answer(&options->style, &worker->item, worker->number, answer, &chunk->out);
  if (tally_answer(&chunk->tally, answer, &worker->record, worker->number))
    chunk->error = -ENOMEM;
}

static void take_bad(struct worker *worker)
{
  struct chunk *chunk = worker->chunk;
  const struct stream_options *options = worker->run->options;
  tally_bad(&chunk->tally, worker->item.bad);
  if (!chunk->bad[0])
    snprintf(chunk->bad, sizeof chunk->bad, "record %llu: %s", (unsigned long long)worker->number,
             worker->item.bad);
  if (options->lines)
    line_bad(&options->style, &worker->item, worker->number, &chunk->out);
  chunk->is_last |= options->strict;
}

static void answer_record(struct worker *worker)
{
  struct chunk *chunk = worker->chunk;
  chunk->tally.records++;
  const struct answer_taker taker = {take_answer, worker};
  int error = -EINVAL;
  if (item_read(&worker->item, &worker->record))
    error = item_answer(&worker->item, &worker->question, &taker);
  if (error == -EINVAL)
    take_bad(worker);
  else if (error == -ECANCELED)
    chunk->abandoned = true;
  else if (error < 0)
    chunk->error = error;
}

static void answer_chunk(struct worker *worker)
{
  struct chunk *chunk = worker->chunk;
  const char *at = chunk->text.data, *end = at + chunk->text.length;
  worker->number = chunk->first_number;
  if (chunk->too_long) {
    chunk->tally.records++;
    item_refuse(&worker->item, "it is longer than the %d MB that one record may have",
                RECORD_BYTES_MAX >> 20);
    worker->item.tag = NULL;
    take_bad(worker);
    return;
  }
  while (!chunk->error && !chunk->is_last && !chunk->abandoned &&
         record_next(&at, end, true, worker->run->options->from, &worker->record) == RECORD_FOUND) {
    if (atomic_load_explicit(&worker->run->stop, memory_order_relaxed)) {
      chunk->abandoned = true;
      return;
    }
    answer_record(worker);
    worker->number++;
  }
  if (chunk->out.failed)
    chunk->error = -ENOMEM;
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

static void empty_buffer(struct buffer *buffer)
{
  if (buffer->capacity > KEPT_BYTES || buffer->failed) {
    buffer_deinit(buffer);
    buffer_init(buffer);
  }
  buffer_clear(buffer);
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
  if (chunk->error && !run->error && !run->stream->stopped)
    run->error = chunk->error;
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
  while (run->out < run->taken && chunk_at(run, run->out)->state == CHUNK_DONE) {
    struct chunk *chunk = chunk_at(run, run->out);
    write_chunk(run, chunk);
    run->bytes_in_flight -= chunk->text.length;
    empty_buffer(&chunk->text);
    empty_buffer(&chunk->out);
    tally_clear(&chunk->tally);
    chunk->state = CHUNK_FREE;
    run->out++;
    pthread_cond_broadcast(&run->changed);
  }
  run->writing = false;
}

/* With the lock held. NULL at the end. */
static struct chunk *take_chunk(struct run *run)
{
  while (run->taken == run->made && !run->no_more)
    pthread_cond_wait(&run->changed, &run->lock);
  if (run->taken == run->made)
    return NULL;
  struct chunk *chunk = chunk_at(run, run->taken++);
  chunk->state = CHUNK_UNDER_WAY;
  return chunk;
}

static void *work(void *context)
{
  struct worker *worker = context;
  struct run *run = worker->run;
  pthread_mutex_lock(&run->lock);
  while ((worker->chunk = take_chunk(run))) {
    pthread_mutex_unlock(&run->lock);
    answer_chunk(worker);
    pthread_mutex_lock(&run->lock);
    worker->chunk->state = CHUNK_DONE;
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

/* Reads more behind `text`. Returns false where nothing came in time; `at_end` says that nothing ever will. */
static bool read_more(struct run *run, struct buffer *text, int wait_ms)
{
  size_t size = CHUNK_BYTES;
  char *room = buffer_reserve(text, size);
  if (!room) {
    run->input_error = -ENOMEM;
    run->at_end = true;
    return false;
  }
  ssize_t got = input_read(run->input, room, size, wait_ms);
  if (got > 0) {
    text->length += (size_t)got;
    return true;
  }
  if (got == -EAGAIN || got == -EINTR)
    return false;
  run->input_error = (int)got;
  run->at_end = true;
  return false;
}

/* How much of `text` is whole records; counts them. A stream that broke off has no whole record at its end. */
static size_t whole_records(const struct run *run, const struct buffer *text, uint64_t *records)
{
  const char *at = text->data, *end = text->data + text->length;
  bool last = run->at_end && run->input_error == 0;
  struct record record;
  enum record_found found;
  *records = 0;
  while ((found = record_next(&at, end, last, run->options->from, &record)) == RECORD_FOUND)
    ++*records;
  return (size_t)(at - text->data);
}

/* Drops the rest of a line that is too long. */
static void skip_line(struct run *run, struct buffer *text)
{
  char *newline = text->length ? memchr(text->data, '\n', text->length) : NULL;
  size_t drop = newline ? (size_t)(newline + 1 - text->data) : text->length;
  if (drop)
    XXH3_64bits_update(run->hash, text->data, drop);
  run->position += drop;
  buffer_consume(text, drop);
  run->skipping_line = !newline;
}

static int64_t now_ms(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Reads until there are so many bytes, or until it is time to answer what there is. Returns false then. */
static bool gather(struct run *run, struct buffer *text, size_t wanted)
{
  int64_t began_ms = now_ms();
  while (!run->at_end && text->length < wanted) {
    bool came = read_more(run, text, text->length ? PATIENCE_MS : TICK_MS);
    if (run->skipping_line)
      skip_line(run, text);
    if (!came || now_ms() - began_ms > HURRY_MS)
      return false;
  }
  return true;
}

static void tick_unlocked(struct run *run)
{
  pthread_mutex_lock(&run->lock);
  tick(run);
  pthread_mutex_unlock(&run->lock);
}

/*
 * Reads until there is a chunk in `text`: `*whole` bytes of it, so many records. False where there is none any more,
 * or where it was stopped.
 */
static bool read_chunk(struct run *run, struct buffer *text, size_t *whole, uint64_t *records)
{
  for (size_t wanted = CHUNK_BYTES;;) {
    if (!gather(run, text, wanted))
      tick_unlocked(run);
    if (is_stopped(run) || (run->at_end && text->length == 0))
      return false;
    *whole = text->length ? whole_records(run, text, records) : 0;
    if (*whole > 0 || run->at_end)
      return *whole > 0;
    if (text->length >= RECORD_BYTES_MAX)
      return true;
    if (text->length >= wanted)
      wanted = 2 * wanted;
    else if (text->length > 0)
      read_more(run, text, TICK_MS);
  }
}

/* With the lock held. The next free chunk, or NULL where it was stopped. */
static struct chunk *free_chunk(struct run *run, size_t bytes)
{
  while (!is_stopped(run) &&
         (run->made - run->out == run->count ||
          (run->made > run->out && run->bytes_in_flight + bytes > IN_FLIGHT_BYTES)))
    await_change(run);
  return is_stopped(run) ? NULL : chunk_at(run, run->made);
}

/* Puts the whole records of `run->rest` into the chunk, or notes that its beginning is one that is too long. */
static void fill_chunk(struct run *run, struct chunk *chunk, size_t whole, uint64_t records)
{
  chunk->too_long = whole == 0;
  size_t taken = chunk->too_long ? run->rest.length : whole;
  XXH3_64bits_update(run->hash, run->rest.data, taken);
  run->position += taken;
  if (!chunk->too_long)
    buffer_append(&chunk->text, run->rest.data, whole);
  buffer_consume(&run->rest, taken);
  chunk->first_number = run->records + 1;
  chunk->position = run->position;
  chunk->checksum = XXH3_64bits_digest(run->hash);
  chunk->bad[0] = '\0';
  chunk->abandoned = chunk->is_last = false;
  chunk->error = chunk->text.failed ? -ENOMEM : 0;
  run->records += chunk->too_long ? 1 : records;
  run->skipping_line = chunk->too_long;
}

static void publish_chunk(struct run *run, struct chunk *chunk)
{
  pthread_mutex_lock(&run->lock);
  chunk->state = CHUNK_WAITING;
  run->bytes_in_flight += chunk->text.length;
  run->made++;
  pthread_cond_broadcast(&run->changed);
  pthread_mutex_unlock(&run->lock);
}

static void read_stream(struct run *run)
{
  size_t whole;
  uint64_t records = 0;
  while (read_chunk(run, &run->rest, &whole, &records)) {
    pthread_mutex_lock(&run->lock);
    struct chunk *chunk = free_chunk(run, whole);
    pthread_mutex_unlock(&run->lock);
    if (!chunk)
      return;
    fill_chunk(run, chunk, whole, records);
    publish_chunk(run, chunk);
    if (run->rest.length == 0)
      empty_buffer(&run->rest);
  }
}

/* Passes what was done before. */
static int skip_done(struct run *run)
{
  uint64_t left = run->stream->bytes_read;
  char bytes[CHUNK_BYTES];
  while (left > 0) {
    ssize_t got = input_read(run->input, bytes, left < sizeof bytes ? left : sizeof bytes, -1);
    if (got == -EINTR && *run->options->interrupted)
      return -EINTR;
    if (got == -EINTR || got == -EAGAIN)
      continue;
    if (got <= 0)
      return got < 0 ? (int)got : -ESTALE;
    XXH3_64bits_update(run->hash, bytes, (size_t)got);
    left -= (uint64_t)got;
  }
  run->position = run->stream->bytes_read;
  run->records = run->stream->tally.records;
  bool same = run->position == 0 || XXH3_64bits_digest(run->hash) == run->stream->checksum;
  return same ? 0 : -ESTALE;
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

static void worker_deinit(struct worker *worker)
{
  const struct remotes *remotes = &worker->run->options->remotes;
  if (worker->question.remote.context)
    remotes->close(worker->question.remote.context);
  item_deinit(&worker->item);
}

static int worker_init(struct worker *worker, struct run *run)
{
  const struct remotes *remotes = &run->options->remotes;
  *worker = (struct worker){.run = run, .question = run->options->question};
  worker->question.stop = &run->stop;
  item_init(&worker->item);
  if (!remotes->open)
    return 0;
  worker->question.remote.context = remotes->open(remotes->context);
  return worker->question.remote.context ? 0 : -ENOMEM;
}

/* Threads leave signals to the caller's, but the one that a closed pipe sends to whoever writes. `*started` of them are to be joined, whatever is returned. */
static int start_threads(struct run *run, struct worker *workers, pthread_t *threads,
                         unsigned *started)
{
  sigset_t all, before;
  int error = 0;
  sigfillset(&all);
  sigdelset(&all, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  for (*started = 0; *started < run->options->threads && error == 0; ++*started) {
    error = worker_init(&workers[*started], run);
    if (error == 0)
      error = -pthread_create(&threads[*started], NULL, work, &workers[*started]);
    if (error) {
      worker_deinit(&workers[*started]);
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
    worker_deinit(&workers[i]);
  }
  free(workers);
  free(threads);
  return error;
}

static int run_init(struct run *run)
{
  run->count = CHUNKS_A_THREAD * run->options->threads;
  run->chunks = calloc(run->count, sizeof *run->chunks);
  run->hash = XXH3_createState();
  if (!run->chunks || !run->hash)
    return -ENOMEM;
  XXH3_64bits_reset(run->hash);
  buffer_init(&run->rest);
  for (uint32_t i = 0; i < run->count; i++) {
    buffer_init(&run->chunks[i].text);
    buffer_init(&run->chunks[i].out);
    if (tally_init(&run->chunks[i].tally, run->options->longest))
      return -ENOMEM;
  }
  return 0;
}

static void run_deinit(struct run *run)
{
  for (uint32_t i = 0; run->chunks && i < run->count; i++) {
    buffer_deinit(&run->chunks[i].text);
    buffer_deinit(&run->chunks[i].out);
    tally_deinit(&run->chunks[i].tally);
  }
  buffer_deinit(&run->rest);
  free(run->chunks);
  XXH3_freeState(run->hash);
  pthread_cond_destroy(&run->changed);
  pthread_mutex_destroy(&run->lock);
}

int stream_run(struct input *input, const struct stream_options *options, struct stream *stream)
{
  struct run run = {.input = input,
                    .options = options,
                    .stream = stream,
                    .lock = PTHREAD_MUTEX_INITIALIZER,
                    .changed = PTHREAD_COND_INITIALIZER};
  int error = run_init(&run);
  if (error == 0)
    error = skip_done(&run);
  if (error == 0)
    error = run_threads(&run);
  if (error == 0)
    error = run.error ? run.error : run.input_error;
  run_deinit(&run);
  return error;
}
