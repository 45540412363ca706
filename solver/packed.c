/*
 * Reading first counts the numbers, and then fills an arena of just that size. Every node and every
 * move takes a byte at least, so that a short text cannot ask for much memory. The first flaw stops
 * the reader, and from then on it yields zeros: callers look once, at the end. Each number that was
 * read is in the arena, so that the id answers for it, or was compared with what its game says.
 */
#include "solver/packed.h"

#include <errno.h>
#include <string.h>

#include "solver/arena_parts.h"
#include "solver/canonical.h"
#include "solver/graph.h"

enum { NUMBER_BYTES_MAX = 5, GRAPH_NODES_MIN = 3 };

struct number_reader {
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

static uint32_t flaw(struct number_reader *reader)
{
  reader->flawed = true;
  reader->at = reader->end;
  return 0;
}

static uint32_t read_long_number(struct number_reader *reader, uint32_t at_least)
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

static inline uint32_t read_number(struct number_reader *reader, uint32_t at_least)
{
  if (reader->at < reader->end && *reader->at < 0x80 && *reader->at <= UINT32_MAX - at_least)
    return at_least + *reader->at++;
  return read_long_number(reader, at_least);
}

/* Does the head fit the game? What a graph's says beyond the nodes is the same for all graphs. */
static bool is_head(uint32_t game, const struct arena *head)
{
  if (game == GAME_GRAPH)
    return head->nodes >= GRAPH_NODES_MIN && head->rows == 0 && head->cols == 0 &&
           head->endless == OUTCOME_DRAW && head->limit_plies == 0;
  return game == GAME_GRID && head->nodes > 0 && (uint64_t)head->rows * head->cols == head->nodes;
}

static void read_head(struct number_reader *reader, struct arena *head)
{
  uint32_t game = read_number(reader, 0);
  head->game = game == GAME_GRAPH ? GAME_GRAPH : GAME_GRID;
  head->nodes = read_number(reader, 0);
  head->rows = read_number(reader, 0);
  head->cols = read_number(reader, 0);
  uint32_t endless = read_number(reader, 0);
  head->endless = (enum outcome)(endless <= OUTCOME_DRAW ? endless : OUTCOME_DRAW);
  head->limit_plies = read_number(reader, 0);
  if (endless > OUTCOME_DRAW || !is_head(game, head) ||
      head->nodes > (size_t)(reader->end - reader->at))
    flaw(reader);
}

/*
 * How many moves there are, if the rest is what it should be: a number ends with each byte below
 * 0x80.
 */
static uint64_t count_targets(const struct number_reader *reader, const struct arena *head)
{
  uint64_t others = (uint64_t)canonical_movers(head->game) * head->nodes +
                    8 * (uint64_t)canonical_set_words(head->nodes);
  uint64_t numbers = 0;
  for (const uint8_t *at = reader->at; at < reader->end; at++)
    numbers += *at < 0x80;
  return numbers > others ? numbers - others : 0;
}

/*
 * One player's lists of moves from `at` on, where there is room up to `targets`. Returns where they
 * end.
 */
static uint32_t read_moves(struct number_reader *reader, const struct arena *head, int player,
                           uint32_t at, uint32_t targets, struct arena_parts *parts)
{
  uint32_t nodes = head->nodes;
  for (uint32_t node = 0; node < nodes; node++) {
    uint32_t count = read_number(reader, 0), at_least = 0;
    if (reader->flawed || count > targets - at) {
      flaw(reader);
      return at;
    }
    parts->begin[player][node] = at;
    for (uint32_t end = at + count; at < end; at++) {
      uint32_t to = read_number(reader, at_least);
      if (to >= nodes || (head->game == GAME_GRAPH && to == node))
        to = flaw(reader);
      parts->to[at] = to;
      at_least = to + 1;
    }
    parts->end[player][node] = at;
  }
  return at;
}

static void read_set(struct number_reader *reader, uint32_t nodes, uint64_t *set)
{
  for (uint32_t word = 0; word < canonical_set_words(nodes); word++) {
    uint64_t low = read_number(reader, 0);
    set[word] = (uint64_t)read_number(reader, 0) << 32 | low;
  }
  if (nodes % 64 > 0 && set[nodes / 64] >> (nodes % 64) != 0)
    flaw(reader);
}

static inline void compare_number(void *context, uint32_t number, uint32_t at_least)
{
  struct number_reader *reader = context;
  if (read_number(reader, at_least) != number)
    flaw(reader);
}

/* A graph's sets follow from the game. */
static void finish_graph(struct number_reader *reader, struct arena_parts *parts)
{
  const struct arena *arena = parts->arena;
  graph_arena_finish(parts);
  for (int player = 0; player < 2; player++) {
    canonical_put_set(arena->home[player], arena->nodes, compare_number, reader);
    canonical_put_set(arena->barred[player], arena->nodes, compare_number, reader);
  }
}

static void finish_grid(struct number_reader *reader, const struct arena *head,
                        struct arena_parts *parts)
{
  struct arena *arena = parts->arena;
  for (int player = 0; player < 2; player++) {
    read_set(reader, arena->nodes, parts->home[player]);
    read_set(reader, arena->nodes, parts->barred[player]);
  }
  arena->game = GAME_GRID;
  arena->rows = head->rows;
  arena->cols = head->cols;
  arena->mirrored = true;
  arena->endless = head->endless;
  arena->limit_plies = head->limit_plies;
}

static bool fill(struct number_reader *reader, const struct arena *head, uint32_t targets,
                 struct arena_parts *parts)
{
  uint32_t at = 0;
  for (int player = 0; player < canonical_movers(head->game) && !reader->flawed; player++)
    at = read_moves(reader, head, player, at, targets, parts);
  if (reader->flawed)
    return false;
  if (head->game == GAME_GRAPH)
    finish_graph(reader, parts);
  else
    finish_grid(reader, head, parts);
  return !reader->flawed && reader->at == reader->end;
}

/*
 * Whoever has the id has it of an arena that was checked: lists that are not mirrored have another.
 */
static bool has_id(const struct arena *arena, const struct id *id)
{
  struct id found;
  arena_id(arena, &found);
  return memcmp(&found, id, sizeof found) == 0;
}

int arena_unpack(const uint8_t *bytes, size_t length, const struct id *id, struct arena **arena)
{
  struct number_reader reader = {bytes, bytes + length, false};
  struct arena head = {0};
  read_head(&reader, &head);
  uint64_t targets = reader.flawed ? 0 : count_targets(&reader, &head);
  if (reader.flawed || targets > UINT32_MAX)
    return -EBADMSG;

  struct arena_parts parts;
  int status = arena_parts_new(head.nodes, targets, head.game == GAME_GRAPH, &parts);
  if (status < 0)
    return status;
  if (!fill(&reader, &head, (uint32_t)targets, &parts) || !has_id(parts.arena, id)) {
    arena_free(parts.arena);
    return -EBADMSG;
  }
  *arena = parts.arena;
  return 0;
}
