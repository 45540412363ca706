/*
 * An arena as it lies on disk. Its id is made of the bytes themselves, so whatever is well formed
 * is accepted: it comes back as the same bytes, and a small one is solved and its table proved.
 * With another id it is refused.
 */
#include <endian.h>
#include <errno.h>
#include <sodium/crypto_generichash.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "solver/packed.h"
#include "solver/solve.h"
#include "solver/verify.h"
#include "tests/fuzz/target.h"

enum { SOLVED_NODES_MAX = 150, NUMBER_BYTES_MAX = 5 };

/*
 * The canonical form of what is read: a reader of its own, that knows the format and checks
 * nothing.
 */
struct canonical {
  const uint8_t *at, *end;
  crypto_generichash_state hash;
};

static uint32_t read_number(struct canonical *form, uint32_t at_least)
{
  uint64_t number = 0;
  for (unsigned i = 0; i < NUMBER_BYTES_MAX && form->at < form->end; i++) {
    uint8_t byte = *form->at++;
    number |= (uint64_t)(byte & 0x7f) << (7 * i);
    if (byte < 0x80)
      break;
  }
  uint32_t value = (uint32_t)number + at_least, written = htole32(value);
  crypto_generichash_update(&form->hash, (const uint8_t *)&written, sizeof written);
  return value;
}

static void make_id(const uint8_t *bytes, size_t length, struct id *id)
{
  struct canonical form = {.at = bytes, .end = bytes + length};
  crypto_generichash_init(&form.hash, NULL, 0, ID_BYTES);
  crypto_generichash_update(&form.hash, (const uint8_t *)"catmouse arena 1", 16);
  uint32_t game = read_number(&form, 0), nodes = read_number(&form, 0);
  for (unsigned i = 0; i < 4; i++)
    read_number(&form, 0);
  uint64_t lists = (game == GAME_GRAPH ? 1 : 2) * (uint64_t)nodes;
  for (uint64_t list = 0; list < lists && form.at < form.end; list++) {
    uint32_t count = read_number(&form, 0), at_least = 0;
    for (uint32_t i = 0; i < count && form.at < form.end; i++)
      at_least = read_number(&form, at_least) + 1;
  }
  while (form.at < form.end)
    read_number(&form, 0);
  crypto_generichash_final(&form.hash, id->bytes, ID_BYTES);
}

static bool can_move(const struct moves *moves, uint32_t from, uint32_t to)
{
  for (uint32_t at = moves->begin[from]; at < moves->end[from]; at++)
    if (moves->to[at] == to)
      return true;
  return false;
}

/* The id vouches for it, and this one was made up. */
static bool is_mirrored(const struct arena *arena)
{
  for (int player = 0; player < (arena->game == GAME_GRAPH ? 1 : 2); player++) {
    const struct moves *moves = &arena->moves[player];
    for (uint32_t from = 0; from < arena->nodes; from++)
      for (uint32_t at = moves->begin[from]; at < moves->end[from]; at++)
        if (!can_move(moves, moves->to[at], from))
          return false;
  }
  return true;
}

/* Lists that are not mirrored make a wrong table, but no more than that. */
static void check_solving(const struct arena *arena)
{
  struct solve_options options = {.threads = 1};
  struct verification verification;
  struct table *table;
  MUST(solve(arena, &options, &table) == 0);
  MUST(verify(arena, table, NULL, &verification) == 0);
  MUST(verification.faults == 0 || !is_mirrored(arena));
  table_free(table);
}

static void check_accepted(const struct arena *arena, const struct id *id, size_t length)
{
  struct arena *again = NULL;
  struct id found;
  arena_id(arena, &found);
  MUST(memcmp(&found, id, sizeof found) == 0);
  size_t packed_length = arena_packed_bytes(arena);
  MUST(packed_length <= length);
  uint8_t *packed = malloc(packed_length);
  MUST(packed);
  arena_pack(arena, packed);
  MUST(arena_unpack(packed, packed_length, id, &again) == 0);
  free(packed);
  arena_free(again);
  if (arena->nodes <= SOLVED_NODES_MAX)
    check_solving(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
  struct arena *arena = NULL;
  struct id id;
  make_id(bytes, length, &id);
  int status = arena_unpack(bytes, length, &id, &arena);
  MUST(status == 0 || status == -EBADMSG);
  if (status == 0) {
    check_accepted(arena, &id, length);
    arena_free(arena);
    arena = NULL;
  }
  id.bytes[0] ^= 1;
  MUST(arena_unpack(bytes, length, &id, &arena) == -EBADMSG && !arena);
  return 0;
}
