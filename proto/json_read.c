/*
 * JSON (RFC 8259) to MessagePack in one pass, so that a decoder knows one form only, and no tree of
 * values is ever held: a list of a million numbers costs a few bytes each.
 *
 * Lists, maps and texts get heads of the widest form, whose counts are filled in at their ends. Nesting
 * is bounded by the limit on depth, and so is the stack.
 */
#include "proto/json_read.h"

#include <errno.h>

#include "proto/json_scalar.h"

static int read_value(struct json_reader *reader);

static void pass_spaces(struct json_reader *reader)
{
  while (reader->at < reader->end &&
         (*reader->at == ' ' || *reader->at == '\t' || *reader->at == '\n' || *reader->at == '\r'))
    reader->at++;
}

static int read_key(struct json_reader *reader)
{
  pass_spaces(reader);
  if (reader->at == reader->end || *reader->at != '"')
    return json_refuse_here(reader, "a key is a text in quotes");
  if (json_read_text(reader))
    return -EBADMSG;
  pass_spaces(reader);
  return json_pass(reader, ':') ? 0 : json_refuse_here(reader, "a key is followed by ':'");
}

/* Values, or keys with their values, up to the closing bracket. */
static int read_items(struct json_reader *reader, bool is_map, uint64_t *count)
{
  const char close = is_map ? '}' : ']';
  pass_spaces(reader);
  if (json_pass(reader, close))
    return 0;
  do {
    if ((is_map && read_key(reader)) || read_value(reader))
      return -EBADMSG;
    ++*count;
    pass_spaces(reader);
  } while (json_pass(reader, ','));
  if (json_pass(reader, close))
    return 0;
  return json_refuse_here(reader, is_map ? "an object goes on with ',' or ends with '}'"
                                         : "a list goes on with ',' or ends with ']'");
}

static int read_nested(struct json_reader *reader, bool is_map)
{
  uint64_t count = 0;
  if (reader->depth == reader->depth_max)
    return fault_set(reader->fault, ERROR_LIMIT,
                     "lists and maps lie more than the %llu deep allowed",
                     (unsigned long long)reader->depth_max);
  size_t head_at = json_begin_counted(reader->out, is_map ? 0xdf : 0xdd);
  reader->at++;
  reader->depth++;
  int error = read_items(reader, is_map, &count);
  reader->depth--;
  json_end_counted(reader->out, head_at, count);
  return error;
}

static int read_value(struct json_reader *reader)
{
  pass_spaces(reader);
  if (reader->at == reader->end)
    return json_refuse_here(reader, "");
  switch (*reader->at) {
  case '[': return read_nested(reader, false);
  case '{': return read_nested(reader, true);
  case '"': return json_read_text(reader);
  default: return json_read_bare(reader);
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
    return limits_refuse_length(limits, fault);
  if (read_value(&reader))
    return -EBADMSG;
  pass_spaces(&reader);
  if (reader.at < reader.end)
    return json_refuse(&reader, ERROR_PARSE, "the text goes on after its value");
  return out->failed ? fault_set(fault, ERROR_NO_MEMORY, "out of memory while reading the message")
                     : 0;
}
