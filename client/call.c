/*
 * A call: one exchange with the daemon, and what its answer means for the caller and for the connection.
 *
 * A connection lost before a byte came back belonged to a daemon that has left, or was just leaving:
 * the request is put once more, to its successor; and so it is where a daemon says that it is leaving, if
 * its successor may be started. Any other loss, a late answer, a refusal that names no request, or bytes
 * that make no sense drop the connection, so that nothing of an old answer can be taken for a new one.
 */
#include "client/client.h"

#include <errno.h>

/* A refusal ends with the fault noted, and the connection alive where it named the request. */
static int read_answer(struct cm_client *client, enum method method, void *result)
{
  struct fault fault;
  int rc;
  if (client->response.kind == RESPONSE_ERROR) {
    rc = client_refuse(client, &client->response.fault);
    if (!client->response.has_id)
      client_disconnect(client);
  } else {
    rc = response_result(&client->response, method, result, &fault);
    if (rc == 0)
      return 0;
    rc = rc == -ENOMEM
             ? client_out_of_memory(client)
             : client_fail(client, -EPROTO, "the daemon's answer makes no sense: %s", fault.text);
  }
  response_deinit(&client->response);
  client->answered = false;
  return rc;
}

static bool is_turned_away(const struct cm_client *client)
{
  const struct response *response = &client->response;
  return client->autostart && response->kind == RESPONSE_ERROR &&
         response->fault.error == ERROR_DRAINING;
}

/* The next daemon is asked where this one is leaving. */
static int ask(struct cm_client *client, struct request *request, struct deadline deadline)
{
  int rc = client_exchange(client, request, deadline);
  if (rc == 0 ? !is_turned_away(client) : rc != -EPIPE || client->heard)
    return rc;
  client_forget(client);
  client_disconnect(client);
  return client_exchange(client, request, deadline);
}

int client_call(struct cm_client *client, struct request *request, void *result)
{
  client_forget(client);
  client->heard = false;
  if (atomic_exchange(&client->cancel, false))
    return client_fail(client, -ECANCELED, "cancelled");
  int rc = ask(client, request, client_deadline(client));
  if (rc) {
    client_disconnect(client);
    return rc;
  }
  rc = read_answer(client, request->method, result);
  if (rc)
    client_explain(client, rc);
  if (rc == -EPROTO)
    client_disconnect(client);
  return rc;
}
