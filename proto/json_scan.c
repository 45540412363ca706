/* Brackets count, but not within strings. Whether they match is for the parser to say. */
#include "proto/json_scan.h"

static void step_in_string(struct json_scan *scan, char byte)
{
  if (scan->escaped)
    scan->escaped = false;
  else if (byte == '\\')
    scan->escaped = true;
  else if (byte == '"')
    scan->in_string = false;
}

static void step_outside(struct json_scan *scan, char byte)
{
  if (byte == '"')
    scan->in_string = true;
  else if (byte == '[' || byte == '{')
    scan->depth++;
  else if ((byte == ']' || byte == '}') && scan->depth > 0)
    scan->depth--;
}

bool json_scan(struct json_scan *scan, const char *text, size_t length, uint64_t depth_max)
{
  for (size_t i = 0; i < length && scan->depth <= depth_max; i++) {
    if (scan->in_string)
      step_in_string(scan, text[i]);
    else
      step_outside(scan, text[i]);
  }
  return scan->depth <= depth_max;
}
