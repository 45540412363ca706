#include "client/search_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_program(const char *path)
{
  struct stat about;
  return access(path, X_OK) == 0 && stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

bool search_path_find(const char *name, char path[static PATH_MAX])
{
  const char *folder = getenv("PATH");
  if (strchr(name, '/'))
    return snprintf(path, PATH_MAX, "%s", name) < PATH_MAX && is_program(path);
  while (folder && *folder) {
    int length = (int)strcspn(folder, ":");
    if (length > 0 && snprintf(path, PATH_MAX, "%.*s/%s", length, folder, name) < PATH_MAX &&
        is_program(path))
      return true;
    folder += length + (folder[length] == ':');
  }
  return false;
}
