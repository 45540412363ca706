/*
 * Files are named by the open subfolders, so that nothing depends on what the path has become since. The
 * descriptors keep their numbers when the folders are opened again: other threads may be using them.
 */
#include "daemon/store/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const names[SUBFOLDER_COUNT] = {
#define X(constant, name) name,
    STORE_SUBFOLDERS(X)
#undef X
};

static int find_path(const char *given, char path[static PATH_MAX])
{
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  int length;
  if (given)
    length = snprintf(path, PATH_MAX, "%s", given);
  else if (cache && cache[0] == '/')
    length = snprintf(path, PATH_MAX, "%s/catmouse", cache);
  else if (home && home[0] == '/')
    length = snprintf(path, PATH_MAX, "%s/.cache/catmouse", home);
  else
    return -ENOENT;
  while (length > 1 && length < PATH_MAX && path[length - 1] == '/')
    path[--length] = '\0'; /* lstat() would follow a link through it */
  return length == 0 ? -ENOENT : length < PATH_MAX ? 0 : -ENAMETOOLONG;
}

int store_folder_init(struct store_folder *folder, const char *given)
{
  int result = find_path(given, folder->path);
  if (result < 0)
    return result;
  atomic_init(&folder->set_aside, 0);
  for (int i = 0; i < SUBFOLDER_COUNT; i++) {
    folder->fd[i] = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (folder->fd[i] < 0) {
      result = -errno;
      while (i-- > 0)
        close(folder->fd[i]);
      return result;
    }
  }
  return 0;
}

void store_folder_deinit(struct store_folder *folder)
{
  for (int i = 0; i < SUBFOLDER_COUNT; i++)
    close(folder->fd[i]);
}

/* The folder and those above it. What lacks is made for us alone. */
static int make_folders(const char *path)
{
  char part[PATH_MAX];
  size_t length = strlen(path);
  for (size_t i = 1; i <= length; i++) {
    if (path[i] != '/' && path[i] != '\0')
      continue;
    memcpy(part, path, i);
    part[i] = '\0';
    if (mkdir(part, 0700) < 0 && errno != EEXIST && (i == length || access(part, F_OK) < 0))
      return -errno;
  }
  return 0;
}

static int open_root(const char *path)
{
  struct stat status;
  int result = make_folders(path);
  if (result < 0)
    return result;
  int root = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (root < 0)
    return errno == ELOOP || errno == ENOTDIR ? -EPERM : -errno;
  if (fstat(root, &status) < 0 || status.st_uid != geteuid() || (status.st_mode & 077) != 0) {
    close(root);
    return -EPERM;
  }
  return root;
}

static int open_subfolder(int root, const char *name)
{
  if (mkdirat(root, name, 0700) < 0 && errno != EEXIST)
    return -errno;
  int fd = openat(root, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  return fd < 0 ? -errno : fd;
}

int store_folder_open(struct store_folder *folder)
{
  int root = open_root(folder->path), result = root < 0 ? root : 0;
  for (int i = 0; i < SUBFOLDER_COUNT && result == 0; i++) {
    int fd = open_subfolder(root, names[i]);
    if (fd < 0 || dup3(fd, folder->fd[i], O_CLOEXEC) < 0)
      result = fd < 0 ? fd : -errno;
    if (fd >= 0)
      close(fd);
  }
  if (root >= 0)
    close(root);
  return result;
}

void store_folder_set_aside(struct store_folder *folder, enum subfolder subfolder, const char *name)
{
  char slot[8];
  snprintf(slot, sizeof slot, "%02u", atomic_load(&folder->set_aside) % SET_ASIDE_MAX);
  if (renameat(folder->fd[subfolder], name, folder->fd[SUBFOLDER_DAMAGED], slot) == 0 ||
      unlinkat(folder->fd[subfolder], name, 0) == 0)
    atomic_fetch_add(&folder->set_aside, 1);
}

int store_folder_visit(const struct store_folder *folder, enum subfolder subfolder,
                       int (*visit)(void *context, const char *name), void *context)
{
  int fd = openat(folder->fd[subfolder], ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return -errno;
  DIR *entries = fdopendir(fd);
  if (!entries) {
    close(fd);
    return -ENOMEM;
  }
  int result = 0;
  struct dirent *entry;
  while (result == 0 && (errno = 0, entry = readdir(entries))) {
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
      result = visit(context, entry->d_name);
  }
  if (result == 0 && !entry)
    result = -errno;
  closedir(entries);
  return result;
}

struct visit {
  const struct store_folder *folder;
  enum subfolder subfolder;
  uint64_t bytes;
};

static int add_bytes(void *context, const char *name)
{
  struct visit *visit = context;
  struct stat status;
  if (fstatat(visit->folder->fd[visit->subfolder], name, &status, AT_SYMLINK_NOFOLLOW) == 0)
    visit->bytes += (uint64_t)status.st_size;
  return 0;
}

bool store_folder_is_gone(const struct store_folder *folder)
{
  struct stat status;
  for (int i = 0; i < SUBFOLDER_COUNT; i++) {
    if (fstat(folder->fd[i], &status) == 0 && status.st_nlink == 0)
      return true;
  }
  return false;
}

uint64_t store_folder_bytes(const struct store_folder *folder, enum subfolder subfolder)
{
  struct visit visit = {folder, subfolder, 0};
  store_folder_visit(folder, subfolder, add_bytes, &visit);
  return visit.bytes;
}

static int remove_file(void *context, const char *name)
{
  struct visit *visit = context;
  if (unlinkat(visit->folder->fd[visit->subfolder], name, 0) < 0 && errno != ENOENT &&
      errno != EISDIR)
    return -errno;
  return 0;
}

int store_folder_empty(const struct store_folder *folder, enum subfolder subfolder)
{
  struct visit visit = {folder, subfolder, 0};
  return store_folder_visit(folder, subfolder, remove_file, &visit);
}

/* A writer holds a lock on its file as long as it lives. */
static int remove_if_abandoned(void *context, const char *name)
{
  struct visit *visit = context;
  int fd = openat(visit->folder->fd[visit->subfolder], name,
                  O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0)
    return 0;
  if (flock(fd, LOCK_EX | LOCK_NB) == 0)
    unlinkat(visit->folder->fd[visit->subfolder], name, 0);
  close(fd);
  return 0;
}

void store_folder_remove_unfinished(const struct store_folder *folder)
{
  struct visit visit = {folder, SUBFOLDER_UNFINISHED, 0};
  store_folder_visit(folder, SUBFOLDER_UNFINISHED, remove_if_abandoned, &visit);
}
