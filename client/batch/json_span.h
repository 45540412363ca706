/*
 * JSON taken apart without a tree: the members of an object, the items of a list, as spans of its text. What a span
 * says is only checked where it is read, so a caller that needs good JSON reads every span.
 */
#ifndef CATMOUSE_CLIENT_BATCH_JSON_SPAN_H
#define CATMOUSE_CLIENT_BATCH_JSON_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_span {
  const char *text; /* borrowed; without spaces around it */
  size_t length;
};

/* A walk through an object or a list. */
struct json_walk {
  const char *at, *end;
  bool broken; /* it ended where no object or list of good form does */
};

/* Begins at what `span` holds: '{' or '['. Anything else is broken. */
struct json_walk json_walk_begin(struct json_span span);

/* The next member: its key with the quotes, and its value. False at the end, or where it is broken. */
bool json_next_member(struct json_walk *walk, struct json_span *key, struct json_span *value);
bool json_next_item(struct json_walk *walk, struct json_span *value);

/* Is the key, which has no escapes, this word? */
bool json_key_is(struct json_span key, const char *word);

/* The value of a member; false where the object has none of that name. */
bool json_find(struct json_span object, const char *word, struct json_span *value);

/* A number from 0 on, at most UINT64_MAX. */
bool json_number(struct json_span span, uint64_t *number);

/*
 * Undoes append_json_text(): an escape \u stands for one byte. `*length` bytes, cut to fit, and a NUL behind them.
 * False where the span is no such text.
 */
bool json_text(struct json_span span, size_t size, char *text, size_t *length);

#endif
