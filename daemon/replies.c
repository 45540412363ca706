/*
 * Answers go to the end of `out`, in the connection's encoding. Where memory runs out half-way, that is
 * said instead; where even this doesn't fit, the connection goes: an answer missing would be worse. It goes
 * when all is done that goes on now, since whoever answers may hold a request of it.
 */
#include "daemon/replies.h"

static void reply_fault(struct connection *connection, const struct request_id *id,
                        const struct fault *fault)
{
  connection->out.failed = false;
  reply_error(&connection->out, connection->framer.encoding, id, fault);
  if (!connection->out.failed)
    return;
  connection->out.failed = false;
  connection->broken = true;
  connection_touch(connection);
}

/* Memory has run out while an answer was written: say that instead, or nothing ever again. */
static void replace_failed_reply(struct connection *connection, const struct request_id *id)
{
  struct fault fault;
  fault_set(&fault, ERROR_NO_MEMORY, "out of memory for the answer");
  reply_fault(connection, id, &fault);
}

void connection_reply(struct connection *connection, const struct request *request,
                      const void *result)
{
  if (request->notification)
    return;
  reply_result(&connection->out, connection->framer.encoding, &request->id, request->method,
               result);
  connection_check_reply(connection, request);
}

void connection_reply_solving(struct connection *connection, const struct request *request,
                              const struct id *id)
{
  struct result_solving solving;
  if (request->notification)
    return;
  id_format(id, solving.id);
  reply_solving(&connection->out, connection->framer.encoding, &request->id, &solving);
  connection_check_reply(connection, request);
}

void connection_check_reply(struct connection *connection, const struct request *request)
{
  if (connection->out.failed)
    replace_failed_reply(connection, &request->id);
}

void connection_reply_bytes(struct connection *connection, const struct request *request,
                            const struct buffer *bytes)
{
  if (request->notification)
    return;
  if (!bytes->failed)
    buffer_append(&connection->out, bytes->data, bytes->length);
  if (bytes->failed || connection->out.failed)
    replace_failed_reply(connection, &request->id);
}

void connection_fail_id(struct connection *connection, const struct request_id *id,
                        const struct fault *fault)
{
  reply_fault(connection, id, fault);
}

void connection_fail(struct connection *connection, const struct request *request,
                     const struct fault *fault)
{
  if (!request->notification)
    connection_fail_id(connection, &request->id, fault);
}
