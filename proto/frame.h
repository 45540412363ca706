/* What framing keeps and finds. The files of the three encodings share it with framer.c. */
#ifndef CATMOUSE_PROTO_FRAME_H
#define CATMOUSE_PROTO_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/errors.h"
#include "proto/limits.h"
#include "proto/request_id.h"

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

/* How the messages of one encoding are found. */
struct framing {
  /* As framer_next(), where the bytes begin a message and `frame` is empty. */
  enum framer_result (*next)(struct framer *framer, const char *bytes, size_t length,
                             struct frame *frame, struct fault *fault);
  /*
   * Drops more of a refused message, sets how many bytes, and clears `skipping` at its end. FRAMER_MORE or
   * FRAMER_BROKEN.
   */
  enum framer_result (*skip)(struct framer *framer, const char *bytes, size_t length,
                             size_t *dropped, struct fault *fault);
};

/* More of a refused message is not waited for: it is broken. */
static const uint64_t FRAME_SKIP_MAX_BYTES = 1u << 30;

/* Where the id of JSON that is too long is looked for. */
enum { FRAME_ID_BYTES = 4096 };

#endif
