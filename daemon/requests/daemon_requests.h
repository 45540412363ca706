/* `hello`, `status`, `cancel` and `shutdown`: none of them needs a puzzle. The loop's thread. */
#ifndef CATMOUSE_DAEMON_REQUESTS_DAEMON_REQUESTS_H
#define CATMOUSE_DAEMON_REQUESTS_DAEMON_REQUESTS_H

#include "daemon/requests/requests.h"

void daemon_request_hello(struct requests *requests, struct connection *connection,
                          const struct request *request);
void daemon_request_status(struct requests *requests, struct connection *connection,
                           const struct request *request);
void daemon_request_cancel(struct requests *requests, struct connection *connection,
                           const struct request *request);
void daemon_request_shutdown(struct requests *requests, struct connection *connection,
                             const struct request *request);

#endif
