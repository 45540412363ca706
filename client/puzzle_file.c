/*
 * The happy path: the whole file is read, and the library makes a puzzle of it. Fails on what cannot be read,
 * on what is empty and on what is no puzzle.
 */
#include "client/puzzle_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/failure.h"
#include "client/file_text.h"

/* What is no JSON is told with the file's name, since it says where in the file. */
static int parse(struct cm_client *client, const char *name, const struct file_text *text,
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
  struct file_text text = {0};
  int status = file_text_read(piped ? NULL : path, name, &text);
  if (status == 0)
    status = parse(client, name, &text, puzzle);
  free(text.bytes);
  return status;
}
