/*
 * Finds whole messages in a stream of bytes, however it is split: header lines in any order and case, an empty
 * line, as many bytes as Content-Length says. Where that is missing or makes no sense the headers are dropped and
 * whatever follows them is passed until the next Content-Length, so that the next message is read. Allocates
 * nothing; looks at each byte once, but for the end of a line.
 */
#ifndef CATMOUSE_LSP_MESSAGE_READER_H
#define CATMOUSE_LSP_MESSAGE_READER_H

#include <stdbool.h>
#include <stddef.h>

enum {
  MESSAGE_BYTES_MAX = 256 << 20,
  MESSAGE_HEADER_MAX = 4096, /* bytes of one line */
};

/* All zeroes at first. Private to the reader. */
struct message_reader {
  bool in_body;
  bool lost;       /* in bytes that belong to nothing, until the next Content-Length */
  bool has_length; /* of the headers under way */
  bool bad_length;
  size_t body_length;
};

enum message_found {
  MESSAGE_MORE, /* no whole message yet: come again with what was not consumed, and more behind it */
  MESSAGE_BODY,
  MESSAGE_JUNK, /* headers without a Content-Length that can be understood */
};

struct message {
  const char *body; /* borrowed from the caller's bytes */
  size_t length;
  size_t
      consumed; /* bytes that the caller drops from the front before the next call, whatever was found */
};

enum message_found message_next(struct message_reader *reader, const char *bytes, size_t length,
                                struct message *message);

#endif
