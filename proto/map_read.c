#include "proto/map_read.h"

#include <errno.h>

/* Most keys are told by their first letters. */
static bool is_key(const struct value *name, const char *key)
{
  return name->kind == ITEM_TEXT && name->length > 0 && name->payload[0] == key[0] &&
         text_is(name->payload, name->length, key);
}

static int read_entry(struct reader *reader, const struct map_keys *keys, struct entry *entries,
                      struct fault *fault)
{
  struct value name;
  unsigned key = 0;
  reader_next(reader, &name);
  while (key < keys->count && !is_key(&name, keys->names[key]))
    key++;
  if (key == keys->count)
    return fault_set(fault, keys->error, "%s has an unknown key: %s", keys->place,
                     value_describe(name).text);
  if (entries[key].value.kind != ITEM_NONE)
    return fault_set(fault, keys->error, "%s has %s twice", keys->place, keys->names[key]);
  reader_next(reader, &entries[key].value);
  entries[key].children = *reader;
  reader_skip(reader, &entries[key].value);
  return 0;
}

int map_read(struct reader *reader, const struct value *map, const struct map_keys *keys,
             struct entry *entries, struct fault *fault)
{
  if (!value_is_map(map))
    return value_refuse(map, keys->error, keys->place, "a map", fault);
  for (unsigned key = 0; key < keys->count; key++)
    entries[key].value.kind = ITEM_NONE;
  for (uint64_t left = map->children; left > 0; left -= 2)
    if (read_entry(reader, keys, entries, fault))
      return -EBADMSG;
  for (unsigned key = 0; keys->all && key < keys->count; key++)
    if (entries[key].value.kind == ITEM_NONE)
      return fault_set(fault, keys->error, "%s has no %s", keys->place, keys->names[key]);
  return 0;
}
