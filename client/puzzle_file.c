/*
 * The happy path: the whole file is read; the three lines of a grid's test-case box become the object they
 * stand for; the library does the rest. Fails on what cannot be read and on what is no puzzle.
 */
#include "client/puzzle_file.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/options.h"

struct text {
  char *bytes; /* owned */
  size_t length;
};

static int read_all(FILE *file, struct text *text)
{
  size_t room = 0, got;
  *text = (struct text){0};
  do {
    if (text->length + 1 >= room) {
      room = room ? 2 * room : 64 << 10;
      char *bytes = realloc(text->bytes, room);
      if (!bytes)
        return -ENOMEM;
      text->bytes = bytes;
    }
    got = fread(text->bytes + text->length, 1, room - 1 - text->length, file);
    text->length += got;
  } while (got > 0);
  text->bytes[text->length] = '\0';
  return ferror(file) ? -errno : 0;
}

static int read_path(const char *path, struct text *text)
{
  FILE *file = path ? fopen(path, "r") : stdin;
  if (!file)
    return usage_error("cannot open %s: %s", path, strerror(errno));
  int result = read_all(file, text);
  if (path)
    fclose(file);
  return result < 0
             ? usage_error("cannot read %s: %s", path ? path : "standard input", strerror(-result))
             : 0;
}

/* A grid, then catJump, then mouseJump, each on a line: the object in place of the box; else as it was. */
static int expand_box(struct text *text)
{
  long cat, mouse;
  int end = 0;
  assert(text->bytes);
  char *close = strrchr(text->bytes, ']');
  const char *open = text->bytes + strspn(text->bytes, " \t\r\n");
  if (*open != '[' || !close || sscanf(close + 1, " %ld %ld %n", &cat, &mouse, &end) != 2 ||
      close[1 + end] != '\0')
    return 0;
  close[1] = '\0';
  char *object;
  int length =
      asprintf(&object, "{\"grid\": %s, \"catJump\": %ld, \"mouseJump\": %ld}", open, cat, mouse);
  if (length < 0)
    return usage_error("out of memory");
  free(text->bytes);
  *text = (struct text){object, (size_t)length};
  return 0;
}

int puzzle_file_read(struct cm_client *client, const char *path, struct cm_puzzle **puzzle)
{
  bool piped = !path || strcmp(path, "-") == 0;
  if (!path && isatty(STDIN_FILENO))
    return usage_error("name a FILE with a puzzle, or - to type one");
  struct text text = {0};
  int status = read_path(piped ? NULL : path, &text);
  if (status == 0)
    status = expand_box(&text);
  if (status == 0 && cm_puzzle_parse(client, text.bytes, text.length, puzzle) < 0) {
    const char *name = cm_error_name(client);
    status = usage_error("%s: %s%s%s", piped ? "standard input" : path, name ? name : "",
                         name ? ": " : "", cm_error(client));
  }
  free(text.bytes);
  return status;
}
