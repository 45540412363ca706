#include "tests/proto/feed.h"

#include "tests/proto/proto_test.h"

void feed_init(struct feed *feed, const struct message_limits *limits)
{
  feed->count = 0;
  framer_init(&feed->framer, limits);
  buffer_init(&feed->pending);
  buffer_init(&feed->bodies);
}

void feed_deinit(struct feed *feed)
{
  buffer_deinit(&feed->pending);
  buffer_deinit(&feed->bodies);
}

static void keep(struct feed *feed, enum framer_result result, const struct frame *frame,
                 const struct fault *fault)
{
  assert_in_range(feed->count, 0, FEED_EVENTS_MAX - 1);
  struct feed_event *event = &feed->events[feed->count++];
  *event = (struct feed_event){.result = result, .body_at = feed->bodies.length, .frame = *frame};
  if (result == FRAMER_MESSAGE) {
    event->length = frame->length;
    buffer_append(&feed->bodies, frame->body, frame->length);
  } else {
    event->fault = *fault;
  }
}

void feed_bytes(struct feed *feed, const void *bytes, size_t length)
{
  enum framer_result result;
  buffer_append(&feed->pending, bytes, length);
  do {
    struct frame frame;
    struct fault fault = {0};
    result = framer_next(&feed->framer, feed->pending.data, feed->pending.length, &frame, &fault);
    if (result != FRAMER_MORE)
      keep(feed, result, &frame, &fault);
    assert_in_range(frame.consumed, 0, feed->pending.length);
    buffer_consume(&feed->pending, frame.consumed);
  } while (result == FRAMER_MESSAGE || result == FRAMER_REFUSED);
}
