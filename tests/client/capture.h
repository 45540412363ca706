/* Runs what prints and exits in a process of its own, and keeps what came of it. */
#ifndef CATMOUSE_TESTS_CLIENT_CAPTURE_H
#define CATMOUSE_TESTS_CLIENT_CAPTURE_H

enum { CAPTURE_MAX = 1 << 14 };

struct captured {
  int status; /* it exited with; -1 where it did not exit */
  char out[CAPTURE_MAX];
  char err[CAPTURE_MAX];
};

/* `run` returns the exit status, unless it exits by itself. */
void capture(int (*run)(void *context), void *context, struct captured *captured);

#endif
