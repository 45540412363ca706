/* What framer.c asks of each encoding. */
#ifndef CATMOUSE_PROTO_FRAMER_FORMATS_H
#define CATMOUSE_PROTO_FRAMER_FORMATS_H

#include "proto/framer.h"

struct framer_format {
  /* As framer_next(), but that `bytes` begin a message, and `frame` is zeroed. */
  enum framer_result (*next)(struct framer *framer, const char *bytes, size_t length,
                             struct frame *frame, struct fault *fault);
  /*
   * Drops more of a refused message, sets how many bytes, and clears `skipping` at its end.
   * FRAMER_MORE or FRAMER_BROKEN.
   */
  enum framer_result (*skip)(struct framer *framer, const char *bytes, size_t length,
                             size_t *dropped, struct fault *fault);
};

extern const struct framer_format format_msgpack, format_json_lines, format_content_length;

enum framer_result framer_refuse_depth(struct framer *framer, struct fault *fault);
enum framer_result framer_refuse_length(struct framer *framer, struct fault *fault);

#endif
