/* `list`, `evict` and `clear`: what is in memory and on disk. Takes what it needs of `request`. The loop's thread. */
#ifndef CATMOUSE_DAEMON_REQUESTS_CACHE_REQUESTS_H
#define CATMOUSE_DAEMON_REQUESTS_CACHE_REQUESTS_H

#include "daemon/requests/requests.h"

void cache_request(struct requests *requests, struct connection *connection,
                   struct request *request);

#endif
