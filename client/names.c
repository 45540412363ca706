/* A line each in the state folder's file `names`, tabs between; the newest last. Lines are appended in one write. */
#include "client/names.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/state_folder.h"

enum { FILE_BYTES_MAX = 1 << 20 };

static bool understand(const char *line, struct named *named)
{
  *named = (struct named){0};
  return sscanf(line, "%64[0-9a-f]\t%23[^\t]\t%63[^\n]", named->id, named->verdict, named->name) ==
             3 &&
         strlen(named->id) == CM_ID_DIGITS;
}

int names_read(struct names *names)
{
  char path[PATH_MAX], line[256];
  size_t room = 0;
  int error = 0;
  *names = (struct names){0};
  FILE *file = state_folder_path("names", path) == 0 ? fopen(path, "re") : NULL;
  while (file && error == 0 && fgets(line, sizeof line, file)) {
    if (names->count == room) {
      room = room ? 2 * room : 64;
      struct named *grown = realloc(names->named, room * sizeof *grown);
      if (!grown) {
        error = -ENOMEM;
        break;
      }
      names->named = grown;
    }
    names->count += understand(line, &names->named[names->count]);
  }
  if (file)
    fclose(file);
  return error;
}

void names_deinit(struct names *names)
{
  free(names->named);
}

const struct named *names_find(const struct names *names, const char *id)
{
  const struct named *found = NULL;
  for (size_t i = names->count; i > 0; i--) {
    const struct named *named = &names->named[i - 1];
    if (strcmp(named->id, id) != 0)
      continue;
    if (strcmp(named->verdict, "-") != 0)
      return named;
    if (!found)
      found = named;
  }
  return found;
}

static int write_newer_half(FILE *file, const void *context)
{
  const struct names *names = context;
  for (size_t i = names->count / 2; i < names->count; i++)
    fprintf(file, "%s\t%s\t%s\n", names->named[i].id, names->named[i].verdict,
            names->named[i].name);
  return 0;
}

static void drop_older_half(void)
{
  struct names names;
  if (names_read(&names) == 0)
    state_folder_replace("names", write_newer_half, &names);
  names_deinit(&names);
}

static void verdict_text(const struct cm_verdict *start, char text[static NAME_VERDICT_MAX])
{
  static const char *const who[] = {
      [CM_MOUSE_WINS] = "mouse", [CM_CAT_WINS] = "cat", [CM_DRAW] = "draw"};
  if (!start)
    snprintf(text, NAME_VERDICT_MAX, "-");
  else if (start->plies == CM_PLIES_NONE)
    snprintf(text, NAME_VERDICT_MAX, "%s", who[start->outcome]);
  else
    snprintf(text, NAME_VERDICT_MAX, "%s %" PRIu32, who[start->outcome], start->plies);
}

int names_add(const char *id, const struct cm_verdict *start, const char *name)
{
  char path[PATH_MAX], line[CM_ID_DIGITS + NAME_VERDICT_MAX + NAME_TEXT_MAX + 4];
  char verdict[NAME_VERDICT_MAX];
  struct stat about;
  int error = state_folder_make();
  if (error == 0)
    error = state_folder_path("names", path);
  if (error)
    return error;
  verdict_text(start, verdict);
  int length = snprintf(line, sizeof line, "%s\t%s\t%.63s\n", id, verdict, *name ? name : "-");
  int descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (descriptor < 0)
    return -errno;
  error = write(descriptor, line, (size_t)length) == length ? 0 : -EIO;
  bool too_long = fstat(descriptor, &about) == 0 && about.st_size > FILE_BYTES_MAX;
  close(descriptor);
  if (too_long)
    drop_older_half();
  return error;
}
