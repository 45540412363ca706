/*
 * One solved table as one file that is never changed: docs/STORE.md says byte by byte. Written so that its
 * name appears only when it is whole and on the disk; read so that nothing is believed before its sizes
 * and its checksum fit. Any thread.
 */
#ifndef CATMOUSE_DAEMON_STORE_TABLE_FILE_H
#define CATMOUSE_DAEMON_STORE_TABLE_FILE_H

#include "daemon/store/folder.h"
#include "solver/id.h"
#include "solver/table.h"

enum { TABLE_FILE_HEAD_BYTES = 96, TABLE_FILE_VERSION = 1 };

/* What a file says besides its cells. */
struct table_file {
  struct id id;
  enum game game;
  uint64_t solve_us;
};

/* Of a whole file. */
static inline uint64_t table_file_bytes(const struct table *table)
{
  return TABLE_FILE_HEAD_BYTES + table_bytes(table->nodes, table->width);
}

/* Can this machine's cells be written? Those of several bytes only where they are little-endian. */
bool table_file_can_hold(const struct table *table);

/* 0, -ECANCELED when `stop` is set meanwhile, or a negative errno. On failure nothing is left behind. */
int table_file_write(const struct store_folder *folder, const struct table_file *file,
                     const struct table *table, const atomic_bool *stop);

/*
 * Reads the table of `file->id` into memory that the caller owns, and fills in the rest of `file`. 0;
 * -ENOENT; -EFBIG when the cells would take more than `max_bytes`; -ENOMEM; -ECANCELED; -EBADMSG when the file
 * is not what it should be for a puzzle of `nodes` nodes; or a negative errno.
 */
int table_file_read(const struct store_folder *folder, struct table_file *file, uint32_t nodes,
                    uint64_t max_bytes, const atomic_bool *stop, struct table **table);

/* 0 also where there is none, or a negative errno. */
int table_file_remove(const struct store_folder *folder, const struct id *id);

/* The reverse of id_format(): false where `text` is no such name. */
bool table_file_id(const char *text, struct id *id);

#endif
