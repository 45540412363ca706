/* The kinds of puzzle that the bench measures, each made from a size and a seed. */
#ifndef CATMOUSE_BENCH_SOLVER_FAMILIES_H
#define CATMOUSE_BENCH_SOLVER_FAMILIES_H

#include <stdint.h>

#include "bench/solver/specimen.h"

/* Families of one kind have the same targets; see targets.c. */
enum kind {
  KIND_DENSE,
  KIND_DEGREE_16,
  KIND_SPARSE,
  KIND_GRID,
  KIND_TREE, /* trees and mazes */
  KIND_THIN, /* paths and cycles */
  KIND_CLIQUES,
  KIND_GAME,
};

struct family {
  const char *name;
  enum kind kind;
  uint32_t nodes_fixed; /* the only size it has, or 0 */
  uint32_t
      nodes_max; /* beyond this the textbook takes hours or the lists gigabytes; 0 for no bound */
  uint32_t parameter; /* a degree or a jump */
  const char *meaning;
  void (*make)(uint32_t nodes, uint32_t parameter, struct random *random,
               struct specimen *specimen);
};

extern const struct family families[];
extern const uint32_t families_count;

/* Ends the bench where none is called so. */
const struct family *family_named(const char *name);

/* Makes a puzzle of about `nodes` nodes (ignored where the size is fixed), to be ended with specimen_deinit(). */
void family_make(const struct family *family, uint32_t nodes, uint64_t seed,
                 struct specimen *specimen);

/* Makers that live in grids.c. */
void make_grid_graph(uint32_t nodes, uint32_t unused, struct random *random,
                     struct specimen *specimen);
void make_maze(uint32_t nodes, uint32_t unused, struct random *random, struct specimen *specimen);
void make_corridors(uint32_t nodes, uint32_t unused, struct random *random,
                    struct specimen *specimen);
void make_grid_game(uint32_t nodes, uint32_t jump, struct random *random,
                    struct specimen *specimen);

#endif
