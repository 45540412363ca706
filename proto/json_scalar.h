/* What JSON is made of: texts, numbers and words, each turned into MessagePack. Private to proto. */
#ifndef CATMOUSE_PROTO_JSON_SCALAR_H
#define CATMOUSE_PROTO_JSON_SCALAR_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/buffer.h"
#include "proto/errors.h"

/* A place in a text that is being turned into MessagePack. */
struct json_reader {
  const char *text, *at, *end;
  uint64_t depth, depth_max;
  struct buffer *out;
  struct fault *fault;
};

/* -EBADMSG with a fault that says where and what; json_refuse_here() that the text has ended, if it has. */
int json_refuse(const struct json_reader *reader, enum error error, const char *what);
int json_refuse_here(const struct json_reader *reader, const char *what);

/* Passes the next byte if it is this one. */
static inline bool json_pass(struct json_reader *reader, char byte)
{
  if (reader->at == reader->end || *reader->at != byte)
    return false;
  reader->at++;
  return true;
}

/* Writes a head of the widest form, whose count is filled in at the end; returns where it stands. */
size_t json_begin_counted(struct buffer *out, uint8_t head);
void json_end_counted(struct buffer *out, size_t head_at, uint64_t count);

/* Where a quote stands. 0 or -EBADMSG with the fault. */
int json_read_text(struct json_reader *reader);

/* A number, null, true or false, where a byte stands. 0 or -EBADMSG with the fault. */
int json_read_bare(struct json_reader *reader);

#endif
