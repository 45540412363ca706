/*
 * The happy path: all bytes are read, then the text in them. Standard input that is closed or empty, as cron's and
 * /dev/null are, is no input at all unless it was asked for.
 */
#include "client/puzzle_input.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/client.h"
#include "client/commands/task.h"
#include "client/excerpt.h"
#include "client/prompt.h"

enum { FAULTS_TOLD = 5, PATIENCE_MS = 3000 };

static bool holds_only_space(const struct file_text *bytes)
{
  for (size_t i = 0; i < bytes->length; i++) {
    if (!strchr(" \t\r\n", bytes->bytes[i]) || bytes->bytes[i] == '\0')
      return false;
  }
  return true;
}

/* Somebody at a terminal may wonder what a pipe that says nothing is waited for. */
static void say_what_is_awaited(void)
{
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  if (isatty(STDERR_FILENO) && poll(&input, 1, PATIENCE_MS) == 0)
    fputs("cmclient: waiting for a puzzle on standard input; </dev/null means none\n", stderr);
}

static int read_standard_input(struct task *task, bool wanted, struct puzzle_input *input)
{
  input->name = "standard input";
  if (isatty(STDIN_FILENO))
    return wanted ? prompt_read(task, &input->bytes) : 0;
  say_what_is_awaited();
  int error = file_text_read_all(stdin, &input->bytes);
  if (error && (wanted || error != -EBADF))
    return task_misuse(task, "cannot read standard input: %s", strerror(-error));
  return 0;
}

static int read_file(struct task *task, const char *path, struct puzzle_input *input)
{
  input->name = path;
  FILE *file = fopen(path, "r");
  if (!file && (path[0] == '[' || path[0] == '{'))
    return task_misuse(task,
                       "no file is called %.60s; pipe a puzzle itself in: "
                       "echo '[[2],[3],[0,3],[1,2]]' | cmclient %s",
                       path, task->command->name);
  if (!file)
    return task_misuse(task, "cannot open %s: %s", path, strerror(errno));
  int error = file_text_read_all(file, &input->bytes);
  fclose(file);
  return error ? task_misuse(task, "cannot read %s: %s", path, strerror(-error)) : 0;
}

static int read_bytes(struct task *task, const char *path, struct puzzle_input *input)
{
  bool is_standard = !path || strcmp(path, "-") == 0;
  task_interrupt_ends();
  int status =
      is_standard ? read_standard_input(task, path != NULL, input) : read_file(task, path, input);
  task_interrupt_cancels(task);
  return status;
}

int puzzle_input_read(struct task *task, const char *path, struct puzzle_input *input)
{
  *input = (struct puzzle_input){0};
  int status = read_bytes(task, path, input);
  if (status)
    return status;
  if (holds_only_space(&input->bytes))
    return path ? task_misuse(task, "%s is empty", input->name) : 0;
  if (text_read(input->bytes.bytes, input->bytes.length, &input->text))
    return task_misuse(task, "out of memory for the puzzle");
  return 0;
}

void puzzle_input_deinit(struct puzzle_input *input)
{
  text_free(input->text);
  free(input->bytes.bytes);
}

static void add_fault(const struct puzzle_input *input, const struct text_fault *fault, FILE *to)
{
  const struct text_place place =
      text_place_of(input->bytes.bytes, input->bytes.length, fault->span.at);
  fprintf(to, "\n%s, line %u, column %u:\n", input->name, (unsigned)place.line,
          (unsigned)place.column);
  excerpt_write(to, input->bytes.bytes, &place, fault->span);
  if (fault->advice[0])
    fprintf(to, "  %s\n", fault->advice);
}

int puzzle_input_tell(struct task *task, const struct puzzle_input *input,
                      const struct text_faults *faults)
{
  char *details = NULL;
  size_t length;
  const struct text_fault *first = &faults->fault[0];
  FILE *to = open_memstream(&details, &length);
  if (!to)
    return task_misuse(task, "%s", first->sentence);
  for (uint32_t i = 0; i < faults->count && i < FAULTS_TOLD; i++) {
    if (i > 0) {
      fputc('\n', to);
      escaped_write(to, faults->fault[i].sentence, strlen(faults->fault[i].sentence));
    }
    add_fault(input, &faults->fault[i], to);
  }
  if (faults->count > FAULTS_TOLD)
    fprintf(to, "\nand %u%s faults more\n", (unsigned)(faults->count - FAULTS_TOLD),
            faults->more ? " or more" : "");
  fclose(to);
  bool is_syntax = text_code_is_syntax(first->code);
  int status = task_fail(task, is_syntax ? EXIT_USAGE : EXIT_REFUSED,
                         is_syntax ? NULL : "E_BAD_PUZZLE", first->sentence, details);
  free(details);
  return status;
}

/* On one line, with nothing that a terminal would obey. */
void puzzle_input_name(const struct puzzle_input *input, uint32_t index,
                       char name[static LAST_NAME_MAX])
{
  const char *slash = strrchr(input->name, '/');
  const bool is_file = strcmp(input->name, "standard input") != 0;
  const struct text_span span = input->text->puzzles[index].span;
  const char *from = !is_file ? input->bytes.bytes + span.at : slash ? slash + 1 : input->name;
  const size_t length = is_file ? strlen(from) : span.length;
  size_t written = 0;
  for (size_t i = 0; i < length && written < LAST_NAME_MAX - 1; i++) {
    const unsigned char byte = (unsigned char)from[i];
    if (byte > ' ' && byte < 0x7f)
      name[written++] = from[i];
    else if (written > 0 && name[written - 1] != ' ')
      name[written++] = ' ';
  }
  name[written] = '\0';
  if (is_file && input->text->puzzles_count > 1)
    snprintf(name + written, LAST_NAME_MAX - written, ", case %u", (unsigned)index + 1);
}

/* The whole text is to hold one puzzle, without a fault. */
static int check_one(struct task *task, const struct puzzle_input *input)
{
  const struct text *text = input->text;
  for (uint32_t i = 0; i < text->puzzles_count; i++) {
    if (text->puzzles[i].faults.count > 0)
      return puzzle_input_tell(task, input, &text->puzzles[i].faults);
  }
  if (text->faults.count > 0)
    return puzzle_input_tell(task, input, &text->faults);
  if (text->puzzles_count > 1)
    return task_misuse(task, "%s holds %u puzzles, and %s is about one; cmclient solve answers all",
                       input->name, (unsigned)text->puzzles_count, task->command->name);
  return 0;
}

static int take_puzzle(struct task *task, struct puzzle_input *input)
{
  int status = check_one(task, input);
  if (status)
    return status;
  task->puzzle = puzzle_from_text(input->text);
  if (!task->puzzle)
    return task_misuse(task, "out of memory for the puzzle");
  puzzle_input_name(input, 0, task->puzzle_name);
  input->text = NULL; /* the puzzle's now */
  style_set_puzzle(&task->style, task->puzzle);
  return 0;
}

int puzzle_input_take(struct task *task, const char *path)
{
  struct puzzle_input input;
  int status = puzzle_input_read(task, path, &input);
  if (status == 0 && input.text)
    status = take_puzzle(task, &input);
  puzzle_input_deinit(&input);
  return status;
}
