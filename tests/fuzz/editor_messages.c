/*
 * What an editor sends: the messages found must not depend on how the bytes were split, and behind any bytes that end
 * with an empty line, a whole message is found. The first byte of the input says where to split.
 */
#include <string.h>

#include "lsp/message_reader.h"
#include "proto/buffer.h"
#include "tests/fuzz/target.h"

static const char last[] = "\r\n\r\nContent-Length: 4\r\n\r\nlast";

struct findings {
  unsigned bodies, junk;
  uint64_t sum; /* over the bodies' bytes */
  bool last;    /* the newest body is the one that was put at the end */
};

static void take(struct message_reader *reader, struct buffer *pending, struct findings *findings)
{
  for (;;) {
    struct message message;
    enum message_found found = message_next(reader, pending->data, pending->length, &message);
    MUST(message.consumed <= pending->length);
    if (found == MESSAGE_BODY) {
      MUST(message.body >= pending->data &&
           message.body + message.length <= pending->data + message.consumed);
      for (size_t i = 0; i < message.length; i++)
        findings->sum = findings->sum * 31 + (uint8_t)message.body[i];
      findings->bodies++;
      findings->last = message.length == 4 && memcmp(message.body, "last", 4) == 0;
    }
    findings->junk += found == MESSAGE_JUNK;
    buffer_consume(pending, message.consumed);
    if (found == MESSAGE_MORE)
      return;
  }
}

static struct findings feed(const struct buffer *bytes, size_t piece)
{
  struct message_reader reader = {0};
  struct buffer pending;
  struct findings findings = {0};
  buffer_init(&pending);
  for (size_t at = 0; at < bytes->length; at += piece) {
    size_t left = bytes->length - at;
    buffer_append(&pending, bytes->data + at, left < piece ? left : piece);
    take(&reader, &pending, &findings);
  }
  /* A body may have been announced that swallows the last message; else that is found. */
  MUST(findings.last || reader.in_body || findings.bodies > 0);
  buffer_deinit(&pending);
  return findings;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
  struct buffer stream;
  if (length == 0)
    return 0;
  buffer_init(&stream);
  buffer_append(&stream, bytes + 1, length - 1);
  buffer_append(&stream, last, sizeof last - 1);
  struct findings whole = feed(&stream, stream.length);
  struct findings pieces = feed(&stream, (size_t)bytes[0] % 16 + 1);
  MUST(whole.bodies == pieces.bodies && whole.junk == pieces.junk && whole.sum == pieces.sum);
  buffer_deinit(&stream);
  return 0;
}
