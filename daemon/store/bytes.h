/* Numbers in files: little-endian, wherever they lie. */
#ifndef CATMOUSE_DAEMON_STORE_BYTES_H
#define CATMOUSE_DAEMON_STORE_BYTES_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { CHECKSUM_BYTES = 16 };

static inline void put_u32(uint8_t *bytes, uint32_t number)
{
  number = htole32(number);
  memcpy(bytes, &number, sizeof number);
}

static inline void put_u64(uint8_t *bytes, uint64_t number)
{
  number = htole64(number);
  memcpy(bytes, &number, sizeof number);
}

static inline uint32_t get_u32(const uint8_t *bytes)
{
  uint32_t number;
  memcpy(&number, bytes, sizeof number);
  return le32toh(number);
}

static inline uint64_t get_u64(const uint8_t *bytes)
{
  uint64_t number;
  memcpy(&number, bytes, sizeof number);
  return le64toh(number);
}

static inline void put_checksum(uint8_t *bytes, XXH128_hash_t hash)
{
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, hash);
  memcpy(bytes, canonical.digest, CHECKSUM_BYTES);
}

#endif
