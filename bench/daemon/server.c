/*
 * Spawn, connect until it answers, SIGTERM, wait, remove the folder. What a server logs goes to a file
 * in its folder, and is shown when it doesn't come up.
 */
#include "bench/daemon/server.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/measure.h"

const char *const server_names[SERVER_KINDS] = {"catmouse", "redis"};

enum { START_TRIES = 5000 }; /* of 2 ms */

void path_in_build(const char *relative, char *path, size_t size)
{
  char self[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length < 0)
    die("cannot read /proc/self/exe");
  self[length] = '\0';
  snprintf(path, size, "%s/%s", dirname(self), relative);
}

static int try_connect(const struct server *server)
{
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  memcpy(address.sun_path, server->socket, strlen(server->socket) + 1);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0)
    die("cannot make a socket: %s", strerror(errno));
  if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
    return fd;
  close(fd);
  return -1;
}

int server_connect(const struct server *server)
{
  int fd = try_connect(server);
  if (fd < 0)
    die("nobody listens on %s: %s", server->socket, strerror(errno));
  return fd;
}

/* In the child: the server dies with the bench, and logs to its folder. */
static _Noreturn void become(const struct server *server, char *const arguments[])
{
  char log[sizeof server->folder + 8];
  snprintf(log, sizeof log, "%s/log", server->folder);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  int in = open("/dev/null", O_RDONLY), out = open(log, O_CREAT | O_WRONLY | O_APPEND, 0600);
  if (in < 0 || out < 0 || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
      dup2(out, STDERR_FILENO) < 0)
    _exit(127);
  execvp(arguments[0], arguments);
  fprintf(stderr, "%s: %s\n", arguments[0], strerror(errno));
  _exit(127);
}

static void spawn(struct server *server, char *const arguments[])
{
  server->pid = fork();
  if (server->pid < 0)
    die("cannot fork");
  if (server->pid == 0)
    become(server, arguments);
}

static void show_log(const struct server *server)
{
  char path[sizeof server->folder + 8], line[512];
  snprintf(path, sizeof path, "%s/log", server->folder);
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file))
    fputs(line, stderr);
  if (file)
    fclose(file);
}

static void wait_for(struct server *server, const char *program)
{
  const struct timespec pause = {.tv_nsec = 2000000};
  for (int i = 0; i < START_TRIES; i++) {
    int fd = try_connect(server);
    if (fd >= 0) {
      close(fd);
      return;
    }
    if (waitpid(server->pid, NULL, WNOHANG) != 0)
      break;
    nanosleep(&pause, NULL);
  }
  show_log(server);
  die("%s doesn't come up", program);
}

void server_start(struct server *server, enum server_kind kind, const char *program)
{
  snprintf(server->folder, sizeof server->folder, "/tmp/catmouse-bench-XXXXXX");
  if (!mkdtemp(server->folder))
    die("cannot make a folder in /tmp: %s", strerror(errno));
  snprintf(server->socket, sizeof server->socket, "%s/socket", server->folder);
  setenv("XDG_CACHE_HOME", server->folder, 1);
  char *const catmouse[] = {(char *)program, "--socket", server->socket, "--no-store", NULL};
  char *const redis[] = {(char *)program,
                         "--unixsocket",
                         server->socket,
                         "--port",
                         "0",
                         "--save",
                         "",
                         "--dir",
                         server->folder,
                         NULL};
  spawn(server, kind == SERVER_CATMOUSE ? catmouse : redis);
  wait_for(server, program);
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place)
{
  (void)status, (void)type, (void)place;
  return remove(path);
}

void server_stop(struct server *server)
{
  kill(server->pid, SIGTERM);
  waitpid(server->pid, NULL, 0);
  nftw(server->folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}
