/* Reading and writing whole pieces of the store's files. Any thread. */
#ifndef CATMOUSE_DAEMON_STORE_PIECE_H
#define CATMOUSE_DAEMON_STORE_PIECE_H

#include <stddef.h>
#include <stdint.h>

/* 0, -EBADMSG where the file ends before, or a negative errno. */
int piece_read(int fd, uint8_t *bytes, size_t length, uint64_t offset);

/* 0, or a negative errno: -ENOSPC also where the system takes nothing without saying why. */
int piece_write(int fd, const uint8_t *bytes, size_t length, uint64_t offset);

#endif
