/* The language server for editors: a program of its own, which this one becomes. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/commands/task.h"
#include "client/system.h"

struct lsp_options {
  bool stdio;
};

static const struct option_kind own_options[] = {
    {.name = "stdio",
     .take = take_flag,
     .field = offsetof(struct lsp_options, stdio),
     .meaning = "speak on standard input and output, which is done anyway"},
    {0}};

static void become(const char *folder, const char *relative, char *own)
{
  char path[2 * PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", folder, relative);
  execv(path, (char *const[]){path, own, NULL});
}

static int run(struct task *task)
{
  char own[PATH_MAX], folder[PATH_MAX];
  int folder_length = program_path(own);
  snprintf(folder, sizeof folder, "%.*s", folder_length, own);
  if (task->options->socket)
    setenv("CATMOUSE_SOCKET", task->options->socket, 1);
  if (task->options->no_autostart)
    setenv("CATMOUSE_AUTOSTART", "0", 1);
  if (isatty(STDIN_FILENO))
    fputs(
        "cmclient: editors talk to this; docs/EDITORS.md says how they find it. Ctrl-C ends it.\n",
        stderr);
  become(folder, "../lsp/cmlsp", own); /* as the build tree has it */
  become(folder, "../libexec/catmouse/cmlsp", own);
  become(CATMOUSE_LIBEXECDIR, "catmouse/cmlsp", own);
  return task_misuse(task, "cannot start the language server %s/catmouse/cmlsp: %s",
                     CATMOUSE_LIBEXECDIR, strerror(errno));
}

const struct command command_lsp = {
    .name = "lsp",
    .arguments = "",
    .meaning = "serve an editor, in the Language Server Protocol",
    .details = "Editors start it; docs/EDITORS.md says how. It speaks on standard input and output "
               "until it is told to exit.",
    .needs = NEEDS_NO_CLIENT,
    .shared = OPTION(SOCKET) | OPTION(NO_AUTOSTART),
    .own = own_options,
    .own_bytes = sizeof(struct lsp_options),
    .run = run,
};
