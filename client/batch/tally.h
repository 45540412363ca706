/*
 * What batch counts: answers by outcome, the longest wins with their puzzles, bad records by reason. A tally of each
 * piece of the stream is added to that of all before it, so the sum is the same however many threads there are.
 */
#ifndef CATMOUSE_CLIENT_BATCH_TALLY_H
#define CATMOUSE_CLIENT_BATCH_TALLY_H

#include <stdint.h>

#include "client/batch/answer.h"
#include "client/batch/json_span.h"
#include "client/batch/record.h"
#include "proto/buffer.h"

enum { REASON_BYTES = 120, REASONS_MAX = 48, OUTCOMES = 3 };

/* A win, and the puzzle that shows it as it was written. */
struct win {
  uint32_t plies; /* 0 where there is none yet */
  uint64_t record;
  struct roles roles;
  char *text; /* owned */
  size_t length;
};

struct reason {
  char text[REASON_BYTES]; /* numbers are N in it */
  uint64_t count;
};

/* The longest wins of either side, longest first, earlier records before later ones of the same length. */
struct win_list {
  struct win *wins; /* owned; room for `most` */
  uint32_t count, most;
};

struct tally {
  uint64_t records, bad, answers;
  uint64_t outcomes[OUTCOMES];
  struct win longest[2]; /* by winner */
  struct win_list list;
  struct reason reasons[REASONS_MAX];
  uint32_t reasons_count;
  uint64_t other_reasons;
};

/* `longest`: how many wins the list is to hold. 0 or -ENOMEM. */
int tally_init(struct tally *tally, uint32_t longest);
void tally_deinit(struct tally *tally);
void tally_clear(struct tally *tally);

/* 0, or -ENOMEM where a puzzle is to be kept. */
int tally_answer(struct tally *tally, const struct answer *answer, const struct record *record,
                 uint64_t number);
void tally_bad(struct tally *tally, const char *why);

/* Adds what came later. 0 or -ENOMEM. */
int tally_add(struct tally *tally, const struct tally *later);

/* For people. */
void tally_print(const struct tally *tally, struct buffer *out);

/* The members of an object, without its braces; and the same read again. -EINVAL where they are no such members. */
void tally_write(const struct tally *tally, struct buffer *out);
int tally_read(struct json_span object, struct tally *tally);

/* The puzzles of the list, each on a line as it came. */
void tally_print_list(const struct tally *tally, struct buffer *out);

#endif
