/*
 * One fact a line, each behind its name. The file's own time is when the puzzle was solved. A new one is written
 * beside it and renamed over it.
 */
#include "client/last.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/words.h"

/* The folder of the state, and in `folder` where it ends in `path`. -ENOENT where there is no home. */
static int find_path(char path[static PATH_MAX], size_t *folder)
{
  const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
  int length;
  if (state && *state == '/')
    length = snprintf(path, PATH_MAX - 32, "%s/catmouse", state);
  else if (home && *home == '/')
    length = snprintf(path, PATH_MAX - 32, "%s/.local/state/catmouse", home);
  else
    return -ENOENT;
  if (length >= PATH_MAX - 32)
    return -ENAMETOOLONG;
  *folder = (size_t)length;
  strcpy(path + length, "/last");
  return 0;
}

/* Every folder of the path that is not there yet. */
static int make_folders(char *path, size_t length)
{
  for (size_t i = 1; i <= length; i++) {
    const char kept = path[i];
    if (kept != '/' && i < length)
      continue;
    path[i] = '\0';
    int failed = mkdir(path, 0700) && errno != EEXIST ? -errno : 0;
    path[i] = kept;
    if (failed)
      return failed;
  }
  return 0;
}

static bool understand(const char *line, struct last *last)
{
  char word[8];
  if (sscanf(line, "id %64[0-9a-f]", last->id) == 1 ||
      sscanf(line, "nodes %" SCNu32, &last->nodes) == 1 ||
      sscanf(line, "columns %" SCNu32, &last->cols) == 1 ||
      sscanf(line, "name %63[^\n]", last->name) == 1)
    return true;
  if (sscanf(line, "start %" SCNu32 ",%" SCNu32, &last->start.mouse, &last->start.cat) == 2)
    return true;
  if (sscanf(line, "game %7s", word) == 1) {
    last->game = strcmp(word, "grid") == 0 ? CM_GRID : CM_GRAPH;
    return true;
  }
  return false;
}

int last_read(struct last *last)
{
  char path[PATH_MAX], line[256];
  size_t folder;
  struct stat about;
  *last = (struct last){0};
  if (find_path(path, &folder))
    return -ENOENT;
  FILE *file = fopen(path, "re");
  if (!file)
    return -ENOENT;
  while (fgets(line, sizeof line, file) && understand(line, last))
    ;
  if (fstat(fileno(file), &about) == 0)
    last->solved = about.st_mtime;
  fclose(file);
  return strlen(last->id) == CM_ID_DIGITS && last->nodes > 0 ? 0 : -ENOENT;
}

/* What the disk says at the end counts too. */
static int write_facts(FILE *file, const struct last *last)
{
  fprintf(file,
          "id %s\ngame %s\nnodes %" PRIu32 "\ncolumns %" PRIu32 "\nstart %" PRIu32 ",%" PRIu32
          "\nname %s\n",
          last->id, game_name(last->game), last->nodes, last->cols, last->start.mouse,
          last->start.cat, last->name);
  bool failed = fflush(file) != 0 || ferror(file);
  int error = failed ? -EIO : 0;
  return fclose(file) != 0 && !error ? -errno : error;
}

int last_write(const struct last *last)
{
  char path[PATH_MAX], beside[PATH_MAX];
  size_t folder;
  int error = find_path(path, &folder);
  if (error == 0)
    error = make_folders(path, folder);
  if (error)
    return error;
  snprintf(beside, sizeof beside, "%.*s/last.XXXXXX", (int)folder, path);
  int descriptor = mkostemp(beside, O_CLOEXEC);
  FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
  if (!file) {
    error = -errno;
    if (descriptor >= 0)
      close(descriptor);
    return error;
  }
  error = write_facts(file, last);
  if (error == 0 && rename(beside, path))
    error = -errno;
  if (error)
    unlink(beside);
  return error;
}

static void age_words(int64_t seconds, char words[static WORDS_MAX])
{
  static const struct {
    int64_t seconds;
    const char *one, *many;
  } units[] = {{86400, "day", "days"}, {3600, "hour", "hours"}, {60, "minute", "minutes"}};
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
    if (seconds >= units[i].seconds) {
      count_words((uint64_t)(seconds / units[i].seconds), units[i].one, units[i].many, words);
      strcat(words, " ago");
      return;
    }
  }
  strcpy(words, "just now");
}

void last_words(const struct last *last, char words[static 160])
{
  char age[WORDS_MAX];
  age_words((int64_t)(time(NULL) - last->solved), age);
  snprintf(words, 160, "puzzle %.6s, %s of %" PRIu32 " nodes, solved %.40s", last->id,
           game_name(last->game), last->nodes, age);
}
