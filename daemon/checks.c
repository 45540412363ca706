/*
 * A check holds a reference to its table and writes its answer on the thread that runs it, so that the
 * loop only passes bytes on. It fails for want of memory, and is stopped when its request goes.
 */
#include "daemon/checks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/answers.h"
#include "daemon/replies.h"
#include "solver/stats.h"
#include "solver/verify.h"

struct check {
  struct job job;
  struct server *server;
  struct pending *pending; /* NULL once abandoned */
  struct solved *solved;   /* referenced */
  struct request request;  /* a copy, without a puzzle */
  enum encoding encoding;
  struct buffer bytes; /* the answer */
  int result;
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

static void write_stats(struct check *check, const struct table_stats *stats)
{
  const struct arena *arena = check->solved->arena;
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
  memcpy(result.id, check->solved->id_text, sizeof result.id);
  reply_result(&check->bytes, check->encoding, &check->request.id, METHOD_STATS, &result);
}

static int run_stats(struct check *check)
{
  struct table_stats stats;
  int result =
      table_stats_init(&stats, check->solved->arena, check->solved->table, &check->job.stop);
  if (result < 0)
    return result;
  write_stats(check, &stats);
  table_stats_deinit(&stats);
  return 0;
}

static int run_verify(struct check *check)
{
  struct verification found;
  int status = verify(check->solved->arena, check->solved->table, &check->job.stop, &found);
  if (status < 0)
    return status;
  struct result_verify result = {
      .correct = found.faults == 0,
      .checked = found.checked,
      .faults = found.faults,
      .first = {found.first,
                {found.stored.outcome, found.stored.plies},
                {found.proper.outcome, found.proper.plies}},
      .cols = check->solved->arena->cols,
  };
  memcpy(result.id, check->solved->id_text, sizeof result.id);
  reply_result(&check->bytes, check->encoding, &check->request.id, METHOD_VERIFY, &result);
  return 0;
}

static int run_answer(struct check *check)
{
  struct buffer scratch;
  const struct answer_place place = {
      .out = &check->bytes,
      .scratch = &scratch,
      .encoding = check->encoding,
      .limits = &check->server->config.messages,
  };
  buffer_init(&scratch);
  answer_write(&place, &check->request, check->solved);
  buffer_deinit(&scratch);
  return 0;
}

static void check_run(struct job *job)
{
  struct check *check = container_of(job, struct check, job);
  switch (check->request.method) {
  case METHOD_STATS: check->result = run_stats(check); break;
  case METHOD_VERIFY: check->result = run_verify(check); break;
  default: check->result = run_answer(check);
  }
}

static void answer(struct check *check)
{
  struct pending *pending = check->pending;
  struct fault fault;
  if (check->result == 0) {
    connection_reply_bytes(pending->connection, &pending->request, &check->bytes);
  } else {
    bool stopped = check->result == -ECANCELED;
    fault_set(&fault, stopped ? ERROR_DRAINING : ERROR_NO_MEMORY,
              stopped ? "the daemon is shutting down" : "out of memory for the answer");
    connection_fail(pending->connection, &pending->request, &fault);
  }
  pending_end(pending);
}

static void check_done(struct job *job)
{
  struct check *check = container_of(job, struct check, job);
  if (check->pending)
    answer(check);
  cache_unref(&check->server->cache, check->solved);
  solves_start_waiting(&check->server->solves);
  buffer_deinit(&check->bytes);
  free(check);
}

/* An answer from a table at hand must not wait behind solves. */
static struct workers *pool_for(struct server *server, const struct check *check)
{
  bool whole_table =
      check->request.method == METHOD_STATS || check->request.method == METHOD_VERIFY;
  return whole_table ? server->solvers : server->helpers;
}

void check_start(struct connection *connection, struct request *request, struct solved *solved)
{
  struct check *check = calloc(1, sizeof *check);
  struct pending *pending = check ? pending_new(connection, request) : NULL;
  if (!pending) {
    struct fault fault;
    free(check);
    fault_set(&fault, ERROR_NO_MEMORY, "out of memory for the request");
    connection_fail(connection, request, &fault);
    return;
  }
  check->job.run = check_run;
  check->job.done = check_done;
  check->server = connection->server;
  check->pending = pending;
  check->solved = solved;
  check->request = pending->request;
  check->request.puzzle_memory = NULL;
  check->encoding = connection->framer.encoding;
  check->result = -ECANCELED;
  buffer_init(&check->bytes);
  cache_ref(&connection->server->cache, solved);
  pending->check = check;
  workers_submit(pool_for(connection->server, check), &check->job);
}

void check_abandon(struct check *check)
{
  check->pending = NULL;
  atomic_store(&check->job.stop, true);
}
