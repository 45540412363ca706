/*
 * One fact a line, each behind its name. The file's own time is when the puzzle was solved.
 */
#include "client/last.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "client/state_folder.h"
#include "client/words.h"

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
  struct stat about;
  *last = (struct last){0};
  if (state_folder_path("last", path))
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

static int write_facts(FILE *file, const void *context)
{
  const struct last *last = context;
  fprintf(file,
          "id %s\ngame %s\nnodes %" PRIu32 "\ncolumns %" PRIu32 "\nstart %" PRIu32 ",%" PRIu32
          "\nname %s\n",
          last->id, game_name(last->game), last->nodes, last->cols, last->start.mouse,
          last->start.cat, last->name);
  return 0;
}

int last_write(const struct last *last)
{
  return state_folder_replace("last", write_facts, last);
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
