/* Puzzle text as a command gets it, from a file, a pipe or somebody who types; and what is told of its faults. */
#ifndef CATMOUSE_CLIENT_PUZZLE_INPUT_H
#define CATMOUSE_CLIENT_PUZZLE_INPUT_H

#include "client/file_text.h"
#include "client/last.h"
#include "text/text.h"

struct task;

struct puzzle_input {
  const char *name; /* as sentences call it; borrowed */
  struct file_text bytes;
  struct text *text; /* NULL where nothing came */
};

/*
 * Reads a file, whose faults are left in `input->text`; `path` "-" is standard input. `path` NULL is standard input
 * where that is no terminal and holds more than space, else nothing. At a terminal a prompt says what is awaited, and
 * the end of the puzzle is the end of it. Meanwhile Ctrl-C ends the program. 0 or an exit status; puzzle_input_deinit()
 * either way.
 */
int puzzle_input_read(struct task *task, const char *path, struct puzzle_input *input);
void puzzle_input_deinit(struct puzzle_input *input);

/* Tells the faults, the first few with their lines. The exit status that stands for them. */
int puzzle_input_tell(struct task *task, const struct puzzle_input *input,
                      const struct text_faults *faults);

/* What a puzzle of the text may be called in a list: its file, with its number if it is one of several; or its bytes. */
void puzzle_input_name(const struct puzzle_input *input, uint32_t index,
                       char name[static LAST_NAME_MAX]);

/* Reads one puzzle as task->puzzle, which stays NULL where puzzle_input_read() reads nothing. 0 or an exit status. */
int puzzle_input_take(struct task *task, const char *path);

#endif
