/*
 * The hash is over "catmouse arena 1", 16 bytes, and the canonical form, each number little-endian.
 */
#include "solver/id.h"

#include <endian.h>
#include <sodium/crypto_generichash.h>
#include <string.h>

#include "solver/canonical.h"

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

static inline void hash_number(void *context, uint32_t number, uint32_t at_least)
{
  struct hasher *hasher = context;
  (void)at_least;
  if (hasher->count == sizeof hasher->words / sizeof hasher->words[0])
    hash_flush(hasher);
  hasher->words[hasher->count++] = htole32(number);
}

void arena_id(const struct arena *arena, struct id *id)
{
  struct hasher hasher;
  hasher.count = 0;
  crypto_generichash_init(&hasher.state, NULL, 0, ID_BYTES);
  crypto_generichash_update(&hasher.state, (const unsigned char *)"catmouse arena 1", 16);
  canonical_walk(arena, hash_number, &hasher);
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
