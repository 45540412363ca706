/*
 * A long answer is written on the thread that runs its job, so that the loop only passes bytes on. Peers are served in
 * turn: of each connection one long answer at a time is in the pool.
 *
 * Failure: a job fails for want of memory, and is stopped when its request goes.
 */
#include "daemon/requests/long_answers.h"

#include <errno.h>

#include "daemon/requests/answers.h"

static void write_answer(struct job *job)
{
  struct waiting *waiting = container_of(job, struct waiting, job);
  struct buffer scratch;
  const struct answer_place place = {
      .out = &waiting->bytes,
      .scratch = &scratch,
      .encoding = waiting->encoding,
      .limits = &waiting->requests->config->messages,
      .stop = &job->stop,
  };
  if (atomic_load(&job->stop))
    return;
  buffer_init(&scratch);
  waiting->result = answer_write(&place, &waiting->request, waiting->solved);
  buffer_deinit(&scratch);
}

static void on_written(struct job *job)
{
  struct waiting *waiting = container_of(job, struct waiting, job);
  struct connection *connection = waiting->connection;
  struct fault fault;
  if (waiting->is_given_up) {
    waiting_free(waiting);
    return;
  }
  if (waiting->result == 0) {
    buffer_append(&connection->out, waiting->bytes.data, waiting->bytes.length);
    connection_check_reply(connection, &waiting->request);
    waiting_end(waiting);
  } else if (waiting->result == -ENOMEM) {
    fault_set(&fault, ERROR_NO_MEMORY, "out of memory for the answer");
    waiting_fail(waiting, &fault);
  } else {
    waiting_fail(waiting, &waiting->fault);
  }
  long_answers_continue(connection);
}

/* A pass over a whole table takes its turn among the solves; an answer from a table must not wait behind these. */
static bool is_pass(const struct waiting *waiting)
{
  return waiting->request.method == METHOD_STATS || waiting->request.method == METHOD_VERIFY;
}

void long_answers_continue(struct connection *connection)
{
  struct waiting *next = NULL;
  for (struct link *at = connection->waiting.next; at != &connection->waiting; at = at->next) {
    struct waiting *waiting = container_of(at, struct waiting, link);
    if (!waiting->solved || is_pass(waiting))
      continue;
    if (waiting->submitted)
      return;
    next = next ? next : waiting;
  }
  if (next)
    waiting_submit(next, next->requests->writers);
}

void long_answer_start(struct waiting *waiting, struct solved *solved)
{
  waiting->job = (struct job){.run = write_answer, .done = on_written};
  waiting->encoding = waiting->connection->framer.encoding;
  waiting->solved = solved;
  cache_ref(waiting->requests->memory->cache, solved);
  if (is_pass(waiting))
    waiting_submit(waiting, waiting->requests->solvers);
  else
    long_answers_continue(waiting->connection);
}
