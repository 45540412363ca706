/*
 * From a path to a connection that can be trusted: the folder is checked, the socket connected, the
 * process at its other end checked to be ours or root's (systemd's, for an activated socket).
 *
 * Nobody listens, or there is no socket yet: autostart where it is allowed, else -ECONNREFUSED.
 * A folder or a peer of somebody else's: -EPERM, and nothing is sent to it.
 */
#include "client/client.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "client/system.h"

static const struct message_limits answer_limits = {
#define X(field, value, meaning) .field = (value),
    PROTO_LIMITS(X)
#undef X
};

static int nobody_listens(struct cm_client *client)
{
  return client_fail(client, -ECONNREFUSED, "no daemon is running (nobody listens on %s)",
                     client->endpoint.socket);
}

static int cannot_connect(struct cm_client *client, int error)
{
  return client_fail(client, -error, "cannot connect to %s: %s", client->endpoint.socket,
                     strerror(error));
}

static int check_peer(struct cm_client *client, int fd)
{
  uid_t user;
  int error = peer_user(fd, &user);
  if (error)
    return cannot_connect(client, -error);
  if (user == geteuid() || user == 0)
    return 0;
  return client_fail(client, -EPERM, "%s belongs to a process of user %u, which is not trusted",
                     client->endpoint.socket, (unsigned)user);
}

/* A full backlog refuses with EAGAIN, and poll() can't wait for it to drain. */
static int connect_patiently(struct cm_client *client, int fd, struct deadline deadline)
{
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  memcpy(address.sun_path, client->endpoint.socket, strlen(client->endpoint.socket));
  while (connect(fd, (struct sockaddr *)&address, sizeof address)) {
    if (errno == ECONNREFUSED || errno == ENOENT)
      return nobody_listens(client);
    if (errno != EAGAIN && errno != EINTR)
      return cannot_connect(client, errno);
    if (atomic_exchange(&client->cancel, false))
      return client_fail(client, -ECANCELED, "cancelled");
    if (deadline_poll(deadline, -1, 0, 1) == -ETIMEDOUT)
      return client_fail(client, -ETIMEDOUT, "the daemon did not take the connection in time");
  }
  return 0;
}

int client_connect_once(struct cm_client *client, struct deadline deadline)
{
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0)
    return cannot_connect(client, errno);
  int rc = connect_patiently(client, fd, deadline);
  if (rc == 0)
    rc = check_peer(client, fd);
  if (rc) {
    close(fd);
    return rc;
  }
  client->fd = fd;
  buffer_clear(&client->in);
  framer_init(&client->framer, &answer_limits);
  return 0;
}

int client_connect(struct cm_client *client, struct deadline deadline)
{
  if (client->endpoint_error)
    return client_fail(client, client->endpoint_error, "%s", client->endpoint_fault.text);
  if (client->fd >= 0)
    return 0;
  struct fault fault;
  int rc = endpoint_check_folder(&client->endpoint, false, &fault);
  if (rc == 0)
    rc = client_connect_once(client, deadline);
  else if (rc == -ENOENT)
    rc = nobody_listens(client);
  else
    rc = client_fail(client, rc, "%s", fault.text);
  if (rc == -ECONNREFUSED && client->autostart)
    rc = client_autostart(client, deadline);
  return rc;
}
