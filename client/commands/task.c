/*
 * The happy path: a client is made where the command needs one, the command runs, and its answer is flushed.
 * Ctrl-C cancels the call under way.
 */
#include "client/commands/task.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>

#include "client/client.h"

/* What the signal handler needs; handlers take no argument of ours. */
static struct cm_client *interrupted_client;

static void on_interrupt(int number)
{
  (void)number;
  cm_cancel(interrupted_client); /* NOLINT(bugprone-signal-handler,cert-sig30-c): made for that */
}

void task_interrupt_ends(void)
{
  signal(SIGINT, SIG_DFL);
}

/* The first Ctrl-C cancels; where that does not help, the second ends the program. */
void task_interrupt_cancels(const struct task *task)
{
  struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESETHAND | SA_RESTART};
  if (!task->client)
    return;
  interrupted_client = task->client;
  sigaction(SIGINT, &action, NULL);
}

int task_fail(struct task *task, int status, const char *name, const char *sentence,
              const char *details)
{
  progress_line_end(&task->progress);
  if (task->options->json)
    failure_print_json(name, sentence, details);
  else
    failure_print(name, sentence, details);
  return status;
}

int task_misuse(struct task *task, const char *format, ...)
{
  char sentence[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  return task_fail(task, EXIT_USAGE, NULL, sentence, NULL);
}

int task_call_failed(struct task *task, int result)
{
  const bool is_late = result == -ETIMEDOUT && task->options->timeout_ms > 0;
  return task_fail(task, call_status(result), cm_error_name(task->client), cm_error(task->client),
                   is_late ? "--timeout gives it more; 0 waits for ever.\n" : NULL);
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
  task_interrupt_cancels(task);
  return 0;
}

int task_run(const struct command_line *line)
{
  struct task task = {.command = line->command,
                      .options = &line->options,
                      .own = line->own,
                      .arguments = line->arguments,
                      .arguments_count = line->arguments_count,
                      .after_dashes = line->after_dashes};
  int status = 0;
  progress_line_init(&task.progress);
  style_init(&task.style, (enum colour_when)line->options.colour);
  if (line->command->needs != NEEDS_NO_CLIENT)
    status = open_client(&task);
  if (status == 0)
    status = line->command->run(&task);
  task_interrupt_ends();
  cm_puzzle_free(task.puzzle);
  cm_close(task.client);
  return status == EXIT_ANSWERED ? answer_end() : status;
}
