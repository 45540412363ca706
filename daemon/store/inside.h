/* The store's inside, for the files of this folder. */
#ifndef CATMOUSE_DAEMON_STORE_INSIDE_H
#define CATMOUSE_DAEMON_STORE_INSIDE_H

#include "daemon/store/store.h"

enum { MARKS_MAX = 256 };

/* A time of use that is still to be written. */
struct mark {
  struct id id;
  struct place place;
  uint32_t used_s; /* 0: forget the record */
};

struct store {
  struct store_options options;
  struct store_folder folder;
  struct puzzle_log log;
  struct index index;
  struct workers *writers; /* one thread: what it is given is done in that order */
  struct workers *readers; /* one thread */

  pthread_mutex_t opening; /* guards `opened` */
  pthread_cond_t was_opened;
  bool opened; /* or it was tried: before, nobody can write */

  atomic_bool behind;   /* what was solved, or which puzzle is current, could not be written */
  atomic_int failing;   /* the errno that keeps files from being used, or 0 */
  int told;             /* the same, as the log was told */
  uint64_t retry_at_ms; /* in the clock of store_tick(); 0 before a retry is planned */
  uint64_t failed_ms;   /* when it was last seen to fail */
  unsigned retries;     /* since it last worked for a while */

  bool loaded;         /* the folder was looked at */
  bool scanning;       /* or is being looked at */
  struct link waiting; /* for the next time */

  bool cleaning; /* a segment; `sweeping` is set, too */

  struct id_map dropped;       /* puzzles forgotten since the look or the cleaning began */
  struct link dropped_entries; /* the same and their places; owned */

  struct link looking; /* for puzzles that are not where they were */

  uint32_t first_segment;  /* records in lower ones were cleared */
  unsigned clears;         /* how often all was to be forgotten */
  struct link clears_left; /* that could not be done yet */

  bool has_current;
  struct id current;
  bool current_writing;
  bool current_changed; /* since it was last written */

  struct mark marks[MARKS_MAX];
  unsigned mark_count;

  bool sweeping;
  bool closing;
  bool log_dirty;          /* records were written since the log was last synced */
  unsigned writes_pending; /* jobs of `writers` that matter to whoever wants to leave */
  unsigned tables_waiting; /* to be written */
  uint64_t writing_bytes;  /* of these */
  uint64_t damaged_bytes;  /* in damaged/ */
  uint64_t tables_read, tables_written;
};

uint32_t store_now_s(void);

/* Requests may come before the folder is open. Any thread but the writers' own. */
void store_wait_until_opened(struct store *store);

/* It is open, or it was tried. Any thread. */
void store_was_opened(struct store *store);

/* Opens the folder and tries to write there. 0 where files can at least be read, or a negative errno. */
int store_open_folder(struct store *store);

/* Takes note of a negative errno that speaks of the disk, and of 0. Any thread. Returns `result`. */
int store_note(struct store *store, int result);

/* Did descriptors or memory lack, of which there may be some again? */
bool store_lacked(int result);

/* Says in the log whether files can be used, where that has changed. */
void store_tell(struct store *store);

/* Why not, in words. */
const char *store_reason(int error);

/* Can files be used? Where not it is tried again when it is time. */
bool store_works(struct store *store, uint64_t now_ms);

/* A job of the writers that whoever wants to leave waits for; store_written() ends it. */
void store_write(struct store *store, struct job *job);
void store_written(struct store *store);

/* Looks at the folder on the writers' thread; with `reopen` opens it first. */
void store_scan(struct store *store, bool reopen);

/* store_write_puzzle() and store_add(), but the current puzzle stays what it is. */
int store_write_record(struct store *store, const struct arena *arena, const struct id *id,
                       struct place *place);
void store_add_record(struct store *store, struct solved *solved, const struct place *place);

/* Keeps what was solved, was not kept and is still in memory. */
void store_catch_up(struct store *store);

/* The same, and writes which puzzle is current, where something could not be written. */
void store_make_up(struct store *store);

/* Puts a time of use off until store_flush_marks(). */
void store_mark(struct store *store, const struct id *id, const struct place *place,
                uint32_t used_s);
void store_flush_marks(struct store *store);

/* The same of a mark that could not be written; one too many is given up. */
void store_mark_again(struct store *store, const struct mark *mark);

/*
 * Another record of a puzzle lies at `place`. The one at the higher place stays: whoever copies one copies it
 * upward, so that the highest ever written is alive, whatever two daemons know of the lower ones.
 */
void store_keep_higher(struct store *store, struct stored *stored, const struct place *place);

/* Forgets a puzzle in the index, and its current place if it was that; the files are the caller's business. */
void store_drop(struct store *store, struct stored *stored);

/* Forgets the copy that was made of a record before its puzzle was dropped. */
void store_drop_copy(struct store *store, const struct id *id, const struct place *place);

/* Was what a look at the folder, or a cleaning, has found dropped since it began? An older record of it is forgotten, too. */
bool store_was_dropped(struct store *store, const struct found *found);

/* Its record is still alive, after all. */
void store_undrop(struct store *store, const struct id *id);

/* A look or a cleaning has ended. */
void store_end_drops(struct store *store);

/* Is a puzzle out of the index only until it is known where it lies now? */
bool store_looks_for(const struct store *store, const struct id *id);

/* No puzzle is current any more if it was that one. */
void store_drop_current(struct store *store, const struct id *id);

/* Forgets what lies in segments that were cleared, and keeps it again where it is in memory. */
void store_follow_clear(struct store *store, uint32_t first_segment);

/* Does again what was left of clears. */
void store_clear_again(struct store *store);

/* Writes which puzzle is current, if that changed. */
void store_flush_current(struct store *store);

/* The file of the current puzzle. */
int current_write(const struct store_folder *folder, const struct id *id);
int current_read(const struct store_folder *folder, struct id *id);

/* Sees to it that the store stays within its limits. */
void store_sweep(struct store *store);

/* Cleans one segment of the log that wants it. */
void store_clean(struct store *store);

/* Calls and empties a list of waiters. */
void store_call(struct link *waiters);

#endif
