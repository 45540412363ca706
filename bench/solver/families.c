/* The table of families, and the graphs that are no grid. */
#include "bench/solver/families.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure.h"

/* Each of the pairs with probability p, by geometric skips (Batagelj and Brandes 2005). */
static void make_random(uint32_t nodes, uint32_t degree, struct random *random,
                        struct specimen *specimen)
{
  struct draft draft;
  draft_init(&draft, nodes);
  double scale = log1p(-(double)degree / (nodes - 1));
  uint64_t from = 1, to = 0;
  for (;;) {
    to += (uint64_t)(log(random_unit(random)) / scale);
    for (; from < nodes && to >= from; from++)
      to -= from;
    if (from >= nodes)
      break;
    draft_join(&draft, (uint32_t)from, (uint32_t)to++);
  }
  draft_finish(&draft, random, specimen);
}

static void make_dense(uint32_t nodes, uint32_t divisor, struct random *random,
                       struct specimen *specimen)
{
  make_random(nodes, nodes / divisor, random, specimen);
}

/* Pairs the stubs at random (configuration model); false where that gave a loop or a double edge. */
static bool pair_stubs(uint32_t *stubs, uint32_t count, struct random *random, struct edge *edges)
{
  random_shuffle(random, stubs, count);
  for (uint32_t i = 0; i < count / 2; i++) {
    uint32_t a = stubs[2 * i], b = stubs[2 * i + 1];
    if (a == b)
      return false;
    edges[i] = a < b ? (struct edge){a, b} : (struct edge){b, a};
  }
  return true;
}

static int compare_edges(const void *left, const void *right)
{
  const struct edge *a = left, *b = right;
  if (a->from != b->from)
    return a->from < b->from ? -1 : 1;
  return (a->to > b->to) - (a->to < b->to);
}

static bool has_double(struct edge *edges, uint32_t count)
{
  qsort(edges, count, sizeof *edges, compare_edges);
  for (uint32_t i = 1; i < count; i++)
    if (compare_edges(&edges[i - 1], &edges[i]) == 0)
      return true;
  return false;
}

static void make_regular(uint32_t nodes, uint32_t degree, struct random *random,
                         struct specimen *specimen)
{
  uint32_t even = nodes & ~1u, count = even * degree;
  uint32_t *stubs = need_memory(count, sizeof *stubs);
  struct edge *edges = need_memory(count / 2, sizeof *edges);
  for (uint32_t i = 0; i < count; i++)
    stubs[i] = i / degree;
  while (!pair_stubs(stubs, count, random, edges) || has_double(edges, count / 2))
    ;
  struct draft draft;
  draft_init(&draft, even);
  for (uint32_t i = 0; i < count / 2; i++)
    draft_join(&draft, edges[i].from, edges[i].to);
  free(stubs);
  free(edges);
  draft_finish(&draft, random, specimen);
}

/* Uniform among labelled trees: a random walk on the complete graph (Aldous 1990, Broder 1989). */
static void make_tree(uint32_t nodes, uint32_t unused, struct random *random,
                      struct specimen *specimen)
{
  (void)unused;
  struct draft draft;
  draft_init(&draft, nodes);
  uint8_t *seen = need_memory(nodes, 1);
  uint32_t at = random_below(random, nodes), left = nodes - 1;
  seen[at] = 1;
  while (left > 0) {
    uint32_t next = random_below(random, nodes);
    if (!seen[next]) {
      draft_join(&draft, at, next);
      seen[next] = 1;
      left--;
    }
    at = next;
  }
  free(seen);
  draft_finish(&draft, random, specimen);
}

static void join_path(struct draft *draft, uint32_t begin, uint32_t end)
{
  for (uint32_t node = begin; node + 1 < end; node++)
    draft_join(draft, node, node + 1);
}

static void make_path(uint32_t nodes, uint32_t unused, struct random *random,
                      struct specimen *specimen)
{
  (void)unused;
  struct draft draft;
  draft_init(&draft, nodes);
  join_path(&draft, 0, nodes);
  draft_finish(&draft, random, specimen);
}

static void make_chords(uint32_t nodes, uint32_t nodes_a_chord, struct random *random,
                        struct specimen *specimen)
{
  struct draft draft;
  draft_init(&draft, nodes);
  join_path(&draft, 0, nodes);
  draft_join(&draft, nodes - 1, 0);
  for (uint32_t chords = nodes / nodes_a_chord; chords > 0; chords--)
    draft_join(&draft, random_below(random, nodes), random_below(random, nodes));
  draft_finish(&draft, random, specimen);
}

/* Half of the nodes are a spine, the others legs at random places of it. */
static void make_caterpillar(uint32_t nodes, uint32_t unused, struct random *random,
                             struct specimen *specimen)
{
  (void)unused;
  struct draft draft;
  draft_init(&draft, nodes);
  uint32_t spine = nodes / 2;
  join_path(&draft, 0, spine);
  for (uint32_t leg = spine; leg < nodes; leg++)
    draft_join(&draft, random_below(random, spine), leg);
  draft_finish(&draft, random, specimen);
}

static void join_clique(struct draft *draft, uint32_t begin, uint32_t end)
{
  for (uint32_t a = begin; a < end; a++)
    for (uint32_t b = a + 1; b < end; b++)
      draft_join(draft, a, b);
}

/* Two cliques of a third of the nodes each, with a path between them. */
static void make_barbell(uint32_t nodes, uint32_t unused, struct random *random,
                         struct specimen *specimen)
{
  (void)unused;
  struct draft draft;
  draft_init(&draft, nodes);
  uint32_t clique = nodes / 3;
  join_clique(&draft, 0, clique);
  join_path(&draft, clique - 1, nodes - clique + 1);
  join_clique(&draft, nodes - clique, nodes);
  draft_finish(&draft, random, specimen);
}

static void make_bipartite(uint32_t nodes, uint32_t unused, struct random *random,
                           struct specimen *specimen)
{
  (void)unused;
  struct draft draft;
  draft_init(&draft, nodes);
  for (uint32_t a = 0; a < nodes / 2; a++)
    for (uint32_t b = nodes / 2; b < nodes; b++)
      draft_join(&draft, a, b);
  draft_finish(&draft, random, specimen);
}

const struct family families[] = {
    {"degree4", KIND_SPARSE, 0, 0, 4, "G(n,p) of average degree 4", make_random},
    {"degree16", KIND_DEGREE_16, 0, 0, 16, "G(n,p) of average degree 16", make_random},
    {"dense", KIND_DENSE, 0, 5000, 4, "G(n,p) of average degree n/4", make_dense},
    {"regular3", KIND_SPARSE, 0, 0, 3, "random 3-regular graph", make_regular},
    {"grid", KIND_GRID, 0, 0, 0, "grid graph with 20 % walls, its largest part", make_grid_graph},
    {"maze", KIND_TREE, 0, 0, 0, "random spanning tree of a grid (Kruskal)", make_maze},
    {"corridors", KIND_TREE, 0, 0, 0, "depth-first spanning tree of a grid", make_corridors},
    {"tree", KIND_TREE, 0, 0, 0, "uniform random labelled tree", make_tree},
    {"path", KIND_THIN, 0, 0, 0, "path", make_path},
    {"chords", KIND_THIN, 0, 0, 10, "cycle with n/10 random chords", make_chords},
    {"caterpillar", KIND_TREE, 0, 0, 0, "path of n/2 nodes with n/2 legs", make_caterpillar},
    {"barbell", KIND_CLIQUES, 0, 5000, 0, "two cliques of n/3 and a path", make_barbell},
    {"bipartite", KIND_CLIQUES, 0, 5000, 0, "complete bipartite, two halves", make_bipartite},
    {"game8-1", KIND_GAME, 64, 0, 1, "grid game 8x8, jumps of 1", make_grid_game},
    {"game8-3", KIND_GAME, 64, 0, 3, "grid game 8x8, jumps of 3", make_grid_game},
    {"game8-8", KIND_GAME, 64, 0, 8, "grid game 8x8, jumps of 8", make_grid_game},
    {"game32-1", KIND_GAME, 1024, 0, 1, "grid game 32x32, jumps of 1", make_grid_game},
    {"game32-3", KIND_GAME, 1024, 0, 3, "grid game 32x32, jumps of 3", make_grid_game},
    {"game32-8", KIND_GAME, 1024, 0, 8, "grid game 32x32, jumps of 8", make_grid_game},
};
const uint32_t families_count = sizeof families / sizeof families[0];

void family_make(const struct family *family, uint32_t nodes, uint64_t seed,
                 struct specimen *specimen)
{
  struct random random = {seed};
  random.state ^= random_next(&random) + nodes;
  family->make(family->nodes_fixed ? family->nodes_fixed : nodes, family->parameter, &random,
               specimen);
}

const struct family *family_named(const char *name)
{
  for (uint32_t i = 0; i < families_count; i++) {
    if (strcmp(families[i].name, name) == 0)
      return &families[i];
  }
  die("no family %s", name);
}
