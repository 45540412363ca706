/*
 * A proof as text, with the puzzle that it is about: what `cmclient explain --json` prints, what
 * `cmclient check` and examples/check.py read, and what the wire's `explain` answers. PROTOCOL.md
 * describes it.
 */
#ifndef CATMOUSE_PROTO_CERTIFICATE_H
#define CATMOUSE_PROTO_CERTIFICATE_H

#include "proto/buffer.h"
#include "proto/errors.h"
#include "proto/limits.h"
#include "solver/arena.h"
#include "solver/proof.h"
#include "solver/puzzle.h"

#define CERTIFICATE_VERSION 1

/* A certificate as it was read: well formed, and no more than that. */
struct certificate {
  struct puzzle puzzle; /* borrows from `memory` */
  void *memory;
  struct proof proof;
};

/* Appends it as MessagePack. The puzzle is told from its arena, neighbours in ascending order. */
void certificate_pack(struct buffer *out, const struct arena *arena, const struct proof *proof);

/* Refuses a proof of more than `states_max` states: -EBADMSG with `fault` (ERROR_LONG_PROOF). */
int certificate_refuse(uint32_t states_max, struct fault *fault);

/* Appends it as JSON on one line. */
void certificate_to_json(struct buffer *out, const struct arena *arena, const struct proof *proof);

/* Appends the puzzle of an arena alone, as JSON on one line. */
void puzzle_to_json(struct buffer *out, const struct arena *arena);

/*
 * 0, and the caller owns `certificate` (certificate_deinit()). -EBADMSG with `fault`: ERROR_PARSE
 * for what is no JSON, ERROR_BAD_PUZZLE, ERROR_PARAMS naming what is no certificate, ERROR_LIMIT,
 * ERROR_NO_MEMORY.
 */
int certificate_from_json(const char *text, size_t length, const struct message_limits *limits,
                          struct certificate *certificate, struct fault *fault);

/* The same from MessagePack, which is well formed. */
int certificate_from_packed(const char *packed, size_t length, const struct message_limits *limits,
                            struct certificate *certificate, struct fault *fault);

void certificate_deinit(struct certificate *certificate);

#endif
