/*
 * A request waits as a pending one, and becomes an incoming one again when the store has answered. It asks
 * a few times at most: a record may have moved between the asking and the reading.
 */
#include "daemon/deferral.h"

#include "daemon/dispatch.h"
#include "daemon/disposal.h"
#include "daemon/pending.h"
#include "daemon/replies.h"

enum { RECALLS_MAX = 4 };

static void on_recalled(struct store_waiter *waiter)
{
  struct pending *pending = container_of(waiter, struct pending, waiter);
  struct connection *connection = pending->connection;
  struct incoming incoming = {
      .request = pending->request,
      .arena = waiter->arena,
      .id = waiter->id,
      .recalls = pending->recalls + 1,
  };
  pending->request = (struct request){.id = pending->request.id};
  pending_end(pending);
  dispatch_again(connection, &incoming);
  disposal_of_incoming(connection->server, &incoming);
}

static struct pending *wait_for_store(struct connection *connection, struct incoming *incoming)
{
  struct pending *pending = pending_new(connection, &incoming->request);
  if (!pending)
    return NULL;
  pending->recalls = incoming->recalls;
  pending->waiter.done = on_recalled;
  return pending;
}

bool defer(struct connection *connection, struct incoming *incoming, const struct stored *stored,
           struct fault *fault)
{
  struct server *server = connection->server;
  if (!server->store || incoming->recalls >= RECALLS_MAX || (!stored && incoming->recalls > 0))
    return false;
  struct pending *pending = wait_for_store(connection, incoming);
  if (!pending) {
    fault_set(fault, ERROR_NO_MEMORY, "out of memory for the request");
    return false;
  }
  if (!stored) {
    store_wait(server->store, &pending->waiter);
  } else if (store_read_puzzle(server->store, stored, &pending->waiter) < 0) {
    struct fault no_memory;
    fault_set(&no_memory, ERROR_NO_MEMORY, "out of memory for the puzzle");
    connection_fail(connection, &pending->request, &no_memory);
    pending_end(pending);
  }
  return true;
}

bool defer_until_loaded(struct connection *connection, struct incoming *incoming)
{
  struct fault fault;
  return !store_is_loaded(connection->server->store) && defer(connection, incoming, NULL, &fault);
}
