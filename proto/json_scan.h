/* How deep JSON text nests, told without parsing it. */
#ifndef CATMOUSE_PROTO_JSON_SCAN_H
#define CATMOUSE_PROTO_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero before the first byte. */
struct json_scan {
  uint64_t depth;
  bool in_string;
  bool escaped; /* the last byte was the backslash of an escape */
};

/* Walks over the next `length` bytes. False as soon as lists and objects lie deeper than `depth_max`. */
bool json_scan(struct json_scan *scan, const char *text, size_t length, uint64_t depth_max);

#endif
