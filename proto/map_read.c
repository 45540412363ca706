#include "proto/map_read.h"

#include <errno.h>

/* Keys are too short to be worth a call of memcmp(). */
static inline bool is_key(const struct value *name, const char *key)
{
  if (name->kind != VALUE_TEXT)
    return false;
  for (uint64_t at = 0; at < name->length; at++)
    if (key[at] == '\0' || key[at] != name->payload[at])
      return false;
  return key[name->length] == '\0';
}

/* Most maps have their keys in the listed order: the search begins after the last one found. */
static unsigned find_key(const struct map_keys *keys, unsigned last, const struct value *name)
{
  unsigned key = last;
  for (unsigned tried = 0; tried < keys->count; tried++) {
    key = key + 1 < keys->count ? key + 1 : 0;
    if (is_key(name, keys->names[key]))
      return key;
  }
  return keys->count;
}

int map_read(struct reader *reader, const struct value *map, const struct map_keys *keys,
             struct entry *entries, struct fault *fault)
{
  unsigned key = keys->count - 1;
  if (!value_is_map(map))
    return value_refuse(map, keys->error, keys->place, "a map", fault);
  for (unsigned each = 0; each < keys->count; each++)
    entries[each].value.kind = VALUE_NONE;
  for (uint64_t left = map->children; left > 0; left -= 2) {
    struct value name;
    reader_next(reader, &name);
    key = find_key(keys, key, &name);
    if (key == keys->count)
      return fault_set(fault, keys->error, "%s has an unknown key: %s", keys->place,
                       value_describe(name).text);
    struct entry *entry = &entries[key];
    if (entry->value.kind != VALUE_NONE)
      return fault_set(fault, keys->error, "%s has %s twice", keys->place, keys->names[key]);
    reader_next(reader, &entry->value);
    entry->children = *reader;
    reader_skip(reader, &entry->value);
  }
  for (key = 0; keys->all && key < keys->count; key++)
    if (entries[key].value.kind == VALUE_NONE)
      return fault_set(fault, keys->error, "%s has no %s", keys->place, keys->names[key]);
  return 0;
}
