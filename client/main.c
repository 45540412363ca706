/* cmclient: one command, one answer. Ctrl-C ends the call under way; a reader of stdout that has gone, all. */
#include <signal.h>
#include <stdio.h>

#include "client/commands.h"
#include "client/failure.h"
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

static int run(struct cm_client *client, const struct options *options,
               struct progress_line *progress)
{
  struct cm_puzzle *puzzle = NULL;
  int status = EXIT_ANSWERED;
  if (options_name_puzzle(options))
    status = puzzle_file_read(client, options->argument, &puzzle);
  catch_interrupt(client);
  if (status == EXIT_ANSWERED)
    status = command_run(client, options, puzzle, progress);
  signal(SIGINT, SIG_DFL);
  cm_puzzle_free(puzzle);
  return status;
}

int main(int argc, char **argv)
{
  struct options options;
  struct progress_line progress;
  struct cm_client *client;
  options_parse(argc, argv, &options);
  progress_line_init(&progress);
  const struct cm_options wanted = {
      .socket = options.socket,
      .no_autostart = options.no_autostart || !command_starts_daemon(options.command),
      .timeout_ms = options.timeout_ms,
      .on_progress = progress_line_wanted() ? progress_line_on_progress : NULL,
      .context = &progress,
  };
  if (cm_open(&wanted, &client) < 0)
    return usage_error("out of memory");
  int status = run(client, &options, &progress);
  cm_close(client);
  return status == EXIT_ANSWERED ? answer_end() : status;
}
