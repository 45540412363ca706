/* Text grows in a buffer, item by item. */
#include "tests/daemon/solve_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tests/daemon/daemon_thread.h"

void add_text(struct buffer *text, const char *format, ...)
{
  char item[64];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(item, sizeof item, format, arguments);
  va_end(arguments);
  buffer_append(text, item, (size_t)length);
}

struct buffer solve_text(int nodes, void (*add)(struct buffer *text, int node, int nodes),
                         const char *parameters)
{
  static const char begin[] = "{\"id\":1,\"method\":\"solve\",\"params\":{\"puzzle\":[[";
  struct buffer text = {0};
  buffer_append(&text, begin, sizeof begin - 1);
  for (int node = 0; node < nodes; node++) {
    add(&text, node, nodes);
    text.length--; /* the comma behind its last neighbour */
    add_text(&text, node + 1 < nodes ? "],[" : "]]");
  }
  add_text(&text, "%s}}\n", parameters);
  buffer_append(&text, "", 1);
  return text;
}

void solve_on(int fd, int nodes, void (*add)(struct buffer *text, int node, int nodes),
              const char *expected)
{
  struct buffer text = solve_text(nodes, add, "");
  ask_line(fd, text.data, expected);
  buffer_deinit(&text);
}

void add_path(struct buffer *text, int node, int nodes)
{
  if (node > 0)
    add_text(text, "%d,", node - 1);
  if (node + 1 < nodes)
    add_text(text, "%d,", node + 1);
}

void add_all(struct buffer *text, int node, int nodes)
{
  for (int other = 0; other < nodes; other++)
    if (other != node)
      add_text(text, "%d,", other);
}

void add_star(struct buffer *text, int node, int nodes)
{
  if (node != 1)
    add_text(text, "1,");
  for (int other = 0; node == 1 && other < nodes; other++)
    if (other != 1)
      add_text(text, "%d,", other);
}
