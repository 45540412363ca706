/*
 * A piece of a stream, cut between records, and what is said about it: its lines, and what they add to the tally. A
 * thread answers chunk after chunk with an answerer of its own.
 */
#ifndef CATMOUSE_CLIENT_BATCH_CHUNK_H
#define CATMOUSE_CLIENT_BATCH_CHUNK_H

#include "client/batch/daemon.h"
#include "client/batch/line.h"
#include "client/batch/tally.h"

enum { CHUNK_BAD_BYTES = ITEM_BAD_BYTES + 64 };

struct chunk {
  struct buffer text;
  uint64_t first_number;       /* of its first record, from 1 */
  bool too_long;               /* it is one record, too long to be held */
  uint64_t position, checksum; /* of the stream up to its end */

  struct buffer out;
  struct tally tally;
  char bad[CHUNK_BAD_BYTES]; /* the first bad record, with its number; empty where there is none */
  bool abandoned;            /* it was told to stop: nothing of it counts */
  bool is_last;              /* strict, and it has a bad record */
  int error;                 /* -EREMOTEIO: the daemon cannot be asked, as `why` says */
  char why[CHUNK_BAD_BYTES];
};

/* `longest`: how many of the longest wins its tally lists. 0 or -ENOMEM; to be ended either way. */
int chunk_init(struct chunk *chunk, uint32_t longest);
void chunk_deinit(struct chunk *chunk);

/* For the next piece. */
void chunk_clear(struct chunk *chunk);

/* Forgets the bytes, and gives large memory back. */
void chunk_empty(struct buffer *buffer);

/* How chunks are answered. */
struct answering {
  enum record_form from;
  struct question question;        /* its `stop` ends the answering of a chunk, too */
  const struct cm_options *daemon; /* that is asked; NULL: none, it is solved here */
  struct line_style style;
  bool lines;  /* a line for each answer and each bad record */
  bool strict; /* a chunk ends with its first bad record */
};

/* What a thread has for itself. */
struct answerer {
  const struct answering *how; /* borrowed */
  struct item item;
  struct asker *asker;  /* NULL where it is solved here */
  struct chunk *chunk;  /* under way */
  struct origin origin; /* the record under way */
  uint64_t bad_number;  /* of the last record that was bad */
};

/* 0 or -ENOMEM; to be ended either way. */
int answerer_init(struct answerer *answerer, const struct answering *how);
void answerer_deinit(struct answerer *answerer);

/* From the chunk's text to all else in it. */
void answerer_answer(struct answerer *answerer, struct chunk *chunk);

#endif
