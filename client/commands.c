/*
 * The happy path: the daemon is asked, the answer shown, as JSON or for people. Every failure becomes one
 * sentence and an exit status, in failure.h's functions.
 */
#include "client/commands.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "client/failure.h"
#include "client/show.h"
#include "client/state_text.h"

/* One command under way. */
struct task {
  struct cm_client *client;
  const struct options *options;
  const struct cm_puzzle *puzzle; /* NULL where none was given */
  struct progress_line *progress;
  struct style style;
  char solved_id[CM_ID_DIGITS + 1]; /* of `puzzle`, once it was solved */
  int status;                       /* what cmclient will exit with */
};

/* After each call: true when its answer is still to be shown to people. Fails and prints JSON else. */
static bool to_be_shown(struct task *task, int result)
{
  const char *json;
  progress_line_end(task->progress);
  if (result < 0)
    task->status = call_failed(task->client, result);
  else if (!task->options->json)
    return true;
  else if ((json = cm_json(task->client)))
    puts(json);
  else
    task->status = usage_error("out of memory for the answer");
  return false;
}

static void run_solve(struct task *task)
{
  struct cm_solved solved;
  if (!to_be_shown(task, cm_solve(task->client, task->puzzle, &solved)))
    return;
  if (task->options->leetcode)
    show_leetcode(&solved);
  else
    show_solved(&task->style, &solved);
}

/* What the command is about, by id where `by_id`: a puzzle that was given is solved first then. */
static int find_which(struct task *task, bool by_id, struct cm_which *which)
{
  struct cm_solved solved;
  *which = (struct cm_which){task->options->id, task->puzzle};
  if (!task->puzzle || !by_id)
    return 0;
  int result = cm_solve(task->client, task->puzzle, &solved);
  if (result < 0)
    return result;
  memcpy(task->solved_id, solved.id, sizeof task->solved_id);
  *which = (struct cm_which){.id = task->solved_id};
  return 0;
}

static void run_query(struct task *task)
{
  struct cm_which which;
  struct cm_state state;
  struct cm_query query;
  task->status = state_parse(task->options->state, &state);
  if (task->status)
    return;
  int result = find_which(task, progress_line_wanted(), &which);
  if (result == 0)
    result = cm_query(task->client, &which, &state, task->options->limit_plies, &query);
  if (to_be_shown(task, result))
    show_query(&task->style, &query);
}

static void run_line(struct task *task)
{
  const struct options *options = task->options;
  struct cm_which which;
  struct cm_state state;
  struct cm_line line;
  task->status = state_parse(options->state, &state);
  if (task->status)
    return;
  int result = find_which(task, progress_line_wanted(), &which);
  if (result == 0)
    result = cm_line(task->client, &which, &state, options->limit_plies, options->max, &line);
  if (to_be_shown(task, result))
    show_line(&task->style, &line);
}

static void run_stats(struct task *task)
{
  struct cm_which which;
  struct cm_stats stats;
  int result = find_which(task, true, &which);
  if (result == 0)
    result = cm_stats(task->client, which.id, &stats);
  if (to_be_shown(task, result))
    show_stats(&task->style, &stats);
}

static void run_verify(struct task *task)
{
  struct cm_which which;
  struct cm_verify verify;
  int result = find_which(task, true, &which);
  if (result == 0)
    result = cm_verify(task->client, which.id, &verify);
  if (to_be_shown(task, result))
    show_verify(&verify);
}

static void run_list(struct task *task)
{
  struct cm_list list;
  if (to_be_shown(task, cm_list(task->client, &list)))
    show_list(&list);
}

static void run_evict(struct task *task)
{
  struct cm_evicted evicted;
  if (to_be_shown(task, cm_evict(task->client, task->options->argument, &evicted)))
    show_evicted(&evicted);
}

static void run_clear(struct task *task)
{
  struct cm_evicted evicted;
  if (to_be_shown(task, cm_clear(task->client, &evicted)))
    show_evicted(&evicted);
}

static void run_status(struct task *task)
{
  struct cm_status status;
  if (to_be_shown(task, cm_status(task->client, &status)))
    show_status(&status);
}

static void run_ping(struct task *task)
{
  if (to_be_shown(task, cm_ping(task->client)))
    puts("pong");
}

static void run_stop(struct task *task)
{
  if (to_be_shown(task, cm_shutdown(task->client, NULL)))
    puts("The daemon has ended.");
}

static void run_sockname(struct task *task)
{
  const char *path = cm_socket(task->client);
  if (path)
    puts(path);
  else
    task->status = call_failed(task->client, -EINVAL);
}

int command_run(struct cm_client *client, const struct options *options,
                const struct cm_puzzle *puzzle, struct progress_line *progress)
{
  static void (*const runs[COMMAND_COUNT])(struct task * task) = {
      [COMMAND_SOLVE] = run_solve, [COMMAND_QUERY] = run_query,   [COMMAND_LINE] = run_line,
      [COMMAND_STATS] = run_stats, [COMMAND_VERIFY] = run_verify, [COMMAND_LIST] = run_list,
      [COMMAND_EVICT] = run_evict, [COMMAND_CLEAR] = run_clear,   [COMMAND_STATUS] = run_status,
      [COMMAND_PING] = run_ping,   [COMMAND_STOP] = run_stop,     [COMMAND_SOCKNAME] = run_sockname,
  };
  struct task task = {.client = client, .options = options, .puzzle = puzzle, .progress = progress};
  style_init(&task.style, puzzle);
  runs[options->command](&task);
  return task.status;
}
