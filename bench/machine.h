/* The machine that the figures belong to. */
#ifndef CATMOUSE_BENCH_MACHINE_H
#define CATMOUSE_BENCH_MACHINE_H

#include <jansson.h>

struct machine {
  char processor[128]; /* as /proc/cpuinfo names it */
  int cores;
  char kernel[128];
  const char *compiler;
};

void machine_describe(struct machine *machine);

/* One line on stdout. */
void machine_print(const struct machine *machine);

/* A new reference, owned by the caller. */
json_t *machine_json(const struct machine *machine);

#endif
