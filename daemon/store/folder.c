/*
 * All is done by names within the open folder, so that nothing depends on what its path has become
 * since.
 */
#include "daemon/store/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* The database, its log, and the log's index, which is made again when it is missing. */
static const char *const suffixes[] = {"", "-wal", "-shm"};
enum { DATABASE, LOG, LOG_INDEX, SUFFIXES, NAME_BYTES = 64 };

int folder_find(const char *given, char path[static PATH_MAX])
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
    path[--length] = '\0'; /* O_NOFOLLOW would follow a link through it */
  return length == 0 ? -ENOENT : length < PATH_MAX ? 0 : -ENAMETOOLONG;
}

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

int folder_lock(const char *path)
{
  struct stat status;
  int result = make_folders(path);
  if (result < 0)
    return result;
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0)
    return errno == ELOOP || errno == ENOTDIR ? -EPERM : -errno;
  if (fstat(folder, &status) < 0 || status.st_uid != geteuid() || (status.st_mode & 077) != 0) {
    close(folder);
    return -EPERM;
  }
  while (flock(folder, LOCK_EX) < 0 &&
         errno == EINTR) /* where there are no such locks it goes without */
    ;
  return folder;
}

int folder_check_file(int folder, const char *name)
{
  struct stat status;
  if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
    return -errno;
  return S_ISREG(status.st_mode) ? 0 : -EBADMSG;
}

static const char *with_suffix(const char *name, int suffix, char text[static NAME_BYTES])
{
  stpcpy(stpcpy(text, name), suffixes[suffix]);
  return text;
}

void folder_remove_rest(int folder, const char *name)
{
  char text[NAME_BYTES];
  for (int i = LOG; i < SUFFIXES; i++)
    unlinkat(folder, with_suffix(name, i, text), 0);
}

void folder_allow_rest(int folder, const char *name)
{
  char text[NAME_BYTES];
  for (int i = LOG; i < SUFFIXES; i++)
    fchmodat(folder, with_suffix(name, i, text), 0600, 0);
}

int folder_rename(int folder, const char *from, const char *to)
{
  char source[NAME_BYTES], target[NAME_BYTES];
  folder_remove_rest(folder, to);
  unlinkat(folder, with_suffix(from, LOG_INDEX, source), 0);
  for (int i = DATABASE; i <= LOG; i++) {
    with_suffix(from, i, source);
    with_suffix(to, i, target);
    if (renameat(folder, source, folder, target) < 0 && (i == DATABASE || errno != ENOENT))
      return -errno;
  }
  return 0;
}

/* Adds what lies in damaged/ under that number; or removes it, where that is too much. */
static void count_or_remove(int folder, int number, uint64_t bytes_max, uint64_t *bytes)
{
  char name[NAME_BYTES], text[NAME_BYTES];
  struct stat status;
  snprintf(name, sizeof name, "damaged/%d.db", number);
  for (int i = 0; i < SUFFIXES; i++)
    if (fstatat(folder, with_suffix(name, i, text), &status, AT_SYMLINK_NOFOLLOW) == 0)
      *bytes += (uint64_t)status.st_size;
  if (*bytes <= bytes_max)
    return;
  unlinkat(folder, name, 0);
  folder_remove_rest(folder, name);
}

int folder_put_away(int folder, uint64_t bytes_max)
{
  char name[NAME_BYTES], older[NAME_BYTES];
  uint64_t bytes = 0;
  if (faccessat(folder, FOLDER_SALVAGE, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
    return errno == ENOENT ? 0 : -errno;
  if (mkdirat(folder, "damaged", 0700) < 0 && errno != EEXIST)
    return -errno;
  for (int number = DAMAGED_MAX - 1; number > 0; number--) {
    snprintf(name, sizeof name, "damaged/%d.db", number);
    snprintf(older, sizeof older, "damaged/%d.db", number + 1);
    folder_rename(folder, name, older);
  }
  int result = folder_rename(folder, FOLDER_SALVAGE, "damaged/1.db");
  for (int number = 1; number <= DAMAGED_MAX; number++)
    count_or_remove(folder, number, bytes_max, &bytes);
  return result;
}
