/* What the files of the puzzle log share. */
#ifndef CATMOUSE_DAEMON_STORE_SEGMENT_H
#define CATMOUSE_DAEMON_STORE_SEGMENT_H

#include "daemon/store/puzzle_log.h"

void segment_head_write(uint8_t head[static SEGMENT_HEAD_BYTES]);

/* A descriptor or a negative errno. */
int segment_open(const struct store_folder *folder, uint32_t segment, int flags);

/* 0, -EBUSY where somebody holds it, -ENOENT where it was removed, or a negative errno. */
int segment_lock(int fd);

/* A descriptor that holds it; or what segment_open() or segment_lock() return. */
int segment_hold(const struct store_folder *folder, uint32_t segment);

/* For whoever holds it. 0, or a negative errno but for its being gone already. */
int segment_unlink(const struct store_folder *folder, uint32_t segment);

/* segment_visit() of an open file. */
int segment_visit_fd(int fd, struct segment_scan *scan,
                     int (*found)(void *context, const struct record *record,
                                  const struct place *place),
                     void *context);

#endif
