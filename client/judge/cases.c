/*
 * The breakers of 8 and 9 nodes were found by `cmclient batch --roles all --longest` on all connected graphs, those of up
 * to 16 by changing random graphs a little at a time: their wins take more than 2n plies, from 12 nodes on more than 4n.
 * The one of 7 nodes breaks searches that call a position repeated whoever is to move.
 */
#include "client/judge/cases.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL_NODES_MOST = 6 };

static const char *const known_graphs[] = {
    "[[2,5],[3],[0,4,5],[1,4,5],[2,3],[0,2,3]]",
    "[[1,3],[0],[3],[0,2]]",
    "[[6],[2,5],[1,6],[4,6],[3,6],[1,6],[0,2,3,4,5]]",
    "[[2,5,7],[3,4,6,7],[0,3,4,7],[1,2,5,6],[1,2,6,7],[0,3,6,7],[1,3,4,5],[0,1,2,4,5]]",
    "[[7],[3,5,7],[6,7],[1,5,6],[5,6,7],[1,3,4],[2,3,4],[0,1,2,4]]",
    "[[2,8],[2,3,4,5],[0,1,4,5,7],[1,6,7,8],[1,2,6,8],[1,2,7,8],[3,4,7,8],[2,3,5,6],[0,3,4,5,6]]",
    "[[7],[2,3,8],[1,4,5,6],[1,7,8],[2,6,7],[2,6,8],[2,4,5,8],[0,3,4,8],[1,3,5,6,7]]",
    "[[3],[5,7,8],[6,7,9],[0,4,5,6,8],[3,8,9],[1,3,7,8,9],[2,3,7],[1,2,5,6],[1,3,4,5],[2,4,5]]",
    "[[3,8],[4,5,9],[4,6,7,8],[0,4,5,8],[1,2,3,6],[1,3,8,9],[2,4,7],[2,6,9],[0,2,3,5,9],[1,5,7,8]]",
    "[[6],[4,5,8],[3,7,8,9],[2,7,10],[1,6,10],[1,9,10],[0,4,8,10],[2,3,8,10],[1,2,6,7,9],[2,5,8],"
    "[3,4,5,6,7]]",
    "[[7],[4,6,8,11],[3,5,10,11],[2,5,6,8,11],[1,7,8],[2,3,6,8,9],[1,3,5,10],[0,4,8,10,11],"
    "[1,3,4,5,7,9],[5,8,10,11],[2,6,7,9],[1,2,3,7,9]]",
    "[[2,12],[2,3,5,7,8,9],[0,1,3,5,7,9],[1,2,6,11,12],[5,6,9,10],[1,2,4,7,9,10,11],"
    "[3,4,7,11,12],[1,2,5,6,8,9],[1,7,11,12],[1,2,4,5,7,12],[4,5,11,12],[3,5,6,8,10,12],"
    "[0,3,6,8,9,10,11]]",
    "[[4,5,10],[2,5,9,10,13],[1,3,5,7,10,13],[2,5,6,9,12],[0,8,9,10,11,13],[0,1,2,3,6,10,11],"
    "[3,5,8,10,12],[2,8,10,11],[4,6,7,9,11,12,13],[1,3,4,8,11,12,13],[0,1,2,4,5,6,7],"
    "[4,5,7,8,9,12,13],[3,6,8,9,11],[1,2,4,8,9,11]]",
    "[[2,13],[2,5,6,8,11],[0,1,3,5,8,9,10,11],[2,4,7,10],[3,7,9,11,12,13,14],[1,2,6,7,14],"
    "[1,5,8,13],[3,4,5,9,14],[1,2,6,10,11,14],[2,4,7,12,13,14],[2,3,8,12,13],[1,2,4,8,12],"
    "[4,9,10,11,13],[0,4,6,9,10,12,14],[4,5,7,8,9,13]]",
    "[[10,13],[2,11,12,13,14],[1,3,4,11,12,13],[2,6,7,8,10],[2,5,8,9,13,15],[4,8,9,12,13,14],"
    "[3,8,11,14],[3,8,10,11,13],[3,4,5,6,7,10],[4,5,10,13,14],[0,3,7,8,9,12,15],[1,2,6,7,12,14],"
    "[1,2,5,10,11,13,15],[0,1,2,4,5,7,9,12],[1,5,6,9,11,15],[4,10,12,14]]",
};

struct known_grid {
  const char *rows[SIDE_MOST];
  int32_t cat_jump, mouse_jump;
};

static const struct known_grid known_grids[] = {
    {{"####F", "#C...", "M...."}, 1, 2},
    {{"M.C...F"}, 1, 4},
    {{"M.C...F"}, 1, 3},
    {{"C...#", "...#F", "....#", "M...."}, 2, 5},
    {{".M...", "..#..", "#..#.", "C#.#.", "...#F"}, 3, 1},
    {{"M.......", "#######.", "........", ".#######", ".......#", "######.#", ".......#",
      "F#####.C"},
     1,
     1},
    {{"M.......", "#######.", "........", ".#######", ".......#", "######.#", ".......#",
      "F######C"},
     1,
     1},
};

/* A splitmix64 generator. */
struct chance {
  uint64_t state;
};

static uint64_t chance_next(struct chance *chance)
{
  uint64_t mixed = chance->state += 0x9e3779b97f4a7c15;
  mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
  return mixed ^ mixed >> 31;
}

static uint32_t below(struct chance *chance, uint32_t bound)
{
  return (uint32_t)((chance_next(chance) >> 32) * bound >> 32);
}

static struct challenge *add(struct case_list *list)
{
  if (list->count == list->room) {
    size_t room = list->room ? 2 * list->room : 256;
    struct challenge *more = realloc(list->cases, room * sizeof *more);
    if (!more)
      return NULL;
    list->cases = more;
    list->room = room;
  }
  list->cases[list->count] = (struct challenge){0};
  return &list->cases[list->count++];
}

static void join(struct challenge *challenge, uint32_t a, uint32_t b)
{
  if (a == b)
    return;
  challenge->neighbours[a] |= UINT64_C(1) << b;
  challenge->neighbours[b] |= UINT64_C(1) << a;
}

static void join_pairs(struct challenge *challenge, uint32_t nodes, unsigned pairs)
{
  *challenge = (struct challenge){.game = GAME_GRAPH, .nodes = nodes};
  for (uint32_t a = 0; a < nodes; a++) {
    for (uint32_t b = a + 1; b < nodes; b++, pairs >>= 1) {
      if (pairs & 1)
        join(challenge, a, b);
    }
  }
}

/* All legal ones of so many nodes. */
static int add_small(struct case_list *list, uint32_t nodes)
{
  for (unsigned pairs = 0; pairs < 1u << (nodes * (nodes - 1) / 2); pairs++) {
    struct challenge challenge, *room;
    join_pairs(&challenge, nodes, pairs);
    if (!challenge_is_legal(&challenge))
      continue;
    room = add(list);
    if (!room)
      return -ENOMEM;
    *room = challenge;
  }
  return 0;
}

/* A tree, and edges on top: few for long wins, many for what a slow solver cannot bear. */
static void random_graph(struct chance *chance, uint32_t nodes, uint32_t extra,
                         struct challenge *challenge)
{
  *challenge = (struct challenge){.game = GAME_GRAPH, .nodes = nodes};
  uint32_t place[NODES_MOST];
  for (uint32_t i = 0; i < nodes; i++) {
    uint32_t at = below(chance, i + 1);
    place[i] = place[at];
    place[at] = i;
  }
  uint32_t near = 1 + below(chance, nodes);
  for (uint32_t i = 1; i < nodes; i++)
    join(challenge, place[i], place[i - 1 - below(chance, i < near ? i : near)]);
  for (uint32_t i = 0; i < extra; i++)
    join(challenge, below(chance, nodes), below(chance, nodes));
}

static void random_grid(struct chance *chance, struct challenge *challenge)
{
  *challenge = (struct challenge){.game = GAME_GRID,
                                  .rows = 1 + below(chance, SIDE_MOST),
                                  .cols = 1 + below(chance, SIDE_MOST)};
  if (challenge->rows * challenge->cols < 3)
    challenge->cols = SIDE_MOST;
  uint32_t cells = challenge->rows * challenge->cols, walls = below(chance, 50);
  for (uint32_t cell = 0; cell < cells; cell++)
    challenge->cell[cell / challenge->cols][cell % challenge->cols] =
        below(chance, 100) < walls ? '#' : '.';
  for (const char *mark = "MCF"; *mark; mark++) {
    uint32_t cell;
    char *place;
    do {
      cell = below(chance, cells);
      place = &challenge->cell[cell / challenge->cols][cell % challenge->cols];
    } while (memchr("MCF", *place, 3));
    *place = *mark;
  }
  for (int player = 0; player < 2; player++)
    challenge->jump[player] = 1 + (int32_t)below(chance, 1 + below(chance, JUMP_MOST));
}

static void open_grid(int32_t jump, struct challenge *challenge)
{
  *challenge = (struct challenge){
      .game = GAME_GRID, .rows = SIDE_MOST, .cols = SIDE_MOST, .jump = {jump, jump}};
  memset(challenge->cell, '.', sizeof challenge->cell);
  challenge->cell[0][0] = 'F';
  challenge->cell[SIDE_MOST - 1][SIDE_MOST - 1] = 'M';
  challenge->cell[0][SIDE_MOST - 1] = 'C';
}

/* What takes a slow solver longest. */
static int add_slow(enum game game, struct case_list *list)
{
  static const int32_t jumps[] = {1, 2, JUMP_MOST};
  for (int i = 0; i < 3; i++) {
    struct challenge *challenge = add(list);
    if (!challenge)
      return -ENOMEM;
    if (game == GAME_GRID) {
      open_grid(jumps[i], challenge);
      continue;
    }
    *challenge = (struct challenge){.game = GAME_GRAPH, .nodes = NODES_MOST};
    for (uint32_t node = 1; node < NODES_MOST; node++)
      join(challenge, node, node - 1);
    for (uint32_t a = 0; i == 2 && a < NODES_MOST; a++) {
      for (uint32_t b = 0; b < a; b++)
        join(challenge, a, b);
    }
    if (i == 1)
      join(challenge, 0, NODES_MOST - 1);
  }
  return 0;
}

/* Those from `first` on, before `end`. */
static int add_known(enum game game, size_t first, size_t end, struct case_list *list)
{
  size_t count = game == GAME_GRAPH ? sizeof known_graphs / sizeof *known_graphs
                                    : sizeof known_grids / sizeof *known_grids;
  for (size_t i = first; i < end && i < count; i++) {
    struct challenge *challenge = add(list);
    if (!challenge)
      return -ENOMEM;
    if (game == GAME_GRAPH) {
      challenge_read_graph(known_graphs[i], challenge);
      continue;
    }
    uint32_t rows = 0;
    while (rows < SIDE_MOST && known_grids[i].rows[rows])
      rows++;
    challenge_read_grid(known_grids[i].rows, rows, known_grids[i].cat_jump,
                        known_grids[i].mouse_jump, challenge);
  }
  return 0;
}

/* `nodes_most`: of a graph, SMALL_NODES_MOST or more. */
static void random_case(enum game game, struct chance *chance, uint32_t nodes_most,
                        struct challenge *challenge)
{
  do {
    bool dense = below(chance, 8) == 0;
    uint32_t nodes = 3 + below(chance, nodes_most - 2);
    if (game == GAME_GRID)
      random_grid(chance, challenge);
    else if (nodes <= SMALL_NODES_MOST)
      join_pairs(challenge, nodes, below(chance, 1u << (nodes * (nodes - 1) / 2)));
    else
      random_graph(chance, nodes, below(chance, dense ? nodes * nodes : nodes), challenge);
  } while (!challenge_is_legal(challenge));
}

void case_make(enum game game, uint64_t seed, uint32_t nodes_most, struct challenge *challenge)
{
  struct chance chance = {seed};
  random_case(game, &chance, nodes_most, challenge);
}

static int add_random(enum game game, struct chance *chance, uint32_t count, uint32_t nodes_most,
                      struct case_list *list)
{
  for (uint32_t made = 0; made < count; made++) {
    struct challenge *challenge = add(list);
    if (!challenge)
      return -ENOMEM;
    random_case(game, chance, nodes_most, challenge);
  }
  return 0;
}

/* What is small comes before what is large, so that what fails is small from the beginning. */
int cases_make(enum game game, uint64_t seed, uint32_t count, bool exhaustive,
               struct case_list *list)
{
  enum { PUBLISHED = 2, MIDDLING_NODES = 14 };
  struct chance chance = {seed};
  *list = (struct case_list){0};
  int error = add_known(game, 0, PUBLISHED, list);
  if (error == 0)
    error = add_random(game, &chance, count / 4, SMALL_NODES_MOST, list);
  for (uint32_t nodes = 3; exhaustive && game == GAME_GRAPH && nodes <= SMALL_NODES_MOST && !error;
       nodes++)
    error = add_small(list, nodes);
  if (error == 0)
    error = add_known(game, PUBLISHED, SIZE_MAX, list);
  if (error == 0)
    error = add_random(game, &chance, count / 4, MIDDLING_NODES, list);
  if (error == 0)
    error = add_slow(game, list);
  if (error == 0)
    error = add_random(game, &chance, count - count / 4 * 2, NODES_MOST, list);
  if (error)
    cases_free(list);
  return error;
}

void cases_free(struct case_list *list)
{
  free(list->cases);
  *list = (struct case_list){0};
}
