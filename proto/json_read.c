/*
 * JSON (RFC 8259) to MessagePack in one pass, so that a decoder knows one form only, and no tree of
 * values is ever held: a list of a million numbers costs a few bytes each.
 *
 * Lists, maps and texts get heads of the widest form, whose counts are filled in at their ends. Nesting
 * is bounded by the limit on depth, and so is the stack.
 */
#include "proto/json_read.h"

#include <errno.h>
#include <string.h>

#include "proto/json_reader.h"

static int read_value(struct json_reader *reader);

int json_refuse(const struct json_reader *reader, enum error error, const char *what)
{
  return fault_set(reader->fault, error, "byte %zu of the JSON: %s",
                   (size_t)(reader->at - reader->text) + 1, what);
}

/* At the end of the text nothing else is worth saying. */
int json_refuse_here(const struct json_reader *reader, const char *what)
{
  return json_refuse(reader, ERROR_PARSE,
                     reader->at == reader->end ? "the text ends too early" : what);
}

static void pass_spaces(struct json_reader *reader)
{
  while (reader->at < reader->end &&
         (*reader->at == ' ' || *reader->at == '\t' || *reader->at == '\n' || *reader->at == '\r'))
    reader->at++;
}

size_t json_begin_counted(struct buffer *out, uint8_t head)
{
  const char unknown[COUNTED_HEAD_BYTES] = {(char)head};
  buffer_append(out, unknown, sizeof unknown);
  return out->length - COUNTED_HEAD_BYTES;
}

void json_end_counted(struct buffer *out, size_t head_at, uint64_t count)
{
  for (int i = 0; i < 4 && !out->failed; i++)
    out->data[head_at + 1 + (size_t)i] = (char)(count >> (24 - 8 * i));
}

static bool begins_number(char byte)
{
  return byte == '-' || (byte >= '0' && byte <= '9');
}

static int read_list(struct json_reader *reader)
{
  size_t head_at = json_begin_counted(reader->out, 0xdd);
  uint64_t count = 0;
  reader->at++;
  pass_spaces(reader);
  if (json_pass(reader, ']'))
    return 0;
  do {
    if (read_value(reader))
      return -EBADMSG;
    count++;
    pass_spaces(reader);
  } while (json_pass(reader, ','));
  if (!json_pass(reader, ']'))
    return json_refuse_here(reader, "a list goes on with ',' or ends with ']'");
  json_end_counted(reader->out, head_at, count);
  return 0;
}

static int read_entry(struct json_reader *reader)
{
  pass_spaces(reader);
  if (reader->at == reader->end || *reader->at != '"')
    return json_refuse_here(reader, "a key is a text in quotes");
  if (json_read_text(reader))
    return -EBADMSG;
  pass_spaces(reader);
  return json_pass(reader, ':') ? read_value(reader)
                                : json_refuse_here(reader, "a key is followed by ':'");
}

static int read_map(struct json_reader *reader)
{
  size_t head_at = json_begin_counted(reader->out, 0xdf);
  uint64_t count = 0;
  reader->at++;
  pass_spaces(reader);
  if (json_pass(reader, '}'))
    return 0;
  do {
    if (read_entry(reader))
      return -EBADMSG;
    count++;
    pass_spaces(reader);
  } while (json_pass(reader, ','));
  if (!json_pass(reader, '}'))
    return json_refuse_here(reader, "an object goes on with ',' or ends with '}'");
  json_end_counted(reader->out, head_at, count);
  return 0;
}

static int read_nested(struct json_reader *reader, int (*read)(struct json_reader *reader))
{
  if (reader->depth == reader->depth_max)
    return fault_set(reader->fault, ERROR_LIMIT,
                     "lists and maps lie more than the %llu deep allowed",
                     (unsigned long long)reader->depth_max);
  reader->depth++;
  int error = read(reader);
  reader->depth--;
  return error;
}

static int read_word(struct json_reader *reader)
{
  static const struct {
    const char *word;
    uint8_t byte;
  } words[] = {{"null", 0xc0}, {"false", 0xc2}, {"true", 0xc3}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t length = strlen(words[i].word), left = (size_t)(reader->end - reader->at);
    if (memcmp(reader->at, words[i].word, length < left ? length : left) != 0)
      continue;
    reader->at += length < left ? length : left;
    if (length > left)
      return json_refuse_here(reader, "");
    buffer_append(reader->out, &words[i].byte, 1);
    return 0;
  }
  return json_refuse(reader, ERROR_PARSE, "no value");
}

static int read_value(struct json_reader *reader)
{
  pass_spaces(reader);
  if (reader->at == reader->end)
    return json_refuse_here(reader, "");
  switch (*reader->at) {
  case '[': return read_nested(reader, read_list);
  case '{': return read_nested(reader, read_map);
  case '"': return json_read_text(reader);
  default: return begins_number(*reader->at) ? json_read_number(reader) : read_word(reader);
  }
}

int json_read(const char *text, size_t length, const struct message_limits *limits,
              struct buffer *out, struct fault *fault)
{
  struct json_reader reader = {.text = text,
                               .at = text,
                               .end = text + length,
                               .depth_max = limits->depth,
                               .out = out,
                               .fault = fault};
  if (length > limits->message_bytes)
    return fault_set(fault, ERROR_LIMIT, "the JSON is longer than the %llu bytes allowed",
                     (unsigned long long)limits->message_bytes);
  if (read_value(&reader))
    return -EBADMSG;
  pass_spaces(&reader);
  if (reader.at < reader.end)
    return json_refuse(&reader, ERROR_PARSE, "the text goes on after its value");
  return out->failed ? fault_set(fault, ERROR_NO_MEMORY, "out of memory while reading the message")
                     : 0;
}
