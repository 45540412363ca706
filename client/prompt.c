/*
 * After each line the text is read: it is whole where it awaits no more. What was pasted behind the puzzle is read too,
 * so that the shell does not take it for commands.
 */
#include "client/prompt.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "client/commands/task.h"
#include "text/text.h"

enum { TERMINAL_LINE_BYTES = 4095, PASTE_MS = 50 };

static bool is_whole(const struct file_text *bytes)
{
  struct text *text;
  if (text_read(bytes->bytes, bytes->length, &text))
    return true; /* whoever reads it next says what is short */
  bool whole = !text->awaits_more && (text->puzzles_count > 0 || text->faults.count > 1 ||
                                      text->faults.fault[0].code != TEXT_NO_PUZZLE);
  text_free(text);
  return whole;
}

/* 1 where a line was added, 0 at the end of input, or a negative errno. */
static int add_line(struct file_text *bytes, size_t *line_length)
{
  char *line = NULL;
  size_t room = 0;
  ssize_t length = getline(&line, &room, stdin);
  if (length < 0) {
    free(line);
    return ferror(stdin) ? -errno : 0;
  }
  char *grown = realloc(bytes->bytes, bytes->length + (size_t)length + 1);
  if (grown) {
    memcpy(grown + bytes->length, line, (size_t)length);
    bytes->bytes = grown;
    bytes->length += (size_t)length;
    *line_length = (size_t)length;
  }
  free(line);
  return grown ? 1 : -ENOMEM;
}

static bool more_is_pasted(void)
{
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  return poll(&input, 1, PASTE_MS) > 0;
}

int prompt_read(struct task *task, struct file_text *bytes)
{
  bool whole = false;
  size_t length = 0;
  fputs("Type or paste a puzzle, such as [[2],[3],[0,3],[1,2]]; an empty line ends it.\n", stderr);
  setvbuf(stdin, NULL, _IONBF, 0); /* poll() sees what stdio has not taken */
  while (!whole || more_is_pasted()) {
    int got = add_line(bytes, &length);
    if (got < 0)
      return task_misuse(task, "cannot read the terminal: %s", strerror(-got));
    if (got == 0)
      break;
    if (length >= TERMINAL_LINE_BYTES)
      return task_misuse(task,
                         "a terminal cuts lines at %d bytes, so that the end of this one is "
                         "missing; put the puzzle into a file",
                         TERMINAL_LINE_BYTES);
    whole = whole || (length == 1 && bytes->length > 1) || is_whole(bytes);
  }
  return 0;
}
