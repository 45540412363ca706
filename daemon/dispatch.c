/* Each method goes to its handler. A connection too many is told so at its first request, then closed. */
#include "daemon/dispatch.h"

#include "daemon/admin.h"
#include "daemon/disposal.h"
#include "daemon/holdings.h"
#include "daemon/questions.h"
#include "daemon/replies.h"

void dispatch_again(struct connection *connection, struct incoming *incoming)
{
  const struct request *request = &incoming->request;
  switch (request->method) {
  case METHOD_HELLO: admin_hello(connection, request); break;
  case METHOD_PING: connection_reply(connection, request, NULL); break;
  case METHOD_SOLVE:
  case METHOD_QUERY:
  case METHOD_LINE: question_answer(connection, incoming); break;
  case METHOD_STATS:
  case METHOD_VERIFY: question_check(connection, incoming); break;
  case METHOD_LIST: holdings_list(connection, incoming); break;
  case METHOD_EVICT: holdings_evict(connection, incoming); break;
  case METHOD_CLEAR: holdings_clear(connection, incoming); break;
  case METHOD_STATUS: admin_status(connection, request); break;
  case METHOD_CANCEL: admin_cancel(connection, request); break;
  case METHOD_SHUTDOWN: admin_shutdown(connection, request); break;
  case METHOD_COUNT: break;
  }
}

void dispatch(struct connection *connection, struct incoming *incoming)
{
  connection->server->requests++;
  if (connection->refused) {
    struct fault fault;
    fault_set(&fault, ERROR_BUSY, "%u connections are open already",
              connection->server->connection_count);
    connection_fail(connection, &incoming->request, &fault);
    connection->broken = true;
  } else {
    dispatch_again(connection, incoming);
  }
  disposal_of_incoming(connection->server, incoming);
}
