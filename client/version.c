/*
 * A daemon of another version may still run after an update. Nothing is spent on that while both understand
 * each other; when they do not, `hello` tells whether this is why.
 */
#include "client/client.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { HELLO_MS = 1000 };

struct failure {
  enum error kind;
  char text[sizeof((struct cm_client *)0)->error];
};

static bool may_be_version(const struct cm_client *client, int error)
{
  return error == -EPROTO || client->error_kind == ERROR_METHOD ||
         client->error_kind == ERROR_PARAMS;
}

static void add_version(struct failure *failure, const struct result_hello *hello)
{
  size_t length = strlen(failure->text);
  if (hello->protocol == PROTOCOL_VERSION && strcmp(hello->version, CATMOUSE_VERSION) == 0)
    return;
  snprintf(failure->text + length, sizeof failure->text - length,
           " (the daemon is catmouse %.40s, not " CATMOUSE_VERSION
           "; `cmclient stop` ends it and the next command starts its successor)",
           hello->version);
}

static void ask_version(struct cm_client *client, struct failure *failure)
{
  struct request request = {.method = METHOD_HELLO};
  struct result_hello hello;
  struct fault fault;
  if (client_exchange(client, &request, deadline_in(HELLO_MS))) {
    client_disconnect(client);
    return;
  }
  if (client->response.kind == RESPONSE_RESULT &&
      response_result(&client->response, METHOD_HELLO, &hello, &fault) == 0)
    add_version(failure, &hello);
  response_deinit(&client->response);
  client->answered = false;
}

void client_explain(struct cm_client *client, int error)
{
  struct failure failure = {.kind = client->error_kind};
  if (!may_be_version(client, error))
    return;
  memcpy(failure.text, client->error, sizeof failure.text);
  ask_version(client, &failure);
  memcpy(client->error, failure.text, sizeof failure.text);
  client->error_kind = failure.kind;
}
