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
 * the end of the puzzle is the end of it. 0 or an exit status; puzzle_input_deinit() either way.
 */
int puzzle_input_read(struct task *task, const char *path, struct puzzle_input *input);
void puzzle_input_deinit(struct puzzle_input *input);

/* Tells the faults, the first few with their lines. The exit status that stands for them. */
int puzzle_input_tell(struct task *task, const struct puzzle_input *input,
                      const struct text_faults *faults);

/* As puzzle_input_tell(), for the whole text, which is to hold one puzzle. 0 where it does and has no fault. */
int puzzle_input_check_one(struct task *task, const struct puzzle_input *input);

/* What the puzzle may be called in a list: its file's name, or its first bytes. */
void puzzle_input_name(const struct puzzle_input *input, char name[static LAST_NAME_MAX]);

#endif
