/*
 * The puzzles on disk: records one after another in numbered segments, so that a million puzzles are a few
 * files. Each daemon appends to a segment that it holds a lock on, and to no other; all may read all.
 */
#ifndef CATMOUSE_DAEMON_STORE_PUZZLE_LOG_H
#define CATMOUSE_DAEMON_STORE_PUZZLE_LOG_H

#include <pthread.h>

#include "daemon/store/folder.h"
#include "daemon/store/record.h"

enum {
  SEGMENT_BYTES = 4 << 20, /* a segment that has reached it gets no more records */
  SEGMENT_HEAD_BYTES = 24,
  SEGMENT_VERSION = 1,
};

/* Where a record lies. */
struct place {
  uint32_t segment; /* its number, from 1 on */
  uint32_t offset;
  uint32_t bytes;
};

static inline bool place_is_before(const struct place *left, const struct place *right)
{
  return left->segment < right->segment ||
         (left->segment == right->segment && left->offset < right->offset);
}

struct puzzle_log {
  const struct store_folder *folder; /* borrowed */
  pthread_mutex_t mutex;             /* guards what follows */
  int fd;                            /* of the segment we append to, or -1 */
  uint32_t segment;
  uint64_t end; /* where its next record goes */
  int left_error; /* why a segment left since the last sync may not be on disk: 0 or a negative errno */
  uint32_t
      last; /* the highest number ever seen: it is for no other segment, whatever was removed */
};

void puzzle_log_init(struct puzzle_log *log, const struct store_folder *folder);
void puzzle_log_deinit(struct puzzle_log *log);

/*
 * Once it returns 0 the puzzle outlives this process; it outlives the machine's power after
 * puzzle_log_sync(). Any thread. 0, -ENOMEM, -E2BIG for one too large for a record, or a negative errno;
 * then nothing but bytes that nobody reads may have been added.
 */
int puzzle_log_append(struct puzzle_log *log, const struct arena *arena, const struct id *id,
                      uint64_t used_s, struct place *place);

/* The same for the bytes of a whole record. */
int puzzle_log_append_record(struct puzzle_log *log, const uint8_t *bytes, uint32_t length,
                             struct place *place);

/* Any thread. 0 or a negative errno. */
int puzzle_log_sync(struct puzzle_log *log);

/* The number of the segment appended to, 0 where there is none. Any thread. */
uint32_t puzzle_log_segment(struct puzzle_log *log);

/*
 * Removes all segments, whoever appends to them, but an empty one that is made first, where there is room, so that
 * no number comes back: its number is `*first`, the lowest that records have from now on. 0 or a negative errno.
 * Any thread.
 */
int puzzle_log_clear(struct puzzle_log *log, uint32_t *first);

/* From now on records go to later segments than this one. 0 or a negative errno. Any thread. */
int puzzle_log_append_after(struct puzzle_log *log, uint32_t segment);

/*
 * Makes the arena that lies there. 0, -ENOMEM, -EBADMSG where there is no such puzzle, or a negative errno:
 * -ENOENT when the segment has gone, or the puzzle was forgotten. Any thread.
 */
int puzzle_log_read(const struct store_folder *folder, const struct place *place,
                    const struct id *id, struct arena **arena);

/*
 * Sets a record's time of use; 0 forgets the puzzle. 0, -EBADMSG where another record or none lies there, or
 * a negative errno: -ENOENT when the segment has gone, or the puzzle was forgotten already. Any thread.
 */
int puzzle_log_mark(const struct store_folder *folder, const struct place *place,
                    const struct id *id, uint64_t used_s);

/* What a scan of a segment has found. */
struct segment_scan {
  uint32_t segment;
  uint64_t from;  /* in: where to begin; 0, or what is beyond the end, for the beginning */
  uint64_t end;   /* out: beyond the last whole record */
  bool damaged;   /* out: something in it is no record */
  uint64_t bytes; /* out: of the file */
};

/*
 * Calls `found` for each whole record, forgotten ones included, until it returns less than 0. Skips what is
 * damaged. 0; what `found` returned; -EBADMSG where the file is no segment; -EBUSY where it was cut meanwhile;
 * -ENOMEM; or a negative errno.
 */
int segment_visit(const struct store_folder *folder, struct segment_scan *scan,
                  int (*found)(void *context, const struct record *record,
                               const struct place *place),
                  void *context);

enum { SEGMENT_NAME_BYTES = 9 };
void segment_name(uint32_t segment, char name[static SEGMENT_NAME_BYTES]);

/* 0 where `name` is no segment's. */
uint32_t segment_number(const char *name);

/* Removes a segment without a whole head. 0; -EBUSY where a daemon is just making it or has made it; or a negative errno. */
int segment_remove_unfinished(const struct store_folder *folder, uint32_t segment);

#endif
