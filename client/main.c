/* cmclient: one command, one answer. */
#include "client/commands/task.h"

int main(int argc, char **argv)
{
  struct command_line line;
  command_line_parse(argc, argv, &line);
  int status = task_run(&line);
  command_line_deinit(&line);
  return status;
}
