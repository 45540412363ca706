/*
 * The happy path: the whole file is read, and the library makes a puzzle of it. Fails on what cannot be read,
 * on what is empty and on what is no puzzle.
 */
#include "client/puzzle_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/failure.h"

struct text {
  char *bytes; /* owned */
  size_t length;
};

static int read_all(FILE *file, struct text *text)
{
  size_t room = 0, got;
  *text = (struct text){0};
  do {
    if (text->length == room) {
      room = room ? 2 * room : 64 << 10;
      char *bytes = realloc(text->bytes, room);
      if (!bytes)
        return -ENOMEM;
      text->bytes = bytes;
    }
    got = fread(text->bytes + text->length, 1, room - text->length, file);
    text->length += got;
  } while (got > 0);
  return ferror(file) ? -errno : 0;
}

static int read_path(const char *path, const char *name, struct text *text)
{
  FILE *file = path ? fopen(path, "r") : stdin;
  if (!file)
    return usage_error("cannot open %s: %s", name, strerror(errno));
  int result = read_all(file, text);
  if (path)
    fclose(file);
  if (result < 0)
    return usage_error("cannot read %s: %s", name, strerror(-result));
  return text->length > 0 ? 0 : usage_error("%s is empty", name);
}

/* What is no JSON is told with the file's name, since it says where in the file. */
static int parse(struct cm_client *client, const char *name, const struct text *text,
                 struct cm_puzzle **puzzle)
{
  int result = cm_puzzle_parse(client, text->bytes, text->length, puzzle);
  if (result == -EINVAL)
    return usage_error("%s: %s", name, cm_error(client));
  return result < 0 ? call_failed(client, result) : 0;
}

int puzzle_file_read(struct cm_client *client, const char *path, struct cm_puzzle **puzzle)
{
  bool piped = !path || strcmp(path, "-") == 0;
  const char *name = piped ? "standard input" : path;
  if (!path && isatty(STDIN_FILENO))
    return usage_error("name a FILE with a puzzle, or - to type one");
  struct text text = {0};
  int status = read_path(piped ? NULL : path, name, &text);
  if (status == 0)
    status = parse(client, name, &text, puzzle);
  free(text.bytes);
  return status;
}
