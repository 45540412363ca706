/* Whole files, as commands read them. */
#ifndef CATMOUSE_CLIENT_FILE_TEXT_H
#define CATMOUSE_CLIENT_FILE_TEXT_H

#include <stddef.h>
#include <stdio.h>

struct file_text {
  char *bytes; /* the caller free()s it, whatever came of the reading */
  size_t length;
};

/*
 * All of a file, which is not empty; `path` NULL is standard input, and `name` what sentences call it. 0, or an
 * exit status with the sentence on stderr.
 */
int file_text_read(const char *path, const char *name, struct file_text *text);

/* All that is left in `file`. 0 or a negative errno. */
int file_text_read_all(FILE *file, struct file_text *text);

#endif
