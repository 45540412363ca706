/* `list`, `evict` and `clear`: what is in memory and on disk. Each takes what it needs of `request`. The loop's thread. */
#ifndef CATMOUSE_DAEMON_REQUESTS_CACHE_REQUESTS_H
#define CATMOUSE_DAEMON_REQUESTS_CACHE_REQUESTS_H

#include "daemon/requests/requests.h"

void cache_request_list(struct requests *requests, struct connection *connection,
                        struct request *request);
void cache_request_evict(struct requests *requests, struct connection *connection,
                         struct request *request);
void cache_request_clear(struct requests *requests, struct connection *connection,
                         struct request *request);

#endif
