/*
 * The canonical form, all numbers 32-bit little-endian:
 *
 *   "catmouse arena 1"  16 bytes
 *   game, nodes, rows, cols, endless, limit
 *   per player: per node: count of moves, then the moves ascending
 *   per player: home, then barred, as bit sets of (nodes + 63) / 64 64-bit words
 *
 * A graph's cat moves follow from the mouse's, so there only the mouse's are hashed.
 */
#include "solver/id.h"

#include <endian.h>
#include <sodium/crypto_generichash.h>
#include <string.h>

struct hasher {
  crypto_generichash_state state;
  uint32_t count;
  uint32_t words[1024];
};

static void hash_flush(struct hasher *hasher)
{
  crypto_generichash_update(&hasher->state, (const unsigned char *)hasher->words,
                            hasher->count * sizeof hasher->words[0]);
  hasher->count = 0;
}

static inline void hash_number(struct hasher *hasher, uint32_t number)
{
  if (hasher->count == sizeof hasher->words / sizeof hasher->words[0])
    hash_flush(hasher);
  hasher->words[hasher->count++] = htole32(number);
}

static void hash_moves(struct hasher *hasher, const struct moves *moves, uint32_t nodes)
{
  for (uint32_t node = 0; node < nodes; node++) {
    hash_number(hasher, moves->end[node] - moves->begin[node]);
    for (uint32_t i = moves->begin[node]; i < moves->end[node]; i++)
      hash_number(hasher, moves->to[i]);
  }
}

static void hash_set(struct hasher *hasher, const uint64_t *set, uint32_t nodes)
{
  for (uint32_t word = 0; word < (nodes + 63) / 64; word++) {
    hash_number(hasher, (uint32_t)set[word]);
    hash_number(hasher, (uint32_t)(set[word] >> 32));
  }
}

void arena_id(const struct arena *arena, struct id *id)
{
  struct hasher hasher;
  hasher.count = 0;
  crypto_generichash_init(&hasher.state, NULL, 0, ID_BYTES);
  crypto_generichash_update(&hasher.state, (const unsigned char *)"catmouse arena 1", 16);
  const uint32_t head[] = {arena->game, arena->nodes,   arena->rows,
                           arena->cols, arena->endless, arena->limit_plies};
  for (size_t i = 0; i < sizeof head / sizeof head[0]; i++)
    hash_number(&hasher, head[i]);
  hash_moves(&hasher, &arena->moves[PLAYER_MOUSE], arena->nodes);
  if (arena->game != GAME_GRAPH)
    hash_moves(&hasher, &arena->moves[PLAYER_CAT], arena->nodes);
  for (int player = 0; player < 2; player++) {
    hash_set(&hasher, arena->home[player], arena->nodes);
    hash_set(&hasher, arena->barred[player], arena->nodes);
  }
  hash_flush(&hasher);
  crypto_generichash_final(&hasher.state, id->bytes, ID_BYTES);
}

void id_format(const struct id *id, char text[static ID_TEXT + 1])
{
  static const char digits[] = "0123456789abcdef";
  for (int i = 0; i < ID_BYTES; i++) {
    text[2 * i] = digits[id->bytes[i] >> 4];
    text[2 * i + 1] = digits[id->bytes[i] & 15];
  }
  text[ID_TEXT] = '\0';
}
