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
#include "proto/shape.h"

/* What a message is about; which of the pointers is set says what kind it is. */
struct message {
  const struct request_id *id;
  enum method method;
  const void *result;
  const struct fault *fault;
  const struct progress *progress;
};

static void pack_id(msgpack_packer *packer, const struct request_id *id)
{
  switch (id->kind) {
  case REQUEST_ID_NUMBER: msgpack_pack_int64(packer, id->number); break;
  case REQUEST_ID_TEXT: pack_text(packer, id->text); break;
  default: msgpack_pack_nil(packer); break;
  }
}

static void pack_progress(msgpack_packer *packer, const struct message *message)
{
  msgpack_pack_map(packer, 1 + shape_progress.count);
  pack_text(packer, "request");
  pack_id(packer, message->id);
  shape_pack_entries(packer, &shape_progress, message->progress);
}

struct sentence {
  char text[sizeof((struct fault *)0)->text];
};

/* Parts of a sentence may come from a puzzle, or be cut within a character: only UTF-8 may go out. */
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

static void pack_rpc_error(msgpack_packer *packer, const struct fault *fault)
{
  const struct error_kind *kind = &error_kinds[fault->error];
  char text[sizeof fault->text + 32];
  snprintf(text, sizeof text, "%s: %s", kind->name, clean_sentence(fault).text);
  msgpack_pack_array(packer, 2);
  msgpack_pack_int(packer, kind->caller_at_fault ? 1 : 0);
  pack_text(packer, text);
}

static void pack_rpc(msgpack_packer *packer, const struct message *message)
{
  if (message->progress) {
    msgpack_pack_array(packer, 3);
    msgpack_pack_int(packer, 2);
    pack_text(packer, "progress");
    msgpack_pack_array(packer, 1);
    pack_progress(packer, message);
    return;
  }
  msgpack_pack_array(packer, 4);
  msgpack_pack_int(packer, 1);
  pack_id(packer, message->id);
  if (message->fault) {
    pack_rpc_error(packer, message->fault);
    msgpack_pack_nil(packer);
  } else {
    msgpack_pack_nil(packer);
    result_pack(packer, message->method, message->result);
  }
}

static void pack_json_error(msgpack_packer *packer, const struct fault *fault)
{
  const struct error_kind *kind = &error_kinds[fault->error];
  msgpack_pack_map(packer, 3);
  pack_text(packer, "code");
  msgpack_pack_int(packer, kind->json_code);
  pack_text(packer, "message");
  pack_text(packer, clean_sentence(fault).text);
  pack_text(packer, "data");
  msgpack_pack_map(packer, 1);
  pack_text(packer, "name");
  pack_text(packer, kind->name);
}

static void pack_json_rpc(msgpack_packer *packer, const struct message *message)
{
  msgpack_pack_map(packer, 3);
  pack_text(packer, "jsonrpc");
  pack_text(packer, "2.0");
  if (message->progress) {
    pack_text(packer, "method");
    pack_text(packer, "progress");
    pack_text(packer, "params");
    pack_progress(packer, message);
    return;
  }
  pack_text(packer, "id");
  pack_id(packer, message->id);
  pack_text(packer, message->fault ? "error" : "result");
  if (message->fault)
    pack_json_error(packer, message->fault);
  else
    result_pack(packer, message->method, message->result);
}

static void append_json(struct buffer *out, const struct message *message)
{
  struct buffer packed;
  buffer_init(&packed);
  msgpack_packer packer = packer_on(&packed);
  pack_json_rpc(&packer, message);
  if (packed.failed)
    out->failed = true;
  else
    json_write(out, packed.data, packed.length);
  buffer_deinit(&packed);
}

/* The length stands before the body but is known after it: the body is written first, then moved. */
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
  msgpack_packer packer = packer_on(out);
  switch (encoding) {
  case ENCODING_MSGPACK: pack_rpc(&packer, message); break;
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
