/* cmclient: one command, one answer. Ctrl-C ends the call under way; a reader of stdout that has gone, all. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "client/commands.h"
#include "client/progress.h"

/* What the signal handler needs; handlers take no argument of ours. */
static struct cm_client *interrupted_client;

static void on_interrupt(int number)
{
  (void)number;
  cm_cancel(interrupted_client); /* NOLINT(bugprone-signal-handler,cert-sig30-c): made for that */
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
      .on_progress = progress_line_on_progress,
      .context = &progress,
  };
  if (cm_open(&wanted, &client) < 0)
    return usage_error("out of memory");
  interrupted_client = client;
  signal(SIGINT, on_interrupt);
  int status = command_run(client, &options);
  progress_line_end(&progress);
  signal(SIGINT, SIG_DFL);
  cm_close(client);
  if (fflush(stdout) != 0 && status == EXIT_ANSWERED)
    return usage_error("cannot write the answer");
  return status;
}
