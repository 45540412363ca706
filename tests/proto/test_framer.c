/* Messages out of a stream, however it is split; and what is refused or broken. */
#include "proto/framer.h"

#include <stdlib.h>
#include <string.h>

#include "proto/request_read.h"
#include "tests/proto/feed.h"
#include "tests/proto/proto_test.h"
#include "tests/proto/samples.h"
#include "tests/support/failing_alloc.h"

static const enum encoding encodings[] = {ENCODING_MSGPACK, ENCODING_JSON_LINES,
                                          ENCODING_CONTENT_LENGTH};

static void append_all(struct buffer *out, enum encoding encoding)
{
  for (enum method method = 0; method < METHOD_COUNT; method++)
    sample_append(out, encoding, method);
}

/* Each message of the stream must be the sample of its method. */
static void check_all(const struct feed *feed, enum encoding encoding)
{
  assert_int_equal(feed->count, METHOD_COUNT);
  for (enum method method = 0; method < METHOD_COUNT; method++) {
    const struct feed_event *event = &feed->events[method];
    struct buffer expected;
    buffer_init(&expected);
    sample_append(&expected, encoding == ENCODING_MSGPACK ? encoding : ENCODING_UNKNOWN, method);
    assert_int_equal(event->result, FRAMER_MESSAGE);
    assert_int_equal(event->length, expected.length);
    assert_memory_equal(feed->bodies.data + event->body_at, expected.data, expected.length);
    buffer_deinit(&expected);
  }
}

static void test_split_at_every_byte(void **state)
{
  (void)state;
  for (int i = 0; i < 3; i++) {
    struct buffer stream;
    buffer_init(&stream);
    append_all(&stream, encodings[i]);
    for (size_t at = 0; at <= stream.length; at++) {
      struct feed feed;
      feed_init(&feed, &message_limits_default);
      feed_bytes(&feed, stream.data, at);
      feed_bytes(&feed, stream.data + at, stream.length - at);
      check_all(&feed, encodings[i]);
      assert_int_equal(feed.framer.encoding, encodings[i]);
      feed_deinit(&feed);
    }
    buffer_deinit(&stream);
  }
}

static void test_byte_at_a_time(void **state)
{
  (void)state;
  for (int i = 0; i < 3; i++) {
    struct buffer stream;
    struct feed feed;
    buffer_init(&stream);
    append_all(&stream, encodings[i]);
    feed_init(&feed, &message_limits_default);
    for (size_t at = 0; at < stream.length; at++)
      feed_bytes(&feed, stream.data + at, 1);
    check_all(&feed, encodings[i]);
    feed_deinit(&feed);
    buffer_deinit(&stream);
  }
}

static void test_every_answer_is_one_message(void **state)
{
  (void)state;
  struct buffer stream;
  struct feed feed;
  buffer_init(&stream);
  feed_init(&feed, &message_limits_default);
  for (enum method method = 0; method < METHOD_COUNT; method++)
    reply_result(&stream, ENCODING_MSGPACK, &sample_id, method, sample_result(method));
  reply_progress(&stream, ENCODING_MSGPACK, &sample_id, &sample_progress);
  for (size_t at = 0; at < stream.length; at++)
    feed_bytes(&feed, stream.data + at, 1);
  assert_int_equal(feed.count, METHOD_COUNT + 1);
  for (int i = 0; i < feed.count; i++)
    assert_int_equal(feed.events[i].result, FRAMER_MESSAGE);
  feed_deinit(&feed);
  buffer_deinit(&stream);
}

/* What comes out of a stream is the same whether it comes whole or a byte at a time. */
static void check_bodies(const char *stream, size_t length, int count, const char *bodies)
{
  for (size_t step = 1; step <= length; step += length - 1) {
    struct feed feed;
    feed_init(&feed, &message_limits_default);
    for (size_t at = 0; at < length; at += step)
      feed_bytes(&feed, stream + at, length - at < step ? length - at : step);
    assert_int_equal(feed.count, count);
    buffer_append(&feed.bodies, "", 1);
    assert_string_equal(feed.bodies.data, bodies);
    assert_int_equal(feed.pending.length, 0);
    feed_deinit(&feed);
  }
}

struct bytes {
  const char *bytes;
  size_t length;
  enum error error;
  const char *text;
  int64_t id; /* 0 where there is none */
};

#define BYTES(literal) (literal), sizeof(literal) - 1

static void test_blank_lines_are_skipped(void **state)
{
  (void)state;
  check_bodies(BYTES("{\"a\":1}\r\n\n \t\r\n\n{\"b\":2}\n\r\n"), 2, "{\"a\":1}\r{\"b\":2}");
  check_bodies(BYTES("\r\n\n  \n {}\n"), 1, "{}");
  check_bodies(BYTES("\n\r\nContent-Length: 2\r\n\r\n{}\n\r\n\nContent-Length: 2\r\n\r\n[]\r\n"), 2,
               "{}[]");
}

/* A batch is a message like any other: whoever reads it says that there are none. */
static void test_batch_is_framed(void **state)
{
  (void)state;
  check_bodies(BYTES("[{\"a\":1}]\n{}\n[]\n"), 3, "[{\"a\":1}]{}[]");
}

static void test_headers(void **state)
{
  (void)state;
  check_bodies(BYTES("Content-Type: application/json\r\ncontent-length:  2 \r\n\r\n{}"
                     "content-length: 2\n\n[]"),
               2, "{}[]");
  check_bodies(BYTES("content-length: 2\r\nX: y\r\n\r\n{}"), 1, "{}");
  check_bodies(BYTES("cONTENT-lENGTH: 2\r\n\r\n{}"), 1, "{}");
}

static void test_broken(void **state)
{
  (void)state;
  /* clang-format off */
  static const struct bytes cases[] = {
    {BYTES("GET / HTTP/1.1\r\n"), ERROR_PARSE, "byte 0x47 begins no message", 0},
    {BYTES("\n 7"), ERROR_PARSE, "byte 0x37 begins no message", 0},
    {BYTES("\x92\x01\x02"), ERROR_PARSE, "a list of 2 items is no message", 0},
    {BYTES("\x9c\x00\x05\xa4ping"), ERROR_PARSE, "a list of 12 items is no message", 0},
    {BYTES("\xdc\x00\x05"), ERROR_PARSE, "a list of 5 items is no message", 0},
    {BYTES("\xdd\xff\x00\x00\x00"), ERROR_PARSE, "a list of 4278190080 items is no message", 0},
    {BYTES("\x94\x00\x01\xc1"), ERROR_PARSE, "byte 0xc1 begins no message", 1},
    {BYTES("\x93\x02\xa4ping\x90\x00"), ERROR_PARSE, "byte 0x00 begins no message", 0},
    {BYTES("\x94\x00\x05\xa4ping\xdd\xff\x00\x00\x00"), ERROR_LIMIT, "longer than the 67108864 bytes", 5},
    {BYTES("\x94\x00\x05\xa4ping\xdf\xff\x00\x00\x00"), ERROR_LIMIT, "longer than the 67108864 bytes", 5},
    {BYTES("\x94\x00\x05\xa4ping\xdb\xff\x00\x00\x00"), ERROR_LIMIT, "longer than the 67108864 bytes", 5},
    {BYTES("Content-Type: x\r\n\r\n"), ERROR_PARSE, "without a Content-Length", 0},
    {BYTES("Content-Length: x\r\n\r\n"), ERROR_PARSE, "no number of bytes", 0},
    {BYTES("Content-Length: -1\r\n\r\n"), ERROR_PARSE, "no number of bytes", 0},
    {BYTES("Content-Length: \r\n\r\n"), ERROR_PARSE, "no number of bytes", 0},
    {BYTES("Content-Length: 99999999999999999999\r\n\r\n"), ERROR_PARSE, "no number of bytes", 0},
    {BYTES("Content-Length: 999999999999\r\n\r\n"), ERROR_LIMIT, "longer than the 67108864 bytes", 0},
    {BYTES("Content-Length: 1\r\nContent-Length: 1\r\n\r\n"), ERROR_PARSE, "given twice", 0},
    {BYTES("CONNECT host\r\n\r\n"), ERROR_PARSE, "has no colon", 0},
  };
  /* clang-format on */
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct feed feed;
    feed_init(&feed, &message_limits_default);
    feed_bytes(&feed, cases[i].bytes, cases[i].length);
    assert_true(feed.count > 0);
    const struct feed_event *last = &feed.events[feed.count - 1];
    assert_int_equal(last->result, FRAMER_BROKEN);
    assert_int_equal(last->fault.error, cases[i].error);
    assert_int_equal(last->frame.id.kind, cases[i].id ? REQUEST_ID_NUMBER : REQUEST_ID_NONE);
    assert_true(!cases[i].id || last->frame.id.number == cases[i].id);
    if (!strstr(last->fault.text, cases[i].text))
      fail_msg("case %zu: '%s' does not say '%s'", i, last->fault.text, cases[i].text);
    feed_deinit(&feed);
  }
}

/* Bytes that make no sense end the connection behind a refused message, too. */
static void test_broken_rest_of_a_refused_message(void **state)
{
  (void)state;
  static const struct bytes rests[] = {
      {BYTES("\xc1"), ERROR_PARSE, "byte 0xc1 begins no message", 0},
      {BYTES("\xdb\xff\xff\xff\xff"), ERROR_LIMIT, "longer than the 16 bytes", 0},
  };
  struct message_limits limits = message_limits_default;
  limits.message_bytes = 16;
  for (size_t i = 0; i < sizeof rests / sizeof rests[0]; i++) {
    struct feed feed;
    feed_init(&feed, &limits);
    feed_bytes(&feed, BYTES("\x94\x00\x05\xa4ping\x93\xd9\x20"));
    feed_bytes(&feed, BYTES("12345678901234567890123456789012"));
    assert_int_equal(feed.count, 1);
    assert_int_equal(feed.events[0].result, FRAMER_REFUSED);
    feed_bytes(&feed, rests[i].bytes, rests[i].length);
    assert_int_equal(feed.count, 2);
    assert_int_equal(feed.events[1].result, FRAMER_BROKEN);
    assert_int_equal(feed.events[1].fault.error, rests[i].error);
    assert_non_null(strstr(feed.events[1].fault.text, rests[i].text));
    feed_deinit(&feed);
  }
}

/* Heads may be longer than they need be, and come in pieces. */
static void test_long_heads(void **state)
{
  (void)state;
  static const char message[] =
      "\xdd\x00\x00\x00\x04\xcc\x00\xcd\x00\x01\xda\x00\x04ping\xdc\x00\x00";
  struct feed feed;
  feed_init(&feed, &message_limits_default);
  for (size_t at = 0; at < sizeof message - 1; at++)
    feed_bytes(&feed, message + at, 1);
  assert_int_equal(feed.count, 1);
  assert_int_equal(feed.events[0].result, FRAMER_MESSAGE);
  assert_int_equal(feed.events[0].length, sizeof message - 1);
  feed_deinit(&feed);
}

static void test_endless_headers_are_broken(void **state)
{
  (void)state;
  struct feed feed;
  feed_init(&feed, &message_limits_default);
  feed_bytes(&feed, "C", 1);
  for (int i = 0; i < 5000 && feed.count == 0; i++)
    feed_bytes(&feed, "x", 1);
  assert_int_equal(feed.count, 1);
  assert_int_equal(feed.events[0].result, FRAMER_BROKEN);
  feed_deinit(&feed);
}

/* What is refused must be answered once, and the message after it must come through. */
static void check_refused(const struct message_limits *limits, const struct buffer *stream,
                          size_t step)
{
  struct feed feed;
  feed_init(&feed, limits);
  for (size_t at = 0; at < stream->length; at += step)
    feed_bytes(&feed, stream->data + at, stream->length - at < step ? stream->length - at : step);
  assert_int_equal(feed.count, 2);
  assert_int_equal(feed.events[0].result, FRAMER_REFUSED);
  assert_int_equal(feed.events[0].fault.error, ERROR_LIMIT);
  assert_non_null(strstr(feed.events[0].fault.text, "longer than the 60 bytes allowed"));
  assert_true(request_id_equal(&feed.events[0].frame.id, &sample_id));
  assert_int_equal(feed.events[1].result, FRAMER_MESSAGE);
  assert_int_equal(feed.pending.length, 0);
  feed_deinit(&feed);
}

static void test_too_long_is_refused_and_swallowed(void **state)
{
  (void)state;
  struct message_limits limits = message_limits_default;
  limits.message_bytes = 60;
  for (int i = 0; i < 3; i++) {
    struct buffer stream;
    buffer_init(&stream);
    sample_append(&stream, encodings[i], METHOD_SOLVE);
    sample_append(&stream, encodings[i], METHOD_PING);
    for (size_t step = 1; step <= stream.length; step++)
      check_refused(&limits, &stream, step);
    buffer_deinit(&stream);
  }
}

/* A refused message that is over leaves nothing to wait for: too long as a whole, or its last text. */
static void test_too_long_at_its_end_is_over(void **state)
{
  (void)state;
  struct message_limits limits = message_limits_default;
  for (int i = 0; i < 3; i++) {
    struct buffer stream;
    struct feed feed;
    buffer_init(&stream);
    sample_append(&stream, encodings[i], METHOD_HELLO);
    limits.message_bytes = encodings[i] == ENCODING_MSGPACK ? stream.length - 1 : 8;
    feed_init(&feed, &limits);
    feed_bytes(&feed, stream.data, stream.length);
    assert_int_equal(feed.count, 1);
    assert_int_equal(feed.events[0].result, FRAMER_REFUSED);
    assert_false(feed.framer.skipping);
    feed_deinit(&feed);
    buffer_deinit(&stream);
  }
}

/* A hundred megabytes go by with no more of them held than the limit. */
static void test_huge_message_is_swallowed(void **state)
{
  (void)state;
  enum { CHUNK = 64 << 10, TOTAL = 100 << 20 };
  static const char *const begin[] = {"\x94\x00\x01\xa4ping\xdb\x06\x40\x00\x00", "{\"x\":\"",
                                      "Content-Length: 104857600\r\n\r\n"};
  static const size_t begin_length[] = {13, 6, 29};
  struct message_limits limits = message_limits_default;
  limits.message_bytes = 1 << 20;
  char *chunk = test_malloc(CHUNK);
  memset(chunk, 'x', CHUNK);
  for (int i = 0; i < 3; i++) {
    struct buffer end;
    struct feed feed;
    buffer_init(&end);
    feed_init(&feed, &limits);
    if (encodings[i] == ENCODING_JSON_LINES)
      buffer_append(&end, "\n", 1);
    sample_append(&end, encodings[i], METHOD_PING);
    feed_bytes(&feed, begin[i], begin_length[i]);
    for (int sent = 0; sent < TOTAL; sent += CHUNK) {
      feed_bytes(&feed, chunk, CHUNK);
      assert_in_range(feed.pending.length, 0, limits.message_bytes);
    }
    feed_bytes(&feed, end.data, end.length);
    assert_int_equal(feed.count, 2);
    assert_int_equal(feed.events[0].result, FRAMER_REFUSED);
    assert_int_equal(feed.events[1].result, FRAMER_MESSAGE);
    feed_deinit(&feed);
    buffer_deinit(&end);
  }
  test_free(chunk);
}

static void test_bombs_allocate_nothing(void **state)
{
  (void)state;
  static const char header[5] = {'\xdd', '\x00', '\x10', '\x00', '\x00'};
  char nested[155 * sizeof header + 3] = "\x94\x00\x01";
  for (size_t i = 0; i < 155; i++)
    memcpy(nested + 3 + i * sizeof header, header, sizeof header);
  const struct bytes bombs[] = {
      {nested, sizeof nested, 0, NULL, 0},
      {BYTES("\x94\x00\x05\xa4ping\xdd\xff\x00\x00\x00"), 0, NULL, 0},
      {BYTES("\x94\x00\x05\xa4ping\x91\xdf\x7f\xff\xff\xff"), 0, NULL, 0},
      {BYTES("\xdd\xff\x00\x00\x00"), 0, NULL, 0},
  };
  for (size_t i = 0; i < sizeof bombs / sizeof bombs[0]; i++) {
    struct framer framer;
    struct request request;
    struct frame frame;
    struct fault fault;
    framer_init(&framer, &message_limits_default);
    failing_alloc_arm(0);
    enum framer_result result =
        framer_next(&framer, bombs[i].bytes, bombs[i].length, &frame, &fault);
    int error = request_decode(bombs[i].bytes, bombs[i].length, ENCODING_MSGPACK,
                               &message_limits_default, &request, &fault);
    assert_false(failing_alloc_disarm());
    assert_true(result == FRAMER_REFUSED || result == FRAMER_BROKEN);
    assert_int_not_equal(error, 0);
  }
}

static void test_framing_allocates_nothing(void **state)
{
  (void)state;
  for (int i = 0; i < 3; i++) {
    struct buffer stream;
    struct framer framer;
    struct frame frame = {0};
    struct fault fault;
    int messages = 0;
    buffer_init(&stream);
    append_all(&stream, encodings[i]);
    framer_init(&framer, &message_limits_default);
    failing_alloc_arm(0);
    for (size_t at = 0; at < stream.length; at += frame.consumed)
      messages += framer_next(&framer, stream.data + at, stream.length - at, &frame, &fault) ==
                  FRAMER_MESSAGE;
    assert_false(failing_alloc_disarm());
    assert_int_equal(messages, METHOD_COUNT);
    buffer_deinit(&stream);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_split_at_every_byte),
      cmocka_unit_test(test_byte_at_a_time),
      cmocka_unit_test(test_every_answer_is_one_message),
      cmocka_unit_test(test_blank_lines_are_skipped),
      cmocka_unit_test(test_batch_is_framed),
      cmocka_unit_test(test_headers),
      cmocka_unit_test(test_broken),
      cmocka_unit_test(test_broken_rest_of_a_refused_message),
      cmocka_unit_test(test_long_heads),
      cmocka_unit_test(test_endless_headers_are_broken),
      cmocka_unit_test(test_too_long_is_refused_and_swallowed),
      cmocka_unit_test(test_too_long_at_its_end_is_over),
      cmocka_unit_test(test_huge_message_is_swallowed),
      cmocka_unit_test(test_bombs_allocate_nothing),
      cmocka_unit_test(test_framing_allocates_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
