/*
 * Finds whole messages in a stream of bytes, however it is split, in any of the three encodings.
 * The first byte of a connection picks the encoding for its life. Looks at each byte once, at
 * headers whenever more has come, and allocates nothing; limits on size and declared counts are
 * checked here, before any decoder runs.
 */
#ifndef CATMOUSE_PROTO_FRAMER_H
#define CATMOUSE_PROTO_FRAMER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/errors.h"
#include "proto/limits.h"
#include "proto/request.h"

enum encoding {
  ENCODING_UNKNOWN,
  ENCODING_MSGPACK,        /* first byte 0x90..0x9f, 0xdc or 0xdd */
  ENCODING_JSON_LINES,     /* first byte '{' or '[' */
  ENCODING_CONTENT_LENGTH, /* first byte 'C' or 'c' */
};

/* Private to the framer but for `encoding` and `skipping`. */
struct framer {
  enum encoding encoding;
  bool skipping;                       /* the rest of a refused message is being dropped */
  const struct message_limits *limits; /* borrowed */
  uint64_t
      passed; /* bytes of the message looked at, or to be dropped; may be more than have come */
  uint64_t open_items; /* MessagePack: still to come, all levels together */
};

enum framer_result {
  FRAMER_MORE,    /* no whole message yet; the caller drops `consumed` bytes and reads on */
  FRAMER_MESSAGE, /* `body` is one message; valid until the caller drops `consumed` bytes */
  FRAMER_REFUSED, /* too large: answer `fault`; the rest is swallowed, the connection lives on */
  FRAMER_BROKEN,  /* no message at all, or an endless one: answer `fault`, then close */
};

struct frame {
  const char *body; /* borrowed from the caller's bytes */
  size_t length;
  size_t consumed;      /* bytes the caller must drop from the front before the next call */
  struct request_id id; /* of what is refused or broken, where it could be read */
};

void framer_init(struct framer *framer, const struct message_limits *limits);

/* Looks for one message at the front of `bytes`: what the last call left, and what came since. */
enum framer_result framer_next(struct framer *framer, const char *bytes, size_t length,
                               struct frame *frame, struct fault *fault);

#endif
