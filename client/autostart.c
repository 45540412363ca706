/*
 * Starts the daemon when nobody listens. One client at a time holds the lock; whoever gets it connects
 * once more, since the holder before may have started the daemon, and only then spawns. The daemon says
 * "ready" through a pipe, or a sentence that tells why not; its log goes to a file beside the socket.
 *
 * No program to start, or it ends before it is ready: -ECONNREFUSED with its sentence. A daemon that is
 * just leaving still holds its own lock, and one started then gives way to it: so after "ready" the
 * connection may fail, and we try again for a while.
 */
#include "client/autostart.h"
#include "client/log_file.h"
#include "client/search_path.h"
#include "client/system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  START_MS = 15000, /* a daemon that drains takes 10 s at most */
  IDLE_EXIT_MS = 600000,
  READY_FD = 3,
  LOCK_RETRY_MS = 10,
};

static bool beside_ourselves(char path[static PATH_MAX])
{
  char self[PATH_MAX];
  int folder_length = program_path(self);
  char beside[PATH_MAX];
  return self[0] &&
         snprintf(beside, sizeof beside, "%.*s/cmdaemon", folder_length, self) < PATH_MAX &&
         search_path_find(beside, path);
}

int autostart_find_daemon(struct cm_client *client, char path[static PATH_MAX])
{
  const char *named = client->daemon ? client->daemon : getenv("CATMOUSE_DAEMON");
  if (named && *named) {
    if (search_path_find(named, path))
      return 0;
    return client_fail(client, -ENOENT, "no daemon runs, and %s is no program to start", named);
  }
  static const char *const installed[] = {CATMOUSE_LIBEXECDIR "/cmdaemon",
                                          CATMOUSE_BINDIR "/cmdaemon"};
  if (beside_ourselves(path))
    return 0;
  for (size_t i = 0; i < sizeof installed / sizeof installed[0]; i++) {
    if (search_path_find(installed[i], path))
      return 0;
  }
  if (search_path_find("cmdaemon", path))
    return 0;
  return client_fail(client, -ENOENT, "no daemon runs, and cmdaemon is not installed");
}

int autostart_lock(struct cm_client *client, struct deadline deadline)
{
  int fd = open(client->endpoint.starting, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0)
    return client_fail(client, -errno, "cannot open %s: %s", client->endpoint.starting,
                       strerror(errno));
  while (flock(fd, LOCK_EX | LOCK_NB)) {
    int rc = 0;
    if (errno != EWOULDBLOCK && errno != EINTR)
      rc = client_fail(client, -errno, "cannot lock %s: %s", client->endpoint.starting,
                       strerror(errno));
    else if (atomic_exchange(&client->cancel, false))
      rc = client_fail(client, -ECANCELED, "cancelled");
    else if (deadline_poll(deadline, -1, 0, LOCK_RETRY_MS) == -ETIMEDOUT)
      rc = client_fail(client, -ETIMEDOUT,
                       "another client has been starting the daemon for too long");
    if (rc) {
      close(fd);
      return rc;
    }
  }
  return fd;
}

/* A folder that somebody works in cannot be unmounted. Relative paths are meant from here, though. */
static void leave_folder(const char *program, const char *log)
{
  if (program[0] == '/' && log[0] == '/' && chdir("/") < 0)
    _exit(126);
}

/* Between fork and exec: async-signal-safe calls only. */
static _Noreturn void become_daemon(char *const arguments[], const char *log, int ready)
{
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGINT, SIG_DFL);
  signal(SIGPIPE, SIG_DFL);
  setsid();
  if (fork() != 0)
    _exit(0); /* the daemon is nobody's child to wait for */
  int null = open("/dev/null", O_RDWR);
  int errors = open(log, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0600);
  int kept = fcntl(ready, F_DUPFD, READY_FD + 1);
  dup2(null, STDIN_FILENO);
  dup2(null, STDOUT_FILENO);
  dup2(errors < 0 ? null : errors, STDERR_FILENO);
  dup2(kept, READY_FD);
  close_range(READY_FD + 1, ~0u, 0);
  leave_folder(arguments[0], log);
  execv(arguments[0], arguments);
  static const char sentence[] = "it cannot be executed\n";
  if (write(READY_FD, sentence, sizeof sentence - 1) < 0)
    _exit(126);
  _exit(127);
}

int autostart_read_readiness(struct cm_client *client, int fd, struct deadline deadline, char *said,
                             size_t size)
{
  size_t length = 0;
  for (;;) {
    int rc = deadline_poll(deadline, fd, POLLIN, CANCEL_TICK_MS);
    if (rc == -ETIMEDOUT)
      return client_fail(client, rc, "the daemon was started but was not ready in time");
    if (atomic_exchange(&client->cancel, false))
      return client_fail(client, -ECANCELED, "cancelled");
    if (rc < 0)
      return client_fail(client, rc, "cannot wait for the daemon: %s", strerror(-rc));
    if (rc == 0)
      continue;
    ssize_t got = read(fd, said + length, size - 1 - length);
    length += got > 0 ? (size_t)got : 0;
    said[length] = '\0';
    char *newline = strchr(said, '\n');
    if (newline)
      *newline = '\0';
    if (newline || got <= 0 || length == size - 1)
      return 0;
  }
}

static int did_not_start(struct cm_client *client, const char *program, const char *said,
                         const char *log, off_t log_before)
{
  char line[256];
  if (*said)
    return client_fail(client, -ECONNREFUSED, "%s did not start: %s", program, said);
  log_last_line(log, log_before, sizeof line, line);
  return client_fail(client, -ECONNREFUSED, "%s did not start%s%s; see %s", program,
                     *line ? ": " : "", line, log);
}

static int spawn(struct cm_client *client, struct deadline deadline, char *program)
{
  char ready_fd[8], idle_exit_ms[16], log[sizeof client->endpoint.socket + 8], said[256] = "";
  snprintf(ready_fd, sizeof ready_fd, "%d", READY_FD);
  snprintf(idle_exit_ms, sizeof idle_exit_ms, "%d", IDLE_EXIT_MS);
  snprintf(log, sizeof log, "%s.log", client->endpoint.socket);
  char *const arguments[] = {program,      "--socket", client->endpoint.socket,
                             "--ready-fd", ready_fd,   "--idle-exit-ms",
                             idle_exit_ms, NULL};
  int ready[2];
  log_keep_end(log);
  const off_t log_before = log_length(log);
  if (pipe2(ready, O_CLOEXEC))
    return client_fail(client, -errno, "cannot start %s: %s", program, strerror(errno));
  pid_t child = fork();
  if (child == 0)
    become_daemon(arguments, log, ready[1]);
  int rc =
      child < 0 ? client_fail(client, -errno, "cannot start %s: %s", program, strerror(errno)) : 0;
  close(ready[1]);
  while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
    ;
  if (rc == 0)
    rc = autostart_read_readiness(client, ready[0], deadline, said, sizeof said);
  close(ready[0]);
  if (rc || strcmp(said, "ready") == 0)
    return rc;
  return did_not_start(client, program, said, log, log_before);
}

/* -ECONNREFUSED without a daemon of ours having failed means that one is just leaving: once more. */
static int start_until_connected(struct cm_client *client, struct deadline deadline)
{
  char program[PATH_MAX];
  for (int pause_ms = LOCK_RETRY_MS;; pause_ms *= 2) {
    int rc = client_connect_once(client, deadline);
    if (rc != -ECONNREFUSED)
      return rc;
    if (autostart_find_daemon(client, program))
      return -ECONNREFUSED;
    rc = spawn(client, deadline, program);
    if (rc)
      return rc;
    rc = client_connect_once(client, deadline);
    if (rc != -ECONNREFUSED || deadline_poll(deadline, -1, 0, pause_ms) == -ETIMEDOUT)
      return rc;
  }
}

int client_autostart(struct cm_client *client, struct deadline deadline)
{
  deadline = deadline_sooner(deadline, deadline_in(START_MS));
  struct fault fault;
  int rc = endpoint_check_folder(&client->endpoint, true, &fault);
  if (rc)
    return client_fail(client, rc, "%s", fault.text);
  int lock = autostart_lock(client, deadline);
  if (lock < 0)
    return lock;
  rc = start_until_connected(client, deadline);
  close(lock);
  return rc;
}
