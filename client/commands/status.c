/* How the daemon is doing. */
#include "client/commands/task.h"
#include "client/show_daemon.h"

struct status_options {
  bool limits;
};

static const struct option_kind own_options[] = {{.name = "limits",
                                                  .take = take_flag,
                                                  .field = offsetof(struct status_options, limits),
                                                  .meaning = "say what the daemon allows"},
                                                 {0}};

static int run(struct task *task)
{
  const struct status_options *own = task->own;
  struct cm_status daemon;
  int status;
  if (!task_answered(task, cm_status(task->client, &daemon), &status))
    return status;
  if (own->limits)
    show_limits(&daemon);
  else
    show_status(&daemon);
  return EXIT_ANSWERED;
}

const struct command command_status = {
    .name = "status",
    .details = "Says what the daemon is doing and has done, in six lines.",
    .arguments = "",
    .meaning = "say how the daemon is doing",
    .example = "$ cmclient status | head -4\n"
               "cmdaemon 0.1.0, process 4218, up for 1.7 s\n"
               "connections: 1\n"
               "solves: 0 under way, 0 waiting, 1 done\n"
               "requests: 2, of these 0 answered from memory\n",
    .needs = NEEDS_CLIENT,
    .shared = OPTION(JSON) | OPTION(COLOUR),
    .own = own_options,
    .own_bytes = sizeof(struct status_options),
    .run = run,
};
