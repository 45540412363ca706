/*
 * A connection's bytes: the messages found must not depend on how the bytes were split. The first byte
 * of the input says where to split, the rest is the stream.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/buffer.h"
#include "proto/framer.h"
#include "proto/request_read.h"
#include "solver/arena.h"
#include "tests/fuzz/target.h"

static const struct message_limits limits = {.message_bytes = 1 << 12,
                                             .depth = 8,
                                             .nodes = 64,
                                             .edges = 256,
                                             .request_id_bytes = 16,
                                             .line_moves = 100};

/* What came out of a stream, boiled down. */
struct findings {
  unsigned messages, refused;
  int broken;
  uint64_t sum; /* over the messages' bytes */
};

static void add_message(struct findings *findings, const struct frame *frame,
                        enum encoding encoding)
{
  struct request request;
  struct complaint complaint;
  struct arena *arena = NULL;
  struct fault fault;
  findings->messages++;
  findings->sum = findings->sum * 31 + frame->length;
  for (size_t i = 0; i < frame->length; i++)
    findings->sum = findings->sum * 31 + (uint8_t)frame->body[i];
  if (request_decode(frame->body, frame->length, encoding, &limits, &request, &fault) < 0)
    return;
  if (request_has(&request, PARAM_PUZZLE) && arena_new(&request.puzzle, &arena, &complaint) == 0)
    arena_free(arena);
  request_deinit(&request);
}

static void add_id(struct findings *findings, const struct request_id *id)
{
  findings->sum = findings->sum * 31 + id->kind;
  if (id->kind == REQUEST_ID_NUMBER)
    findings->sum = findings->sum * 31 + (uint64_t)id->number;
  for (uint32_t i = 0; id->kind == REQUEST_ID_TEXT && i < id->length; i++)
    findings->sum = findings->sum * 31 + (uint8_t)id->text[i];
}

static void take(struct framer *framer, struct buffer *pending, struct findings *findings)
{
  while (!findings->broken) {
    struct frame frame = {0};
    struct fault fault;
    enum framer_result result = framer_next(framer, pending->data, pending->length, &frame, &fault);
    MUST(frame.consumed <= pending->length);
    if (result == FRAMER_MESSAGE) {
      MUST(frame.body >= pending->data &&
           frame.body + frame.length <= pending->data + frame.consumed);
      add_message(findings, &frame, framer->encoding);
    }
    if (result == FRAMER_REFUSED || result == FRAMER_BROKEN)
      add_id(findings, &frame.id);
    findings->refused += result == FRAMER_REFUSED;
    findings->broken = result == FRAMER_BROKEN;
    buffer_consume(pending, frame.consumed);
    if (result == FRAMER_MORE)
      return;
  }
}

static struct findings feed(const uint8_t *bytes, size_t length, size_t piece)
{
  struct framer framer;
  struct buffer pending;
  struct findings findings = {0};
  framer_init(&framer, &limits);
  buffer_init(&pending);
  for (size_t at = 0; at < length && !findings.broken; at += piece) {
    buffer_append(&pending, bytes + at, length - at < piece ? length - at : piece);
    take(&framer, &pending, &findings);
  }
  buffer_deinit(&pending);
  return findings;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
  if (length < 2)
    return 0;
  struct findings whole = feed(bytes + 1, length - 1, length - 1);
  struct findings split = feed(bytes + 1, length - 1, 1 + bytes[0] % 16);
  MUST(whole.messages == split.messages);
  MUST(whole.refused == split.refused);
  MUST(whole.broken == split.broken);
  MUST(whole.sum == split.sum);
  return 0;
}
