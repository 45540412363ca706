/* Linux: credentials of a socket's peer, /proc, memory files, process descriptors, subreapers, Landlock. */
#include "client/system.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

int peer_user(int socket, uid_t *user)
{
  struct ucred peer;
  socklen_t length = sizeof peer;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length))
    return -errno;
  *user = peer.uid;
  return 0;
}

int program_path(char path[static PATH_MAX])
{
  char self[PATH_MAX]; /* where gcc sees that it is not null, under a sanitizer too */
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  self[length > 0 ? length : 0] = '\0';
  memcpy(path, self, strlen(self) + 1);
  const char *slash = strrchr(self, '/');
  return slash ? (int)(slash - self) : 0;
}

int memory_file_open(const char *name)
{
  int file = memfd_create(name, MFD_CLOEXEC);
  return file < 0 ? -errno : file;
}

int process_open(pid_t process)
{
  int descriptor = (int)syscall(SYS_pidfd_open, process, 0);
  return descriptor < 0 ? -errno : descriptor;
}

void orphans_adopt(void)
{
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/* Kills every process in a list of numbers. */
static void kill_listed(const char *list, ssize_t length)
{
  pid_t pid = 0;
  for (ssize_t i = 0; i < length; i++) {
    if (list[i] >= '0' && list[i] <= '9') {
      pid = pid * 10 + (list[i] - '0');
      continue;
    }
    if (pid > 0)
      kill(pid, SIGKILL);
    pid = 0;
  }
}

void children_kill(void)
{
  char list[4096];
  int file = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return;
  ssize_t length = read(file, list, sizeof list);
  kill_listed(list, length);
  close(file);
}

/* What changes files; the first version of Landlock knows all of it. */
enum {
  WRITING = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
            LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
            LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
            LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
            LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM,
};

bool confine_works(void)
{
  return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) > 0;
}

static void allow(int rules, const char *path, uint64_t access)
{
  struct landlock_path_beneath_attr rule = {.allowed_access = access,
                                            .parent_fd = open(path, O_PATH | O_CLOEXEC)};
  if (rule.parent_fd < 0)
    return;
  syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  close(rule.parent_fd);
}

void confine_to(const char *folder)
{
  const struct landlock_ruleset_attr attributes = {.handled_access_fs = WRITING};
  int rules = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
  if (rules < 0)
    return;
  allow(rules, folder, WRITING);
  allow(rules, "/dev/null", LANDLOCK_ACCESS_FS_WRITE_FILE);
  allow(rules, "/dev/shm", WRITING);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  syscall(SYS_landlock_restrict_self, rules, 0);
  close(rules);
}
