/* Each method goes to its handler. */
#include "daemon/requests/requests.h"

#include "daemon/requests/cache_requests.h"
#include "daemon/requests/daemon_requests.h"
#include "daemon/requests/posing.h"
#include "daemon/requests/puzzle_requests.h"
#include "daemon/requests/waiting.h"

void requests_init(struct requests *requests, uv_loop_t *loop)
{
  list_init(&requests->puzzle_jobs);
  buffer_init(&requests->scratch);
  uv_timer_init(loop, &requests->tick);
  requests->started_ms = uv_now(loop);
}

void requests_deinit(struct requests *requests)
{
  buffer_deinit(&requests->scratch);
}

static void dispatch(struct requests *requests, struct connection *connection,
                     struct request *request)
{
  switch (request->method) {
  case METHOD_HELLO: daemon_request_hello(requests, connection, request); break;
  case METHOD_PING: connection_reply(connection, request, NULL); break;
  case METHOD_SOLVE:
  case METHOD_QUERY:
  case METHOD_LINE:
  case METHOD_STATS:
  case METHOD_VERIFY: puzzle_request(requests, connection, request); break;
  case METHOD_LIST: cache_request_list(requests, connection, request); break;
  case METHOD_EVICT: cache_request_evict(requests, connection, request); break;
  case METHOD_CLEAR: cache_request_clear(requests, connection, request); break;
  case METHOD_STATUS: daemon_request_status(requests, connection, request); break;
  case METHOD_CANCEL: daemon_request_cancel(requests, connection, request); break;
  case METHOD_SHUTDOWN: daemon_request_shutdown(requests, connection, request); break;
  case METHOD_COUNT: break;
  }
}

void requests_handle(struct requests *requests, struct connection *connection,
                     struct request *request)
{
  requests->requests++;
  dispatch(requests, connection, request);
  request_deinit(request);
}

void requests_leave(struct connection *connection)
{
  waiting_give_up_all(connection);
  posing_leave(connection);
}

void requests_continue(struct requests *requests)
{
  posing_continue(requests);
}
