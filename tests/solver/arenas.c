/* Each arena begins as a matrix of who can go where, and is then listed. */
#include "tests/solver/arenas.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/*
 * Xorshift64*, Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled".
 */
uint32_t random_below(struct random *random, uint32_t bound)
{
  random->state ^= random->state >> 12;
  random->state ^= random->state << 25;
  random->state ^= random->state >> 27;
  return (uint32_t)((random->state * UINT64_C(2685821657736338717)) >> 33) % bound;
}

void *zeroed(size_t count, size_t size)
{
  void *memory = calloc(count ? count : 1, size);
  assert_non_null(memory);
  return memory;
}

static void specimen_init(struct specimen *specimen, uint32_t nodes)
{
  *specimen = (struct specimen){.arena = {.nodes = nodes, .endless = OUTCOME_DRAW}};
  for (int set = 0; set < 4; set++)
    specimen->sets[set] = zeroed(nodes / 64 + 1, sizeof(uint64_t));
  for (int player = 0; player < 2; player++) {
    specimen->can[player] = zeroed((size_t)nodes * nodes, sizeof(bool));
    specimen->arena.home[player] = specimen->sets[player];
    specimen->arena.barred[player] = specimen->sets[2 + player];
  }
}

void specimen_deinit(struct specimen *specimen)
{
  for (int set = 0; set < 4; set++)
    free(specimen->sets[set]);
  for (int player = 0; player < 2; player++) {
    free(specimen->can[player]);
    free(specimen->begin[player]);
    free(specimen->end[player]);
    free(specimen->to[player]);
  }
}

static void set_add(uint64_t *set, uint32_t node)
{
  set[node / 64] |= UINT64_C(1) << node % 64;
}

/* Lists from the matrices; nobody moves to where it is barred. */
static void specimen_list(struct specimen *specimen)
{
  uint32_t nodes = specimen->arena.nodes;
  for (int player = 0; player < 2; player++) {
    uint32_t *begin = zeroed(nodes, sizeof *begin), *end = zeroed(nodes, sizeof *end), count = 0;
    uint32_t *to = zeroed((size_t)nodes * nodes, sizeof *to);
    for (uint32_t from = 0; from < nodes; from++) {
      begin[from] = count;
      for (uint32_t node = 0; node < nodes; node++)
        if (specimen->can[player][(size_t)from * nodes + node] &&
            !node_in(specimen->arena.barred[player], node))
          to[count++] = node;
      end[from] = count;
    }
    specimen->begin[player] = begin;
    specimen->end[player] = end;
    specimen->to[player] = to;
    specimen->arena.moves[player] = (struct moves){begin, end, to};
  }
}

static void allow(struct specimen *specimen, enum player player, uint32_t from, uint32_t to)
{
  specimen->can[player][(size_t)from * specimen->arena.nodes + to] = true;
}

static void allow_edge(struct specimen *specimen, uint32_t one, uint32_t other)
{
  for (int player = 0; player < 2; player++) {
    allow(specimen, (enum player)player, one, other);
    allow(specimen, (enum player)player, other, one);
  }
}

enum { CLASSES_MAX = 6 };

/*
 * Cliques and parts without edges, all of one beside all of another or none: nodes of a class are
 * twins.
 */
static void join_classes(struct specimen *specimen, struct random *random, uint32_t nodes)
{
  bool joined[CLASSES_MAX][CLASSES_MAX];
  uint8_t *class_of = zeroed(nodes, sizeof *class_of);
  uint32_t classes = 1 + random_below(random, CLASSES_MAX);
  for (uint32_t one = 0; one < classes; one++)
    for (uint32_t other = 0; other <= one; other++)
      joined[one][other] = joined[other][one] = random_below(random, 2);
  for (uint32_t node = 0; node < nodes; node++)
    class_of[node] = (uint8_t)random_below(random, classes);
  for (uint32_t node = 1; node < nodes; node++)
    for (uint32_t other = 0; other < node; other++)
      if (joined[class_of[node]][class_of[other]])
        allow_edge(specimen, node, other);
  free(class_of);
}

void make_mirrored(struct specimen *specimen, struct random *random, uint32_t nodes)
{
  specimen_init(specimen, nodes);
  specimen->arena.mirrored = true;
  set_add(specimen->sets[PLAYER_MOUSE], 0);
  set_add(specimen->sets[2 + PLAYER_CAT], 0);
  for (int player = 0; player < 2; player++)
    if (random_below(random, 4) == 0)
      set_add(specimen->sets[player], random_below(random, nodes));
  uint32_t kind = random_below(random, 5), joined = nodes - random_below(random, 2), first = 1;
  if (kind == 4)
    join_classes(specimen, random, first = 1 + random_below(random, joined));
  for (uint32_t node = first; node < joined && kind; node++)
    allow_edge(specimen, node, kind == 1 || kind == 4 ? node - 1 : random_below(random, node));
  uint32_t edges = kind == 0   ? nodes * (2 + random_below(random, 6))
                   : kind == 3 ? random_below(random, nodes * nodes / 4)
                               : random_below(random, 4);
  for (uint32_t edge = 0; edge < edges; edge++) {
    uint32_t one = random_below(random, joined), other = random_below(random, joined);
    if (one != other)
      allow_edge(specimen, one, other);
  }
  specimen_list(specimen);
}

void make_directed(struct specimen *specimen, struct random *random, uint32_t nodes)
{
  specimen_init(specimen, nodes);
  for (int set = 0; set < 4; set++)
    for (uint32_t count = random_below(random, 3); count > 0; count--)
      set_add(specimen->sets[set], random_below(random, nodes));
  for (int player = 0; player < 2; player++) {
    uint32_t moves = nodes * (1 + random_below(random, 4));
    for (uint32_t move = 0; move < moves; move++)
      allow(specimen, (enum player)player, random_below(random, nodes),
            random_below(random, nodes));
  }
  specimen_list(specimen);
}

void make_cycles(struct specimen *specimen, uint32_t mouse_length, uint32_t cat_length)
{
  uint32_t nodes = mouse_length + cat_length - 1;
  specimen_init(specimen, nodes);
  for (uint32_t node = 0; node < mouse_length; node++)
    allow(specimen, PLAYER_MOUSE, node, (node + 1) % mouse_length);
  for (uint32_t node = 0; node < cat_length; node++)
    allow(specimen, PLAYER_CAT, node ? mouse_length - 1 + node : 0,
          (node + 1) % cat_length ? mouse_length + node : 0);
  specimen_list(specimen);
}

static enum engine_level random_level(struct random *random)
{
  enum engine_level level;
  do
    level = (enum engine_level)random_below(random, ENGINE_LEVEL_AVX512 + 1);
  while (!engine_level_works(level));
  return level;
}

struct engine_options random_options(struct random *random, uint32_t nodes)
{
  return (struct engine_options){
      .level = random_level(random),
      .size = (enum engine_size)random_below(random, nodes <= 64 ? 3 : 1),
      .forall = (enum engine_forall)random_below(random, ENGINE_FORALL_UNION + 1),
      .exists = (enum engine_exists)random_below(random, ENGINE_EXISTS_PULL + 1),
      .order = (enum engine_order)random_below(random, ENGINE_ORDER_RENUMBER + 1),
      .output = (enum engine_output)random_below(random, ENGINE_OUTPUT_STREAMED + 1),
      .share_always = true,
  };
}
