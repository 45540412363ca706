/* Blocking sends and receives for what happens before the clock runs. Failures end the bench. */
#ifndef CATMOUSE_BENCH_DAEMON_WIRE_H
#define CATMOUSE_BENCH_DAEMON_WIRE_H

#include <stddef.h>

void wire_send(int fd, const void *bytes, size_t length);

/* Exactly `length` bytes. */
void wire_receive(int fd, void *bytes, size_t length);

/* At least one byte, at most `length`. */
size_t wire_receive_some(int fd, void *bytes, size_t length);

#endif
