/* One place at a time, each ended by a comma, then whose turn it is. */
#include "client/state_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "client/options.h"

static bool parse_number(const char **at, uint32_t *number)
{
  char *end;
  errno = 0;
  unsigned long long parsed = strtoull(*at, &end, 10);
  if (**at < '0' || **at > '9' || errno != 0 || parsed > UINT32_MAX)
    return false;
  *at = end;
  *number = (uint32_t)parsed;
  return true;
}

/* A node, or row:col, and the comma behind it. */
static int parse_place(const char *text, const char *who, const char **at, uint32_t cols,
                       uint32_t *node)
{
  uint32_t col;
  if (!parse_number(at, node))
    return usage_error("--state %s: %s is no node", text, who);
  if (**at == ':') {
    ++*at;
    if (cols == 0)
      return usage_error("--state %s: row:col needs a grid whose width is known, so name its FILE",
                         text);
    if (!parse_number(at, &col) || col >= cols)
      return usage_error("--state %s: the %s has no such column", text, who);
    *node = *node * cols + col;
  }
  if (**at != ',')
    return usage_error("--state %s: not of the form M,C,T", text);
  ++*at;
  return 0;
}

static int parse_turn(const char *text, const char *turn, enum cm_player *player)
{
  if (strcmp(turn, "mouse") == 0 || strcmp(turn, "0") == 0)
    *player = CM_MOUSE;
  else if (strcmp(turn, "cat") == 0 || strcmp(turn, "1") == 0)
    *player = CM_CAT;
  else
    return usage_error("--state %s: '%s' is neither mouse nor cat", text, turn);
  return 0;
}

int state_parse(const char *text, uint32_t cols, struct cm_state *state)
{
  const char *at = text;
  int status = parse_place(text, "mouse", &at, cols, &state->mouse);
  if (status == 0)
    status = parse_place(text, "cat", &at, cols, &state->cat);
  return status ? status : parse_turn(text, at, &state->turn);
}
