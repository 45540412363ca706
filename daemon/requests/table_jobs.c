/*
 * A table job holds a reference to its table and writes its answer on the thread that runs it, so that the loop only
 * passes bytes on. Peers are served in turn: of each connection one long answer at a time is in the pool.
 *
 * Failure: a job fails for want of memory, and is stopped when its request goes.
 */
#include "daemon/requests/table_jobs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/requests/answers.h"
#include "solver/stats.h"
#include "solver/verify.h"

struct table_job {
  struct job job;
  struct requests *requests;
  struct waiting *waiting; /* NULL once abandoned */
  struct solved *solved;   /* referenced */
  struct request request;  /* a copy, without a puzzle */
  enum encoding encoding;
  struct buffer bytes; /* the answer */
  int result;
  bool submitted; /* to a pool */
};

static struct outcome_counts counts_of(const uint64_t outcomes[static 3])
{
  return (struct outcome_counts){outcomes[OUTCOME_MOUSE], outcomes[OUTCOME_CAT],
                                 outcomes[OUTCOME_DRAW]};
}

static struct longest longest_of(const struct longest_win *win)
{
  return (struct longest){win->plies, win->state};
}

static void write_stats(struct table_job *table_job, const struct table_stats *stats)
{
  const struct arena *arena = table_job->solved->arena;
  struct result_stats result = {
      .game = arena->game,
      .nodes = arena->nodes,
      .mouse_to_move = counts_of(stats->outcomes[PLAYER_MOUSE]),
      .cat_to_move = counts_of(stats->outcomes[PLAYER_CAT]),
      .longest_mouse = longest_of(&stats->longest[PLAYER_MOUSE]),
      .longest_cat = longest_of(&stats->longest[PLAYER_CAT]),
      .mouse_histogram = stats->histogram[PLAYER_MOUSE],
      .mouse_histogram_count = stats->histogram_count[PLAYER_MOUSE],
      .cat_histogram = stats->histogram[PLAYER_CAT],
      .cat_histogram_count = stats->histogram_count[PLAYER_CAT],
      .cols = arena->cols,
  };
  for (int turn = 0; turn < 2; turn++) {
    for (int outcome = 0; outcome < 3; outcome++)
      result.states += stats->outcomes[turn][outcome];
  }
  memcpy(result.id, table_job->solved->id_text, sizeof result.id);
  reply_result(&table_job->bytes, table_job->encoding, &table_job->request.id, METHOD_STATS,
               &result);
}

static int run_stats(struct table_job *table_job)
{
  struct table_stats stats;
  int result = table_stats_init(&stats, table_job->solved->arena, table_job->solved->table,
                                &table_job->job.stop);
  if (result < 0)
    return result;
  write_stats(table_job, &stats);
  table_stats_deinit(&stats);
  return 0;
}

static int run_verify(struct table_job *table_job)
{
  struct verification found;
  int status =
      verify(table_job->solved->arena, table_job->solved->table, &table_job->job.stop, &found);
  if (status < 0)
    return status;
  struct result_verify result = {
      .correct = found.faults == 0,
      .checked = found.checked,
      .faults = found.faults,
      .first = {found.first,
                {found.stored.outcome, found.stored.plies},
                {found.proper.outcome, found.proper.plies}},
      .cols = table_job->solved->arena->cols,
  };
  memcpy(result.id, table_job->solved->id_text, sizeof result.id);
  reply_result(&table_job->bytes, table_job->encoding, &table_job->request.id, METHOD_VERIFY,
               &result);
  return 0;
}

static int run_answer(struct table_job *table_job)
{
  struct buffer scratch;
  const struct answer_place place = {
      .out = &table_job->bytes,
      .scratch = &scratch,
      .encoding = table_job->encoding,
      .limits = &table_job->requests->config->messages,
  };
  buffer_init(&scratch);
  answer_write(&place, &table_job->request, table_job->solved);
  buffer_deinit(&scratch);
  return 0;
}

static void table_job_run(struct job *job)
{
  struct table_job *table_job = container_of(job, struct table_job, job);
  if (atomic_load(&job->stop))
    return; /* nobody waits for it any longer */
  switch (table_job->request.method) {
  case METHOD_STATS: table_job->result = run_stats(table_job); break;
  case METHOD_VERIFY: table_job->result = run_verify(table_job); break;
  default: table_job->result = run_answer(table_job);
  }
}

static void table_job_free(struct table_job *table_job)
{
  cache_unref(table_job->requests->memory->cache, table_job->solved);
  buffer_deinit(&table_job->bytes);
  free(table_job);
}

/* A pass over a whole table takes its turn among the solves; an answer from a table must not wait behind these. */
static bool is_pass(const struct table_job *table_job)
{
  return table_job->request.method == METHOD_STATS || table_job->request.method == METHOD_VERIFY;
}

static void submit(struct table_job *table_job)
{
  struct requests *requests = table_job->requests;
  table_job->submitted = true;
  table_job->waiting->connection->long_answers += !is_pass(table_job);
  workers_submit(is_pass(table_job) ? requests->solvers : requests->writers, &table_job->job);
}

static void submit_next(struct connection *connection)
{
  if (connection->long_answers > 0)
    return;
  for (struct link *at = connection->waiting.next; at != &connection->waiting; at = at->next) {
    struct table_job *table_job = container_of(at, struct waiting, link)->table_job;
    if (table_job && !table_job->submitted) {
      submit(table_job);
      return;
    }
  }
}

static void answer(struct table_job *table_job)
{
  struct waiting *waiting = table_job->waiting;
  struct connection *connection = waiting->connection;
  struct fault fault;
  connection->long_answers -= !is_pass(table_job);
  waiting->table_job = NULL;
  if (table_job->result == 0) {
    connection_reply_bytes(connection, &waiting->request, &table_job->bytes);
    waiting_end(waiting);
  } else {
    bool stopped = table_job->result == -ECANCELED;
    fault_set(&fault, stopped ? ERROR_DRAINING : ERROR_NO_MEMORY,
              stopped ? "the daemon is shutting down" : "out of memory for the answer");
    waiting_fail(waiting, &fault);
  }
  submit_next(connection);
}

static void table_job_done(struct job *job)
{
  struct table_job *table_job = container_of(job, struct table_job, job);
  if (table_job->waiting)
    answer(table_job);
  table_job_free(table_job);
}

void table_job_start(struct waiting *waiting, struct solved *solved)
{
  struct requests *requests = waiting->requests;
  struct table_job *table_job = calloc(1, sizeof *table_job);
  if (!table_job) {
    struct fault fault;
    fault_set(&fault, ERROR_NO_MEMORY, "out of memory for the request");
    waiting_fail(waiting, &fault);
    return;
  }
  table_job->job = (struct job){.run = table_job_run, .done = table_job_done};
  table_job->requests = requests;
  table_job->waiting = waiting;
  table_job->solved = solved;
  table_job->request = waiting->request;
  table_job->encoding = waiting->connection->framer.encoding;
  table_job->result = -ECANCELED;
  buffer_init(&table_job->bytes);
  cache_ref(requests->memory->cache, solved);
  waiting->table_job = table_job;
  if (is_pass(table_job) || waiting->connection->long_answers == 0)
    submit(table_job);
}

void table_job_abandon(struct table_job *table_job)
{
  struct connection *connection = table_job->waiting->connection;
  table_job->waiting->table_job = NULL;
  table_job->waiting = NULL;
  if (!table_job->submitted) {
    table_job_free(table_job);
    return;
  }
  atomic_store(&table_job->job.stop, true);
  connection->long_answers -= !is_pass(table_job);
  if (!connection->closing)
    submit_next(connection);
}
