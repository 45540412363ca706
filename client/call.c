/*
 * A call: one exchange with the daemon, and what its answer means for the caller and for the connection.
 *
 * A connection lost before a byte came back belonged to a daemon that has left, or was just leaving:
 * the request is put again, to its successor; and so it is where a daemon says that it is leaving, if
 * its successor may be started. Where a daemon does not know the puzzle that was solved last, because it is another one
 * or has dropped it, that is solved again first. Any other loss, a late answer, a refusal that names no request, or bytes
 * that make no sense drop the connection, so that nothing of an old answer can be taken for a new one.
 */
#include "client/client.h"

#include <errno.h>
#include <string.h>

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

/* `request` NULL is the one that solved a puzzle last. */
static int exchange(struct cm_client *client, struct request *request, struct deadline deadline)
{
  client_forget(client);
  return request ? client_exchange(client, request, deadline)
                 : client_exchange_solve(client, deadline);
}

/* The next daemon is asked where this one is leaving or has left. */
static int ask(struct cm_client *client, struct request *request, struct deadline deadline)
{
  for (int tries = 1;; tries++) {
    client->heard = false;
    int rc = exchange(client, request, deadline);
    bool has_left = rc == 0 ? is_turned_away(client) : rc == -EPIPE && !client->heard;
    if (!has_left || tries == TRIES_MAX)
      return rc;
    client_disconnect(client);
  }
}

/* Is the answer that the daemon does not know the puzzle that was solved last, which is asked about? */
static bool is_unknown_here(const struct cm_client *client, const struct request *request)
{
  const struct response *response = &client->response;
  if (response->kind != RESPONSE_ERROR || client->solve.length == 0 ||
      !(method_kinds[request->method].optional & P(PUZZLE)))
    return false;
  return response->fault.error == ERROR_NO_PUZZLE ||
         (response->fault.error == ERROR_UNKNOWN_ID &&
          strncmp(client->solved_id, request->puzzle_id, strlen(request->puzzle_id)) == 0);
}

/* What the daemon refuses to solve again it refuses to answer. */
static int ask_again(struct cm_client *client, struct request *request, struct deadline deadline)
{
  int rc = ask(client, NULL, deadline);
  return rc || client->response.kind != RESPONSE_RESULT ? rc : ask(client, request, deadline);
}

int client_call(struct cm_client *client, struct request *request, void *result)
{
  client_forget(client);
  if (atomic_exchange(&client->cancel, false))
    return client_fail(client, -ECANCELED, "cancelled");
  struct deadline deadline = client_deadline(client);
  int rc = ask(client, request, deadline);
  if (rc == 0 && is_unknown_here(client, request))
    rc = ask_again(client, request, deadline);
  atomic_store(&client->cancel, false); /* an answer was quicker: the next call is not meant */
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
