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
  uint64_t passed;     /* bytes of the message looked at; MessagePack: may be more than have come */
  uint64_t open_items; /* MessagePack: still to come, all levels together */
  size_t line_at;      /* Content-Length: where the header being read begins */
  size_t body_at;      /* where the body begins, 0 until that is known */
  uint64_t body_length; /* UINT64_MAX until its header is read */
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

/* More of a refused message is not waited for: it is broken. */
static const uint64_t FRAME_SKIP_MAX_BYTES = 1u << 30;

/* Where the id of JSON that is too long is looked for. */
enum { FRAME_ID_BYTES = 4096 };

/* Between messages, JSON may hold any number of these. */
static inline bool is_blank(char byte)
{
  return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

#endif
