/*
 * Answers and notifications in the encoding of their connection.
 *
 * MessagePack is packed straight into the caller's buffer. For JSON the same message, in JSON-RPC's
 * form, is packed aside and rewritten as text: one packer means that no encoding can say something
 * that the others do not.
 */
#include "proto/reply.h"

#include <stdio.h>
#include <string.h>

#include "proto/json_write.h"
#include "proto/pack.h"
#include "proto/result_shapes.h"
#include "proto/utf8.h"

/* What a message is about; which of the pointers is set says what kind it is. */
struct message {
  const struct request_id *id;
  enum method method;
  const void *result;
  const struct result_solving *solving;
  const struct fault *fault;
  const struct progress *progress;
};

static void pack_id(struct buffer *out, const struct request_id *id)
{
  switch (id->kind) {
  case REQUEST_ID_NUMBER: pack_int64(out, id->number); break;
  case REQUEST_ID_TEXT: pack_bytes_as_text(out, id->text, id->length); break;
  default: pack_nil(out); break;
  }
}

static void pack_progress(struct buffer *out, const struct message *message)
{
  pack_map_head(out, 1 + shape_progress.count);
  pack_text(out, "request");
  pack_id(out, message->id);
  shape_progress.pack_entries(out, message->progress);
}

struct sentence {
  char text[sizeof((struct fault *)0)->text];
};

/* Parts of a sentence may come from a puzzle, or end within a character: only UTF-8 goes out. */
static struct sentence clean_sentence(const struct fault *fault)
{
  struct sentence sentence;
  size_t length = strnlen(fault->text, sizeof fault->text - 1);
  memcpy(sentence.text, fault->text, length);
  sentence.text[length] = '\0';
  for (size_t at = 0; at < length;) {
    size_t size = utf8_character(sentence.text + at, length - at);
    if (size == 0)
      sentence.text[at] = '?';
    at += size ? size : 1;
  }
  return sentence;
}

static void pack_result(struct buffer *out, const struct message *message)
{
  if (message->solving)
    shape_pack(out, &shape_solving, message->solving);
  else if (message->method == METHOD_PING)
    pack_text(out, "pong");
  else
    shape_pack(out, result_shape(message->method), message->result);
}

static void pack_rpc_error(struct buffer *out, const struct fault *fault)
{
  const struct error_kind *kind = &error_kinds[fault->error];
  char text[sizeof fault->text + 32];
  snprintf(text, sizeof text, "%s: %s", kind->name, clean_sentence(fault).text);
  pack_list_head(out, 2);
  pack_int64(out, kind->caller_at_fault ? 1 : 0);
  pack_text(out, text);
}

static void pack_rpc(struct buffer *out, const struct message *message)
{
  if (message->progress) {
    pack_list_head(out, 3);
    pack_int64(out, 2);
    pack_text(out, "progress");
    pack_list_head(out, 1);
    pack_progress(out, message);
    return;
  }
  pack_list_head(out, 4);
  pack_int64(out, 1);
  pack_id(out, message->id);
  if (message->fault) {
    pack_rpc_error(out, message->fault);
    pack_nil(out);
  } else {
    pack_nil(out);
    pack_result(out, message);
  }
}

static void pack_json_error(struct buffer *out, const struct fault *fault)
{
  const struct error_kind *kind = &error_kinds[fault->error];
  pack_map_head(out, 3);
  pack_text(out, "code");
  pack_int64(out, kind->json_code);
  pack_text(out, "message");
  pack_text(out, clean_sentence(fault).text);
  pack_text(out, "data");
  pack_map_head(out, 1);
  pack_text(out, "name");
  pack_text(out, kind->name);
}

static void pack_json_rpc(struct buffer *out, const struct message *message)
{
  pack_map_head(out, 3);
  pack_text(out, "jsonrpc");
  pack_text(out, "2.0");
  if (message->progress) {
    pack_text(out, "method");
    pack_text(out, "progress");
    pack_text(out, "params");
    pack_progress(out, message);
    return;
  }
  pack_text(out, "id");
  pack_id(out, message->id);
  pack_text(out, message->fault ? "error" : "result");
  if (message->fault)
    pack_json_error(out, message->fault);
  else
    pack_result(out, message);
}

static void append_json(struct buffer *out, const struct message *message)
{
  struct buffer packed;
  buffer_init(&packed);
  pack_json_rpc(&packed, message);
  if (packed.failed)
    out->failed = true;
  else
    json_write(out, packed.data, packed.length);
  buffer_deinit(&packed);
}

/* The length stands first but is known last: the body is written, then moved. */
static void append_with_header(struct buffer *out, const struct message *message)
{
  char header[48];
  size_t begin = out->length;
  append_json(out, message);
  size_t body_length = out->length - begin;
  int header_length = snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", body_length);
  if (!buffer_reserve(out, (size_t)header_length))
    return;
  memmove(out->data + begin + header_length, out->data + begin, body_length);
  memcpy(out->data + begin, header, (size_t)header_length);
  out->length += (size_t)header_length;
}

static void append_message(struct buffer *out, enum encoding encoding,
                           const struct message *message)
{
  size_t begin = out->length;
  switch (encoding) {
  case ENCODING_MSGPACK: pack_rpc(out, message); break;
  case ENCODING_CONTENT_LENGTH: append_with_header(out, message); break;
  default: /* and whoever sent what begins no message: a line of text is the best guess */
    append_json(out, message);
    buffer_append(out, "\n", 1);
    break;
  }
  if (out->failed)
    out->length = begin;
}

void reply_result(struct buffer *out, enum encoding encoding, const struct request_id *id,
                  enum method method, const void *result)
{
  append_message(out, encoding, &(struct message){.id = id, .method = method, .result = result});
}

void reply_solving(struct buffer *out, enum encoding encoding, const struct request_id *id,
                   const struct result_solving *solving)
{
  append_message(out, encoding, &(struct message){.id = id, .solving = solving});
}

void reply_error(struct buffer *out, enum encoding encoding, const struct request_id *id,
                 const struct fault *fault)
{
  append_message(out, encoding, &(struct message){.id = id, .fault = fault});
}

void reply_progress(struct buffer *out, enum encoding encoding, const struct request_id *id,
                    const struct progress *progress)
{
  append_message(out, encoding, &(struct message){.id = id, .progress = progress});
}
