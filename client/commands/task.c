/*
 * The happy path: a client is made where the command needs one, the command runs, and its answer is flushed.
 * Ctrl-C cancels the call under way; while a puzzle is read, it ends the program.
 */
#include "client/commands/task.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "client/puzzle_file.h"

/* What the signal handler needs; handlers take no argument of ours. */
static struct cm_client *interrupted_client;

static void on_interrupt(int number)
{
  (void)number;
  cm_cancel(interrupted_client); /* NOLINT(bugprone-signal-handler,cert-sig30-c): made for that */
}

/* The first Ctrl-C cancels; where that does not help, the second ends the program. */
static void catch_interrupt(struct cm_client *client)
{
  struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESETHAND | SA_RESTART};
  interrupted_client = client;
  sigaction(SIGINT, &action, NULL);
}

int task_misuse(struct task *task, const char *format, ...)
{
  char sentence[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  progress_line_end(&task->progress);
  return usage_error("%s", sentence);
}

int task_call_failed(struct task *task, int result)
{
  progress_line_end(&task->progress);
  return call_failed(task->client, result);
}

bool task_answered(struct task *task, int result, int *status)
{
  const char *json;
  progress_line_end(&task->progress);
  *status = EXIT_ANSWERED;
  if (result < 0)
    *status = task_call_failed(task, result);
  else if (!task->options->json)
    return true;
  else if ((json = cm_json(task->client)))
    puts(json);
  else
    *status = task_misuse(task, "out of memory for the answer");
  return false;
}

int task_read_puzzle(struct task *task, const char *path)
{
  signal(SIGINT, SIG_DFL);
  int status = puzzle_file_read(task->client, path, &task->puzzle);
  catch_interrupt(task->client);
  style_set_puzzle(&task->style, task->puzzle);
  return status;
}

int task_find_subject(struct task *task, bool by_id, struct subject *subject)
{
  struct cm_solved solved;
  if (task->options->id && task->arguments_count > 0)
    return task_misuse(task, "give a FILE or --id, not both");
  if (task->arguments_count > 0) {
    int status = task_read_puzzle(task, task->arguments[0]);
    if (status)
      return status;
  }
  subject->which = (struct cm_which){task->options->id, task->puzzle};
  if (!task->puzzle || !(by_id || progress_line_wanted()))
    return 0;
  int result = cm_solve(task->client, task->puzzle, &solved);
  if (result < 0)
    return task_call_failed(task, result);
  memcpy(subject->solved_id, solved.id, sizeof subject->solved_id);
  subject->which = (struct cm_which){.id = subject->solved_id};
  return 0;
}

static int open_client(struct task *task)
{
  const struct options *options = task->options;
  const struct cm_options wanted = {
      .socket = options->socket,
      .no_autostart = options->no_autostart || task->command->needs != NEEDS_DAEMON,
      .timeout_ms = options->timeout_ms,
      .on_progress = progress_line_wanted() ? progress_line_on_progress : NULL,
      .context = &task->progress,
  };
  if (cm_open(&wanted, &task->client) < 0)
    return usage_error("out of memory");
  catch_interrupt(task->client);
  return 0;
}

int task_run(const struct command_line *line)
{
  struct task task = {.command = line->command,
                      .options = &line->options,
                      .own = line->own,
                      .arguments = line->arguments,
                      .arguments_count = line->arguments_count};
  int status = 0;
  progress_line_init(&task.progress);
  style_init(&task.style, (enum colour_when)line->options.colour);
  if (line->command->needs != NEEDS_NO_CLIENT)
    status = open_client(&task);
  if (status == 0)
    status = line->command->run(&task);
  signal(SIGINT, SIG_DFL);
  cm_puzzle_free(task.puzzle);
  cm_close(task.client);
  return status == EXIT_ANSWERED ? answer_end() : status;
}
