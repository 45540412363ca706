#include "client/batch/json_span.h"

#include <string.h>

static bool is_space(char byte)
{
  return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

static void skip_space(struct json_walk *walk)
{
  while (walk->at < walk->end && is_space(*walk->at))
    walk->at++;
}

static bool break_off(struct json_walk *walk)
{
  walk->broken = true;
  walk->at = walk->end;
  return false;
}

struct json_walk json_walk_begin(struct json_span span)
{
  struct json_walk walk = {span.text, span.text + span.length, false};
  skip_space(&walk);
  if (walk.at < walk.end && (*walk.at == '{' || *walk.at == '['))
    walk.at++;
  else
    break_off(&walk);
  return walk;
}

/* Behind the closing quote, or at the end where there is none. */
static const char *text_end(const char *at, const char *end)
{
  for (at++; at < end && *at != '"'; at++) {
    if (*at == '\\' && at + 1 < end)
      at++;
  }
  return at < end ? at + 1 : end;
}

/* A value ends before the comma or the bracket that is not its own. */
static bool take_value(struct json_walk *walk, struct json_span *value)
{
  size_t depth = 0;
  skip_space(walk);
  const char *begin = walk->at, *at = begin;
  for (; at < walk->end; at++) {
    if (*at == '"')
      at = text_end(at, walk->end) - 1;
    else if (*at == '[' || *at == '{')
      depth++;
    else if (depth == 0 && (*at == ']' || *at == '}' || *at == ','))
      break;
    else if (*at == ']' || *at == '}')
      depth--;
  }
  const char *stop = at;
  while (stop > begin && is_space(stop[-1]))
    stop--;
  if (at >= walk->end || stop == begin)
    return break_off(walk);
  *value = (struct json_span){begin, (size_t)(stop - begin)};
  walk->at = *at == ',' ? at + 1 : at;
  return true;
}

/* At the closing bracket, behind which there may be nothing but space. */
static bool at_close(struct json_walk *walk)
{
  skip_space(walk);
  if (walk->at >= walk->end)
    return true;
  if (*walk->at != '}' && *walk->at != ']')
    return false;
  walk->at++;
  skip_space(walk);
  walk->broken |= walk->at < walk->end;
  walk->at = walk->end;
  return true;
}

bool json_next_item(struct json_walk *walk, struct json_span *value)
{
  return !at_close(walk) && take_value(walk, value);
}

bool json_next_member(struct json_walk *walk, struct json_span *key, struct json_span *value)
{
  if (at_close(walk))
    return false;
  if (*walk->at != '"')
    return break_off(walk);
  const char *end = text_end(walk->at, walk->end);
  *key = (struct json_span){walk->at, (size_t)(end - walk->at)};
  walk->at = end;
  skip_space(walk);
  if (walk->at >= walk->end || *walk->at++ != ':')
    return break_off(walk);
  return take_value(walk, value);
}

bool json_key_is(struct json_span key, const char *word)
{
  size_t length = strlen(word);
  return key.length == length + 2 && memcmp(key.text + 1, word, length) == 0;
}

bool json_find(struct json_span object, const char *word, struct json_span *value)
{
  struct json_walk walk = json_walk_begin(object);
  struct json_span key;
  while (json_next_member(&walk, &key, value)) {
    if (json_key_is(key, word))
      return true;
  }
  return false;
}

bool json_number(struct json_span span, uint64_t *number)
{
  *number = 0;
  for (size_t i = 0; i < span.length; i++) {
    unsigned digit = (unsigned)(unsigned char)span.text[i] - '0';
    if (digit > 9 || __builtin_mul_overflow(*number, 10, number) ||
        __builtin_add_overflow(*number, digit, number))
      return false;
  }
  return span.length > 0;
}

/* The byte that an escape stands for, whose letter is at `*at`; the last of it is there then. */
static bool read_escape(struct json_span span, size_t *at, char *byte)
{
  unsigned code = 0;
  *byte = span.text[*at];
  if (*byte == 'n')
    *byte = '\n';
  if (*byte != 'u')
    return true;
  for (int digit = 0; digit < 4; digit++) {
    char letter = ++*at + 1 < span.length ? (char)(span.text[*at] | ' ') : 'x';
    if (letter >= '0' && letter <= '9')
      code = code << 4 | (unsigned)(letter - '0');
    else if (letter >= 'a' && letter <= 'f')
      code = code << 4 | (unsigned)(letter - 'a' + 10);
    else
      return false;
  }
  *byte = (char)code;
  return code <= UINT8_MAX;
}

bool json_text(struct json_span span, size_t size, char *text, size_t *length)
{
  *length = 0;
  if (span.length < 2 || span.text[0] != '"' || span.text[span.length - 1] != '"')
    return false;
  for (size_t at = 1; at + 1 < span.length && *length + 1 < size; at++) {
    char byte = span.text[at];
    if (byte == '\\' && (++at + 1 >= span.length || !read_escape(span, &at, &byte)))
      return false;
    text[(*length)++] = byte;
  }
  text[*length] = '\0';
  return true;
}
