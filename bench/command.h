/* Whole runs of a command. */
#ifndef CATMOUSE_BENCH_COMMAND_H
#define CATMOUSE_BENCH_COMMAND_H

struct command_time {
  double wall_us; /* from spawn to exit */
  double cpu_us;
};

/* Runs the command, whose arguments end with NULL, on empty input, its output thrown away. Ends the bench where it fails. */
struct command_time command_run(char *const arguments[]);

#endif
