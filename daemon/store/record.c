/* A head, the packed arena, and zeros up to the next multiple of eight. */
#include "daemon/store/record.h"

#include "daemon/store/bytes.h"
#include "solver/packed.h"

/* Where each field lies. */
enum {
  AT_MAGIC = 0,
  AT_LENGTH = 4,
  AT_USED = RECORD_USED_OFFSET,
  AT_CHECKSUM = 16,
  AT_ID = 32,
};

static const char magic[4] = "puzl";

static uint64_t whole_bytes(uint64_t packed_bytes)
{
  return RECORD_HEAD_BYTES +
         (packed_bytes + RECORD_ALIGNMENT - 1) / RECORD_ALIGNMENT * RECORD_ALIGNMENT;
}

uint32_t record_bytes(const struct arena *arena)
{
  uint64_t bytes = whole_bytes(arena_packed_bytes(arena));
  return bytes <= INT32_MAX ? (uint32_t)bytes : 0;
}

/* Over everything but the time of use. */
static XXH128_hash_t checksum_of(const uint8_t *bytes, uint64_t whole)
{
  XXH3_state_t hash;
  XXH3_128bits_reset(&hash);
  XXH3_128bits_update(&hash, bytes, AT_USED);
  XXH3_128bits_update(&hash, bytes + AT_ID, whole - AT_ID);
  return XXH3_128bits_digest(&hash);
}

void record_write(uint8_t *bytes, const struct arena *arena, const struct id *id, uint64_t used_s)
{
  uint64_t packed_bytes = arena_packed_bytes(arena), whole = whole_bytes(packed_bytes);
  memcpy(bytes + AT_MAGIC, magic, sizeof magic);
  put_u32(bytes + AT_LENGTH, (uint32_t)packed_bytes);
  put_u64(bytes + AT_USED, used_s);
  memcpy(bytes + AT_ID, id->bytes, ID_BYTES);
  arena_pack(arena, bytes + RECORD_HEAD_BYTES);
  memset(bytes + RECORD_HEAD_BYTES + packed_bytes, 0, whole - RECORD_HEAD_BYTES - packed_bytes);
  put_checksum(bytes + AT_CHECKSUM, checksum_of(bytes, whole));
}

bool record_is_of(const uint8_t *head, const struct id *id)
{
  return memcmp(head + AT_MAGIC, magic, sizeof magic) == 0 &&
         memcmp(head + AT_ID, id->bytes, ID_BYTES) == 0;
}

uint64_t record_used_s(const uint8_t *head)
{
  return get_u64(head + AT_USED);
}

enum record_status record_read(const uint8_t *bytes, size_t length, struct record *record)
{
  uint8_t checksum[CHECKSUM_BYTES];
  if (length < RECORD_HEAD_BYTES)
    return RECORD_CUT;
  uint32_t packed_bytes = get_u32(bytes + AT_LENGTH);
  uint64_t whole = whole_bytes(packed_bytes);
  if (memcmp(bytes + AT_MAGIC, magic, sizeof magic) != 0 || whole > INT32_MAX)
    return RECORD_DAMAGED;
  if (whole > length)
    return RECORD_CUT;
  put_checksum(checksum, checksum_of(bytes, whole));
  if (memcmp(checksum, bytes + AT_CHECKSUM, sizeof checksum) != 0)
    return RECORD_DAMAGED;
  *record = (struct record){
      .used_s = record_used_s(bytes),
      .bytes = (uint32_t)whole,
      .packed = bytes + RECORD_HEAD_BYTES,
      .packed_bytes = packed_bytes,
  };
  memcpy(record->id.bytes, bytes + AT_ID, ID_BYTES);
  return RECORD_WHOLE;
}
