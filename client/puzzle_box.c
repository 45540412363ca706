/*
 * The box of a grid is a list of texts and two numbers behind it. It becomes an object with as many of the
 * numbers as are there; what is missing or wrong, the reader of JSON says.
 */
#include "client/puzzle_box.h"

#include <stdbool.h>
#include <string.h>

#define SPACE      " \t\r\n"
#define IN_NUMBERS "+-.0123456789eE"

static bool holds(const char *set, char byte)
{
  return byte != '\0' && strchr(set, byte);
}

static struct text_span skip(struct text_span text, size_t length)
{
  return (struct text_span){text.at + length, text.length - length};
}

static struct text_span skip_space(struct text_span text)
{
  while (text.length > 0 && holds(SPACE, *text.at))
    text = skip(text, 1);
  return text;
}

struct text_span puzzle_box_begin(struct text_span text)
{
  static const char mark[] = "\xef\xbb\xbf";
  const size_t length = sizeof mark - 1;
  return text.length >= length && memcmp(text.at, mark, length) == 0 ? skip(text, length) : text;
}

/* A grid's list begins with a text, a graph's with a list. */
static bool is_grid_list(struct text_span text)
{
  text = skip_space(text);
  if (text.length == 0 || *text.at != '[')
    return false;
  text = skip_space(skip(text, 1));
  return text.length > 0 && *text.at == '"';
}

/* Takes a number off the front of `text`; its length is 0 where there is none. */
static struct text_span take_number(struct text_span *text)
{
  *text = skip_space(*text);
  struct text_span number = {text->at, 0};
  while (number.length < text->length && holds(IN_NUMBERS, text->at[number.length]))
    number.length++;
  *text = skip(*text, number.length);
  return number;
}

static void append_text(struct buffer *object, const char *text)
{
  buffer_append(object, text, strlen(text));
}

static void append_jump(struct buffer *object, const char *key, struct text_span number)
{
  if (number.length == 0)
    return;
  append_text(object, key);
  buffer_append(object, number.at, number.length);
}

struct text_span puzzle_box_json(struct text_span text, struct buffer *object)
{
  const char *end = is_grid_list(text) ? memrchr(text.at, ']', text.length) : NULL;
  if (!end)
    return text;
  const size_t list_length = (size_t)(end + 1 - text.at);
  struct text_span rest = skip(text, list_length);
  struct text_span cat = take_number(&rest);
  struct text_span mouse = take_number(&rest);
  if (skip_space(rest).length > 0)
    return text;
  append_text(object, "{\"grid\":");
  buffer_append(object, text.at, list_length);
  append_jump(object, ",\"catJump\":", cat);
  append_jump(object, ",\"mouseJump\":", mouse);
  append_text(object, "}");
  return (struct text_span){object->data, object->length};
}
