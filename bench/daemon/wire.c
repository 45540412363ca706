/* send(2) and recv(2) until all is done; a server that hangs up ends the bench. */
#include "bench/daemon/wire.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "bench/measure.h"

void wire_send(int fd, const void *bytes, size_t length)
{
  for (size_t sent = 0; sent < length;) {
    ssize_t done = send(fd, (const char *)bytes + sent, length - sent, MSG_NOSIGNAL);
    if (done < 0)
      die("cannot send to the server: %s", strerror(errno));
    sent += (size_t)done;
  }
}

size_t wire_receive_some(int fd, void *bytes, size_t length)
{
  ssize_t done = recv(fd, bytes, length, 0);
  if (done < 0)
    die("cannot receive from the server: %s", strerror(errno));
  if (done == 0)
    die("the server hung up");
  return (size_t)done;
}

void wire_receive(int fd, void *bytes, size_t length)
{
  for (size_t received = 0; received < length;)
    received += wire_receive_some(fd, (char *)bytes + received, length - received);
}
