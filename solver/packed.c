/*
 * Reading goes over the moves twice: once to count and check them, once to fill an arena of just that
 * size. Every node and every move takes a byte at least, so that a short text cannot ask for much memory.
 * The first flaw stops the reader, and from then on it yields zeros: callers look once, at the end.
 */
#include "solver/packed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "solver/arena_parts.h"
#include "solver/canonical.h"
#include "solver/graph.h"

enum { NUMBER_BYTES_MAX = 5, GRAPH_NODES_MIN = 3 };

struct reader {
  const uint8_t *at, *end;
  bool flawed;
};

static inline void count_number(void *context, uint32_t number, uint32_t at_least)
{
  uint64_t *bytes = context;
  number -= at_least;
  *bytes += number < 1u << 7    ? 1
            : number < 1u << 14 ? 2
            : number < 1u << 21 ? 3
            : number < 1u << 28 ? 4
                                : 5;
}

static inline void write_number(void *context, uint32_t number, uint32_t at_least)
{
  uint8_t **at = context;
  for (number -= at_least; number >= 0x80; number >>= 7)
    *(*at)++ = (uint8_t)(number | 0x80);
  *(*at)++ = (uint8_t)number;
}

uint64_t arena_packed_bytes(const struct arena *arena)
{
  uint64_t bytes = 0;
  canonical_walk(arena, count_number, &bytes);
  return bytes;
}

void arena_pack(const struct arena *arena, uint8_t *bytes)
{
  canonical_walk(arena, write_number, &bytes);
}

static uint32_t flaw(struct reader *reader)
{
  reader->flawed = true;
  reader->at = reader->end;
  return 0;
}

static uint32_t read_number(struct reader *reader, uint32_t at_least)
{
  uint64_t number = 0;
  for (int i = 0; i < NUMBER_BYTES_MAX && reader->at < reader->end; i++) {
    uint8_t byte = *reader->at++;
    number |= (uint64_t)(byte & 0x7f) << (7 * i);
    if (byte < 0x80)
      return number + at_least <= UINT32_MAX ? (uint32_t)number + at_least : flaw(reader);
  }
  return flaw(reader);
}

static void read_head(struct reader *reader, struct arena *head)
{
  uint32_t game = read_number(reader, 0);
  head->game = game == GAME_GRAPH ? GAME_GRAPH : GAME_GRID;
  head->nodes = read_number(reader, 0);
  head->rows = read_number(reader, 0);
  head->cols = read_number(reader, 0);
  uint32_t endless = read_number(reader, 0);
  head->endless = (enum outcome)(endless <= OUTCOME_DRAW ? endless : OUTCOME_DRAW);
  head->limit_plies = read_number(reader, 0);

  bool shaped = game == GAME_GRAPH ? head->nodes >= GRAPH_NODES_MIN
                : game == GAME_GRID
                    ? head->nodes > 0 && (uint64_t)head->rows * head->cols == head->nodes
                    : false;
  if (!shaped || head->nodes > (size_t)(reader->end - reader->at))
    flaw(reader);
}

/* One player's lists of moves from `at` on; without `parts` they are only checked. Returns where they end. */
static uint64_t read_moves(struct reader *reader, const struct arena *head, int player, uint64_t at,
                           struct arena_parts *parts)
{
  for (uint32_t node = 0; node < head->nodes && !reader->flawed; node++) {
    uint32_t count = read_number(reader, 0), at_least = 0;
    if (parts)
      parts->begin[player][node] = (uint32_t)at;
    for (uint32_t i = 0; i < count && !reader->flawed; i++, at++) {
      uint32_t to = read_number(reader, at_least);
      if (to >= head->nodes || (head->game == GAME_GRAPH && to == node))
        flaw(reader);
      else if (parts)
        parts->to[at] = to;
      at_least = to + 1;
    }
    if (parts)
      parts->end[player][node] = (uint32_t)at;
  }
  return at;
}

static void read_set(struct reader *reader, uint32_t nodes, uint64_t *set)
{
  for (uint32_t word = 0; word < canonical_set_words(nodes); word++) {
    uint64_t low = read_number(reader, 0);
    set[word] = (uint64_t)read_number(reader, 0) << 32 | low;
  }
  if (nodes % 64 > 0 && set[nodes / 64] >> (nodes % 64) != 0)
    flaw(reader);
}

static void fill(struct reader *reader, const struct arena *head, struct arena_parts *parts)
{
  uint64_t at = 0;
  for (int player = 0; player < canonical_movers(head->game); player++)
    at = read_moves(reader, head, player, at, parts);
  for (int player = 0; player < 2; player++) {
    read_set(reader, head->nodes, parts->home[player]);
    read_set(reader, head->nodes, parts->barred[player]);
  }
  if (reader->at != reader->end)
    flaw(reader);
}

/*
 * Can every move be taken back? Nodes are passed in ascending order and lists are ascending, so the
 * moves to a node must come from just those it lists, one after the other. `passed` is zeroed scratch.
 */
static bool is_mirrored(const struct moves *moves, uint32_t nodes, uint32_t *passed)
{
  for (uint32_t node = 0; node < nodes; node++) {
    for (uint32_t i = moves->begin[node]; i < moves->end[node]; i++) {
      uint32_t to = moves->to[i], back = moves->begin[to] + passed[to]++;
      if (back >= moves->end[to] || moves->to[back] != node)
        return false;
    }
  }
  return true;
}

static int check_mirrored(const struct arena *arena, int player)
{
  uint32_t *passed = calloc(arena->nodes, sizeof *passed);
  if (!passed)
    return -ENOMEM;
  bool mirrored = is_mirrored(&arena->moves[player], arena->nodes, passed);
  free(passed);
  return mirrored ? 0 : -EBADMSG;
}

static void grid_arena_finish(const struct arena *head, struct arena *arena)
{
  arena->game = GAME_GRID;
  arena->rows = head->rows;
  arena->cols = head->cols;
  arena->mirrored = true;
  arena->endless = head->endless;
  arena->limit_plies = head->limit_plies;
}

static inline void compare_number(void *context, uint32_t number, uint32_t at_least)
{
  struct reader *reader = context;
  if (read_number(reader, at_least) != number)
    flaw(reader);
}

/* `whole` is what the arena was read from: it must be that arena's own form. */
static int finish(struct reader *whole, const struct arena *head, const struct id *id,
                  struct arena_parts *parts)
{
  struct id found;
  for (int player = 0; player < canonical_movers(head->game); player++) {
    int status = check_mirrored(parts->arena, player);
    if (status < 0)
      return status;
  }
  if (head->game == GAME_GRAPH)
    graph_arena_finish(parts);
  else
    grid_arena_finish(head, parts->arena);
  canonical_walk(parts->arena, compare_number, whole);
  arena_id(parts->arena, &found);
  return !whole->flawed && memcmp(&found, id, sizeof found) == 0 ? 0 : -EBADMSG;
}

int arena_unpack(const uint8_t *bytes, size_t length, const struct id *id, struct arena **arena)
{
  struct reader reader = {bytes, bytes + length, false}, whole = reader;
  struct arena head = {0};
  uint64_t targets = 0;
  read_head(&reader, &head);
  struct reader counting = reader;
  for (int player = 0; player < canonical_movers(head.game); player++)
    targets = read_moves(&counting, &head, player, targets, NULL);
  if (counting.flawed || targets > UINT32_MAX)
    return -EBADMSG;

  struct arena_parts parts;
  int status = arena_parts_new(head.nodes, targets, head.game == GAME_GRAPH, &parts);
  if (status < 0)
    return status;
  fill(&reader, &head, &parts);
  status = reader.flawed ? -EBADMSG : finish(&whole, &head, id, &parts);
  if (status < 0) {
    arena_free(parts.arena);
    return status;
  }
  *arena = parts.arena;
  return 0;
}

int packed_peek(const uint8_t *bytes, size_t length, struct packed_head *head)
{
  struct reader reader = {bytes, bytes + length, false};
  uint32_t game = read_number(&reader, 0);
  uint32_t nodes = read_number(&reader, 0);
  if (reader.flawed || game > GAME_GRID)
    return -EBADMSG;
  *head = (struct packed_head){(enum game)game, nodes};
  return 0;
}
