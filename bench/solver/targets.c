/* One table of floors, by kind of family and size; a figure that was not measured misses nothing. */
#include "bench/solver/targets.h"

#include <stdio.h>
#include <string.h>

enum { LARGE_NODES = 5000, HUGE_NODES = 10000 };

struct floors {
  uint32_t nodes[3];  /* sizes, 0 for none */
  double textbook[3]; /* at these sizes: at least so many times faster than the textbook */
  double
      limit_large; /* from LARGE_NODES on: at most so many times the physical limit, 0 for none */
};

static const struct floors floors[] = {
    [KIND_DENSE] = {{50, 1000, 2000}, {12, 150, 300}, 8},
    [KIND_DEGREE_16] = {{50, 1000, 10000}, {20, 30, 150}, 4},
    [KIND_SPARSE] = {{50, 1000, 10000}, {3, 15, 50}, 4},
    [KIND_GRID] = {{50, 1000, 10000}, {3, 6, 22}, 4},
    [KIND_TREE] = {{50, 1000, 10000}, {3, 6, 15}, 7},
    [KIND_THIN] = {{50, 1000, 10000}, {3, 6, 15}, 4},
    [KIND_CLIQUES] = {{0}, {0}, 0},
    [KIND_GAME] = {{64, 1024}, {6, 6}, 0},
};

static const double threads_large = 1.5, threads_never_slower = 0.95 /* what timing can tell */;
static const double stop_ms = 20;
static const double bytes_huge[] = {[1] = 2, [2] = 3};

static void judge(struct verdict_on_row *verdict, const char *name, double figure, const char *sign,
                  double bound)
{
  bool reached = *sign == '<' ? figure <= bound : figure >= bound;
  if (figure == 0)
    return;
  verdict->set++;
  if (reached)
    return;
  verdict->missed++;
  size_t length = strlen(verdict->text);
  snprintf(verdict->text + length, sizeof verdict->text - length, "%s%s %s %g", length ? ", " : "",
           name, sign, bound);
}

void targets_check(const struct row *row, struct verdict_on_row *verdict)
{
  *verdict = (struct verdict_on_row){0};
  const struct floors *floor = &floors[row->family->kind];
  uint32_t size = row->family->nodes_fixed ? row->family->nodes_fixed : row->asked_nodes;
  for (size_t i = 0; i < 3; i++)
    if (floor->nodes[i] == size)
      judge(verdict, "textbook", row->runs[CONTESTANT_TEXTBOOK].ratio, ">=", floor->textbook[i]);
  if (size >= LARGE_NODES && floor->limit_large > 0)
    judge(verdict, "limit", row->runs[CONTESTANT_LIMIT].ratio, "<=", floor->limit_large);
  judge(verdict, "threads", row->runs[CONTESTANT_THREADS].ratio,
        ">=", size >= LARGE_NODES ? threads_large : threads_never_slower);
  if (size >= HUGE_NODES && row->width <= 2)
    judge(verdict, "bytes", row->peak_bytes, "<=", bytes_huge[row->width]);
  judge(verdict, "stop", row->stop_ms, "<=", stop_ms);
  if (verdict->set > 0 && verdict->missed == 0)
    snprintf(verdict->text, sizeof verdict->text, "ok");
}
