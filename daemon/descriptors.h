/* Room for as many descriptors as connections are allowed. */
#ifndef CATMOUSE_DAEMON_DESCRIPTORS_H
#define CATMOUSE_DAEMON_DESCRIPTORS_H

#include <uv.h>

/*
 * Raises the process's own limit as far as it may. 0, or a negative errno where there are too few for a loop: libuv
 * aborts without some of them.
 */
int descriptors_raise(uint64_t connections);

/*
 * Has the loop make its tables now: libuv aborts when it cannot make them later. `fd` is any that can be polled. 0
 * or a negative errno.
 */
int descriptors_prepare(uv_loop_t *loop, int fd, uint64_t connections);

#endif
