/*
 * Where the socket lies and whether its folder can be trusted.
 *
 * A path that sun_path cannot hold is refused. A folder is trusted when it is a folder (no link),
 * is ours, and nobody else may enter it: then nobody else can have put a socket there.
 */
#include "proto/endpoint.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *environment(const char *name)
{
  const char *value = getenv(name);
  return value && value[0] ? value : NULL;
}

/* Returns the length of the whole path, cut or not. */
static int socket_path(const char *socket, char *path, size_t size)
{
  const char *runtime = environment("XDG_RUNTIME_DIR");
  if (!socket || !socket[0])
    socket = environment("CATMOUSE_SOCKET");
  if (socket)
    return snprintf(path, size, "%s", socket);
  if (runtime && runtime[0] == '/')
    return snprintf(path, size, "%s/catmouse/daemon.sock", runtime);
  return snprintf(path, size, "/tmp/catmouse-%u/daemon.sock", (unsigned)geteuid());
}

/* A trailing slash must go: lstat() would follow a link through it. */
static void folder_of(const char *path, char *folder)
{
  const char *slash = strrchr(path, '/');
  if (!slash) {
    memcpy(folder, ".", sizeof ".");
    return;
  }
  size_t length = (size_t)(slash - path);
  while (length > 0 && path[length - 1] == '/')
    length--;
  if (length == 0)
    length = 1;
  memcpy(folder, path, length);
  folder[length] = '\0';
}

int endpoint_find(const char *socket, struct endpoint *endpoint, struct fault *fault)
{
  struct endpoint found;
  int length = socket_path(socket, found.socket, sizeof found.socket);
  if (length < 0 || length > ENDPOINT_PATH_MAX) {
    fault_set(fault, ERROR_PARAMS,
              "the socket's path is %d bytes long, more than the %d allowed: %s", length,
              ENDPOINT_PATH_MAX, found.socket);
    return -ENAMETOOLONG;
  }
  folder_of(found.socket, found.folder);
  snprintf(found.lock, sizeof found.lock, "%s.lock", found.socket);
  snprintf(found.starting, sizeof found.starting, "%s.start", found.socket);
  *endpoint = found;
  return 0;
}

static int call_failed(const char *what, const char *folder, struct fault *fault)
{
  int error = errno;
  fault_set(fault, ERROR_INTERNAL, "cannot %s the socket's folder %s: %s", what, folder,
            strerror(error));
  return -error;
}

static int distrust(const char *folder, const char *why, struct fault *fault)
{
  fault_set(fault, ERROR_INTERNAL, "the socket's folder %s %s", folder, why);
  return -EPERM;
}

int endpoint_check_folder(const struct endpoint *endpoint, bool create, struct fault *fault)
{
  const char *folder = endpoint->folder;
  struct stat status;
  if (create && mkdir(folder, 0700) != 0 && errno != EEXIST)
    return call_failed("make", folder, fault);
  if (lstat(folder, &status) != 0)
    return call_failed("look at", folder, fault);
  if (S_ISLNK(status.st_mode))
    return distrust(folder, "is a link", fault);
  if (!S_ISDIR(status.st_mode))
    return distrust(folder, "is no folder", fault);
  if (status.st_uid != geteuid())
    return distrust(folder, "belongs to another user", fault);
  if (status.st_mode & 077)
    return distrust(folder, "is open to other users, and the socket wants one of mode 0700", fault);
  return 0;
}
