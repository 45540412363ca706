#include "client/state_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_ROOM = 32 };

int state_folder_path(const char *name, char path[static PATH_MAX])
{
  const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
  int length;
  if (state && *state == '/')
    length = snprintf(path, PATH_MAX, "%s/catmouse/%s", state, name);
  else if (home && *home == '/')
    length = snprintf(path, PATH_MAX, "%s/.local/state/catmouse/%s", home, name);
  else
    return -ENOENT;
  return length < PATH_MAX - NAME_ROOM ? 0 : -ENAMETOOLONG;
}

int state_folder_make(void)
{
  char path[PATH_MAX];
  int error = state_folder_path("", path);
  for (char *at = path + 1; error == 0 && (at = strchr(at, '/')); at++) {
    *at = '\0';
    if (mkdir(path, 0700) && errno != EEXIST)
      error = -errno;
    *at = '/';
  }
  return error;
}

/* What the disk says at the end counts too. */
static int write_all(int descriptor, int (*write_facts)(FILE *file, const void *context),
                     const void *context)
{
  FILE *file = fdopen(descriptor, "w");
  if (!file) {
    int error = -errno;
    close(descriptor);
    return error;
  }
  int error = write_facts(file, context);
  if (error == 0 && (fflush(file) != 0 || ferror(file)))
    error = -EIO;
  return fclose(file) != 0 && error == 0 ? -errno : error;
}

int state_folder_replace(const char *name, int (*write_facts)(FILE *file, const void *context),
                         const void *context)
{
  char path[PATH_MAX], beside[PATH_MAX + 8];
  int error = state_folder_make();
  if (error == 0)
    error = state_folder_path(name, path);
  if (error)
    return error;
  snprintf(beside, sizeof beside, "%s.XXXXXX", path);
  int descriptor = mkostemp(beside, O_CLOEXEC);
  if (descriptor < 0)
    return -errno;
  error = write_all(descriptor, write_facts, context);
  if (error == 0 && rename(beside, path))
    error = -errno;
  if (error)
    unlink(beside);
  return error;
}
