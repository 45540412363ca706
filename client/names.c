/* A line each in the state folder's file `names`, tabs between; the newest last. Lines are appended in one write. */
#include "client/names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "client/state_folder.h"

enum { FILE_BYTES_MAX = 1 << 20 };

static const char unknown[] = "-";

static bool is_unknown(const char *verdict)
{
  return strcmp(verdict, unknown) == 0;
}

static bool understand(const char *line, struct named *named)
{
  *named = (struct named){0};
  return sscanf(line, "%64[0-9a-f]\t%23[^\t]\t%" SCNu32 ",%" SCNu32 "\t%63[^\n]", named->id,
                named->verdict, &named->start.mouse, &named->start.cat, named->name) == 5 &&
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
    if (strncasecmp(named->id, id, strlen(id)) != 0)
      continue;
    if (found && strcmp(found->id, named->id) != 0)
      return NULL;
    if (!found || (is_unknown(found->verdict) && !is_unknown(named->verdict)))
      found = named;
  }
  return found;
}

static void write_line(FILE *file, const char *id, const char *verdict,
                       const struct cm_state *start, const char *name)
{
  fprintf(file, "%s\t%s\t%" PRIu32 ",%" PRIu32 "\t%.63s\n", id, verdict, start->mouse, start->cat,
          name);
}

static int write_newer_half(FILE *file, const void *context)
{
  const struct names *names = context;
  for (size_t i = names->count / 2; i < names->count; i++) {
    const struct named *named = &names->named[i];
    write_line(file, named->id, named->verdict, &named->start, named->name);
  }
  return 0;
}

static void drop_older_half(void)
{
  struct names names;
  if (names_read(&names) == 0)
    state_folder_replace("names", write_newer_half, &names);
  names_deinit(&names);
}

static void verdict_text(const struct cm_verdict *verdict, char text[static NAME_VERDICT_MAX])
{
  static const char *const who[] = {
      [CM_MOUSE_WINS] = "mouse", [CM_CAT_WINS] = "cat", [CM_DRAW] = "draw"};
  if (!verdict)
    strcpy(text, unknown);
  else if (verdict->plies == CM_PLIES_NONE)
    strcpy(text, who[verdict->outcome]);
  else
    snprintf(text, NAME_VERDICT_MAX, "%s %" PRIu32, who[verdict->outcome], verdict->plies);
}

int names_add(const char *id, const struct cm_state *start, const struct cm_verdict *verdict,
              const char *name)
{
  char path[PATH_MAX], words[NAME_VERDICT_MAX];
  struct stat about;
  int error = state_folder_make();
  if (error == 0)
    error = state_folder_path("names", path);
  if (error)
    return error;
  FILE *file = fopen(path, "ae");
  if (!file)
    return -errno;
  verdict_text(verdict, words);
  write_line(file, id, words, start, *name ? name : "-");
  bool too_long = fstat(fileno(file), &about) == 0 && about.st_size > FILE_BYTES_MAX;
  error = fclose(file) ? -errno : 0;
  if (too_long)
    drop_older_half();
  return error;
}
