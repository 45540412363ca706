#include "tests/text/describe.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct description {
  char *text;
  size_t length;
};

static void __attribute__((format(printf, 2, 3)))
add(struct description *to, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  int added = vsnprintf(to->text + to->length, DESCRIPTION_MAX - to->length, format, arguments);
  va_end(arguments);
  to->length += (size_t)added;
  if (to->length >= DESCRIPTION_MAX)
    to->length = DESCRIPTION_MAX - 1;
}

static void describe_graph(const struct puzzle *puzzle, struct description *to)
{
  for (uint32_t node = 0; node < puzzle->graph.nodes; node++) {
    add(to, "%s", node ? " " : "");
    for (uint32_t i = puzzle->graph.first[node]; i < puzzle->graph.first[node + 1]; i++)
      add(to, "%s%d", i > puzzle->graph.first[node] ? "," : "", puzzle->graph.neighbour[i]);
  }
}

static void describe_grid(const struct puzzle *puzzle, struct description *to)
{
  for (uint32_t row = 0; row < puzzle->grid.rows; row++)
    add(to, "%s%.*s", row ? "/" : "", (int)puzzle->grid.row_length[row], puzzle->grid.row[row]);
  add(to, " %d %d", puzzle->grid.jump[PLAYER_CAT], puzzle->grid.jump[PLAYER_MOUSE]);
}

static void describe_faults(const char *bytes, const struct text_faults *faults,
                            struct description *to)
{
  for (uint32_t i = 0; i < faults->count; i++) {
    const struct text_fault *fault = &faults->fault[i];
    add(to, "%s%s@%u\"%.*s\"", i ? " " : "", text_code_name(fault->code), fault->span.at,
        (int)fault->span.length, bytes + fault->span.at);
    if (fault->has_other)
      add(to, "<-%u\"%.*s\"", fault->other.at, (int)fault->other.length, bytes + fault->other.at);
  }
}

void describe_text(const char *bytes, const struct text *text,
                   char description[static DESCRIPTION_MAX])
{
  struct description to = {description, 0};
  description[0] = '\0';
  for (uint32_t i = 0; i < text->puzzles_count; i++) {
    const struct text_puzzle *puzzle = &text->puzzles[i];
    add(&to, "%s", i ? " | " : "");
    if (puzzle->faults.count > 0) {
      add(&to, "!");
      describe_faults(bytes, &puzzle->faults, &to);
    } else if (puzzle->game == GAME_GRAPH) {
      describe_graph(&puzzle->puzzle, &to);
    } else {
      describe_grid(&puzzle->puzzle, &to);
    }
  }
  if (text->faults.count > 0)
    add(&to, "%s? ", text->puzzles_count ? " " : "");
  describe_faults(bytes, &text->faults, &to);
}
