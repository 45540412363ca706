/* One request and one answer for every method: what the tests send around and PROTOCOL.md shows. */
#ifndef CATMOUSE_TESTS_PROTO_SAMPLES_H
#define CATMOUSE_TESTS_PROTO_SAMPLES_H

#include "proto/reply.h"
#include "proto/request_write.h"

enum { SAMPLE_ID = 1 };
#define SAMPLE_PUZZLE "d5aaf05e91fa3cca90f8fecd55d9e221ae08a766f7188faac9c9ed66b616c0f7"

/* As an author would write it in JSON. */
extern const char *const sample_json[METHOD_COUNT];

/* Valid for the program's life; nothing to free. */
const struct request *sample_request(enum method method);
const void *sample_result(enum method method);

extern const struct progress sample_progress;
extern const struct request_id sample_id;
extern const struct request_id sample_text_id;

/* Appends the sample request in an encoding, with whatever frames it. */
void sample_append(struct buffer *out, enum encoding encoding, enum method method);

/* Appends one JSON text framed for an encoding. */
void sample_append_json(struct buffer *out, enum encoding encoding, const char *json);

#endif
