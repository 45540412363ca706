/* What people paste from LeetCode, as the JSON that it stands for. */
#ifndef CATMOUSE_CLIENT_PUZZLE_BOX_H
#define CATMOUSE_CLIENT_PUZZLE_BOX_H

#include <stddef.h>

#include "proto/buffer.h"

struct text_span {
  const char *at; /* borrowed */
  size_t length;
};

/* Without the mark that some editors begin a file with. */
struct text_span puzzle_box_begin(struct text_span text);

/*
 * The JSON that `text` stands for, which may be any bytes: a grid's test-case box (its list, catJump, mouseJump) as an
 * object. That is written to `object`, whose `failed` says that memory was short; everything else is `text` itself.
 */
struct text_span puzzle_box_json(struct text_span text, struct buffer *object);

#endif
