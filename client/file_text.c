/* Fails on what cannot be read, on what is empty and for want of memory. */
#include "client/file_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/failure.h"

int file_text_read_all(FILE *file, struct file_text *text)
{
  size_t room = 0, got;
  *text = (struct file_text){0};
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

int file_text_read(const char *path, const char *name, struct file_text *text)
{
  FILE *file = path ? fopen(path, "r") : stdin;
  if (!file)
    return usage_error("cannot open %s: %s", name, strerror(errno));
  int result = file_text_read_all(file, text);
  if (path)
    fclose(file);
  if (result < 0)
    return usage_error("cannot read %s: %s", name, strerror(-result));
  return text->length > 0 ? 0 : usage_error("%s is empty", name);
}
