/* Finding and starting cmdaemon. Internal to libcmclient; apart for its tests. */
#ifndef CATMOUSE_CLIENT_AUTOSTART_H
#define CATMOUSE_CLIENT_AUTOSTART_H

#include <limits.h>

#include "client/client.h"

/*
 * The program to start: what the options name, else $CATMOUSE_DAEMON; where neither is given, cmdaemon
 * beside our executable, in the folders it is installed to, on PATH. 0, or -ENOENT with a sentence.
 */
int autostart_find_daemon(struct cm_client *client, char path[static PATH_MAX]);

/*
 * Holds `endpoint.starting` so that of many clients one starts the daemon. The descriptor to close, or
 * -ETIMEDOUT, -ECANCELED, or the errno of open(), each with a sentence.
 */
int autostart_lock(struct cm_client *client, struct deadline deadline);

/*
 * What a daemon that was started says into its pipe `fd` before it closes it, or on the first line there,
 * without the newline, cut at `size`. 0, or -ETIMEDOUT, -ECANCELED, or what poll() said, each with a sentence.
 */
int autostart_read_readiness(struct cm_client *client, int fd, struct deadline deadline, char *said,
                             size_t size);

#endif
