/* Linux: the credentials of a socket's peer. */
#include "daemon/peers/system.h"

#include <errno.h>
#include <sys/socket.h>

int peer_process_find(int socket, struct peer_process *process)
{
  struct ucred found;
  socklen_t length = sizeof found;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &found, &length) < 0)
    return -errno;
  *process = (struct peer_process){found.pid, found.uid};
  return 0;
}
