#include "bench/command.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/measure.h"

static double microseconds(struct timeval time)
{
  return (double)time.tv_sec * 1e6 + (double)time.tv_usec;
}

struct command_time command_run(char *const arguments[])
{
  posix_spawn_file_actions_t actions;
  struct rusage usage;
  pid_t pid;
  int status;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  uint64_t begin = wall_ns();
  if (posix_spawnp(&pid, arguments[0], &actions, NULL, arguments, environ) != 0)
    die("cannot start %s", arguments[0]);
  if (wait4(pid, &status, 0, &usage) < 0 || status != 0)
    die("%s failed", arguments[0]);
  double wall_us = (double)(wall_ns() - begin) / 1e3;
  posix_spawn_file_actions_destroy(&actions);
  return (struct command_time){wall_us,
                               microseconds(usage.ru_utime) + microseconds(usage.ru_stime)};
}
