/*
 * Finds whole messages in a stream of bytes, however it is split, in any of the three encodings. The
 * first byte of a connection picks the encoding for its life. Looks at each byte once and allocates
 * nothing; limits on size, depth and declared counts are checked here, before any decoder runs.
 */
#ifndef CATMOUSE_PROTO_FRAMER_H
#define CATMOUSE_PROTO_FRAMER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/errors.h"
#include "proto/json_scan.h"
#include "proto/limits.h"
#include "proto/msgpack_scan.h"

enum encoding {
  ENCODING_UNKNOWN,
  ENCODING_MSGPACK,        /* first byte 0x90..0x9f, 0xdc or 0xdd */
  ENCODING_JSON_LINES,     /* first byte '{' */
  ENCODING_CONTENT_LENGTH, /* first byte 'C' */
};

/* Private to the framer but for `encoding`. */
struct framer {
  enum encoding encoding;
  const struct message_limits *limits; /* borrowed */
  bool skipping;                       /* the rest of a refused message is being dropped */
  struct msgpack_scan msgpack;
  struct json_scan json;
  size_t scanned;       /* the JSON forms: bytes of the message already looked at */
  size_t line_at;       /* Content-Length: where the header being read begins */
  size_t body_at;       /* where the body begins, 0 until that is known */
  uint64_t body_length; /* UINT64_MAX until its header is read */
  uint64_t skip_bytes;  /* of a refused body, still to be dropped */
};

enum framer_result {
  FRAMER_MORE,    /* no whole message yet; the caller drops `consumed` bytes and reads on */
  FRAMER_MESSAGE, /* `body` is one message; valid until the caller drops `consumed` bytes */
  FRAMER_REFUSED, /* too large or too deep: answer `fault`; the rest is swallowed, the connection lives on */
  FRAMER_BROKEN, /* no message at all, or an endless one: answer `fault`, then close */
};

struct frame {
  const char *body; /* borrowed from the caller's bytes */
  size_t length;
  size_t consumed;     /* bytes the caller must drop from the front before the next call */
  uint64_t message_id; /* refused or broken MessagePack: the request's id where it could be read */
  int has_message_id;
};

void framer_init(struct framer *framer, const struct message_limits *limits);

/* Looks for one message at the front of `bytes`: what was left after the last call, and whatever came since. */
enum framer_result framer_next(struct framer *framer, const char *bytes, size_t length,
                               struct frame *frame, struct fault *fault);

#endif
