/*
 * The happy path: the puzzle file is read where there is one, the daemon asked, the answer shown, as JSON or
 * for people. Every failure becomes one sentence and an exit status in fail().
 */
#include "client/commands.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "client/puzzle_file.h"
#include "client/show.h"
#include "client/state_text.h"

/* One command under way. */
struct task {
  struct cm_client *client;
  const struct options *options;
  struct cm_puzzle *puzzle; /* owned, or NULL */
  struct style style;
};

static int fail(const struct task *task, int error)
{
  const char *name = cm_error_name(task->client);
  if (name)
    fprintf(stderr, "%s: %s\n", name, cm_error(task->client));
  else
    fprintf(stderr, "cmclient: %s\n", cm_error(task->client));
  switch (error) {
  case -EREMOTEIO:
  case -ECANCELED: return EXIT_REFUSED;
  case -EINVAL: return EXIT_USAGE;
  default: return EXIT_UNREACHABLE;
  }
}

/* Prints the result as JSON where that was asked for; the caller shows it otherwise. */
static bool show_json(const struct task *task)
{
  if (!task->options->json)
    return false;
  const char *json = cm_json(task->client);
  puts(json ? json : "null");
  return true;
}

static struct cm_which which_of(const struct task *task)
{
  return (struct cm_which){.id = task->options->id, .puzzle = task->puzzle};
}

static int run_solve(struct task *task)
{
  struct cm_solved solved;
  int result = cm_solve(task->client, task->puzzle, &solved);
  if (result < 0)
    return fail(task, result);
  if (task->options->leetcode)
    show_leetcode(&solved);
  else if (!show_json(task))
    show_solved(&task->style, &solved);
  return EXIT_ANSWERED;
}

static int state_of(const struct task *task, struct cm_state *state)
{
  uint32_t cols = 0;
  if (task->puzzle && cm_puzzle_game(task->puzzle) == CM_GRID)
    cm_puzzle_row(task->puzzle, 0, &cols);
  return state_parse(task->options->state, cols, state);
}

static int run_query(struct task *task)
{
  struct cm_which which = which_of(task);
  struct cm_state state;
  struct cm_query query;
  int status = state_of(task, &state);
  if (status)
    return status;
  int result = cm_query(task->client, &which, &state, task->options->limit_plies, &query);
  if (result < 0)
    return fail(task, result);
  if (!show_json(task))
    show_query(&task->style, &query);
  return EXIT_ANSWERED;
}

static int run_line(struct task *task)
{
  const struct options *options = task->options;
  struct cm_which which = which_of(task);
  struct cm_state state;
  struct cm_line line;
  int status = state_of(task, &state);
  if (status)
    return status;
  int result = cm_line(task->client, &which, &state, options->limit_plies, options->max, &line);
  if (result < 0)
    return fail(task, result);
  if (!show_json(task))
    show_line(&task->style, &line);
  return EXIT_ANSWERED;
}

/* `stats` and `verify` go by id, so a FILE is solved first. `id` has room for what is found. */
static int id_of(struct task *task, char id[static CM_ID_DIGITS + 1], const char **named)
{
  struct cm_solved solved;
  *named = task->options->id;
  if (!task->puzzle)
    return EXIT_ANSWERED;
  int result = cm_solve(task->client, task->puzzle, &solved);
  if (result < 0)
    return fail(task, result);
  memcpy(id, solved.id, CM_ID_DIGITS + 1);
  *named = id;
  return EXIT_ANSWERED;
}

static int run_stats(struct task *task)
{
  char id[CM_ID_DIGITS + 1];
  const char *named;
  struct cm_stats stats;
  int status = id_of(task, id, &named);
  if (status)
    return status;
  int result = cm_stats(task->client, named, &stats);
  if (result < 0)
    return fail(task, result);
  if (!show_json(task))
    show_stats(&stats);
  return EXIT_ANSWERED;
}

static int run_verify(struct task *task)
{
  char id[CM_ID_DIGITS + 1];
  const char *named;
  struct cm_verify verify;
  int status = id_of(task, id, &named);
  if (status)
    return status;
  int result = cm_verify(task->client, named, &verify);
  if (result < 0)
    return fail(task, result);
  if (!show_json(task))
    show_verify(&verify);
  return EXIT_ANSWERED;
}

static int run_list(struct task *task)
{
  struct cm_list list;
  int result = cm_list(task->client, &list);
  if (result < 0)
    return fail(task, result);
  if (!show_json(task))
    show_list(&list);
  return EXIT_ANSWERED;
}

static int run_evict(struct task *task)
{
  struct cm_evicted evicted;
  bool one = task->options->command == COMMAND_EVICT;
  int result = one ? cm_evict(task->client, task->options->argument, &evicted)
                   : cm_clear(task->client, &evicted);
  if (result < 0)
    return fail(task, result);
  if (!show_json(task))
    show_evicted(&evicted);
  return EXIT_ANSWERED;
}

static int run_status(struct task *task)
{
  struct cm_status status;
  int result = cm_status(task->client, &status);
  if (result < 0)
    return fail(task, result);
  if (!show_json(task))
    show_status(&status);
  return EXIT_ANSWERED;
}

static int run_ping(struct task *task)
{
  int result = cm_ping(task->client);
  if (result < 0)
    return fail(task, result);
  if (!show_json(task))
    puts("pong");
  return EXIT_ANSWERED;
}

static int run_stop(struct task *task)
{
  uint64_t pending;
  int result = cm_shutdown(task->client, &pending);
  if (result < 0)
    return fail(task, result);
  if (!show_json(task))
    puts("The daemon has ended.");
  return EXIT_ANSWERED;
}

static int run_sockname(struct task *task)
{
  const char *path = cm_socket(task->client);
  if (!path)
    return fail(task, -EINVAL);
  puts(path);
  return EXIT_ANSWERED;
}

static int dispatch(struct task *task)
{
  switch (task->options->command) {
  case COMMAND_SOLVE: return run_solve(task);
  case COMMAND_QUERY: return run_query(task);
  case COMMAND_LINE: return run_line(task);
  case COMMAND_STATS: return run_stats(task);
  case COMMAND_VERIFY: return run_verify(task);
  case COMMAND_LIST: return run_list(task);
  case COMMAND_EVICT:
  case COMMAND_CLEAR: return run_evict(task);
  case COMMAND_STATUS: return run_status(task);
  case COMMAND_PING: return run_ping(task);
  case COMMAND_STOP: return run_stop(task);
  case COMMAND_SOCKNAME: return run_sockname(task);
  case COMMAND_COUNT: break;
  }
  return EXIT_USAGE;
}

int command_run(struct cm_client *client, const struct options *options)
{
  struct task task = {.client = client, .options = options};
  bool reads =
      options->command == COMMAND_SOLVE || (options->argument && options->command != COMMAND_EVICT);
  int status = EXIT_ANSWERED;
  if (reads)
    status = puzzle_file_read(client, options->argument, &task.puzzle);
  style_init(&task.style, task.puzzle);
  if (status == EXIT_ANSWERED)
    status = dispatch(&task);
  cm_puzzle_free(task.puzzle);
  return status;
}
