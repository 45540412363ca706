/* One place at a time, each ended by a comma, then whose turn it is. */
#include "client/state_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "client/failure.h"

/* One --state being read. */
struct reader {
  const char *text; /* all of it, for the sentences */
  const char *at;
};

static void skip_spaces(struct reader *reader)
{
  reader->at += strspn(reader->at, " ");
}

static bool read_number(struct reader *reader, uint32_t *number)
{
  char *end;
  skip_spaces(reader);
  errno = 0;
  unsigned long long parsed = strtoull(reader->at, &end, 10);
  if (*reader->at < '0' || *reader->at > '9' || errno != 0 || parsed > UINT32_MAX)
    return false;
  reader->at = end;
  *number = (uint32_t)parsed;
  return true;
}

/* A node, or row:col, and the comma behind it. */
static int read_place(struct reader *reader, const char *who, bool *by_row, uint32_t *row,
                      uint32_t *node)
{
  if (!read_number(reader, node))
    return usage_error("--state %s: the %s is at no node", reader->text, who);
  *by_row = *reader->at == ':';
  if (*by_row) {
    reader->at++;
    *row = *node;
    if (!read_number(reader, node))
      return usage_error("--state %s: the %s has no column", reader->text, who);
  }
  skip_spaces(reader);
  if (*reader->at++ != ',')
    return usage_error("--state %s: not of the form M,C,T, such as 1,2,mouse", reader->text);
  return 0;
}

static int read_places(struct reader *reader, struct cm_state *state)
{
  bool cat_by_row = false;
  int status = read_place(reader, "mouse", &state->by_row, &state->mouse_row, &state->mouse);
  if (status == 0)
    status = read_place(reader, "cat", &cat_by_row, &state->cat_row, &state->cat);
  if (status == 0 && state->by_row != cat_by_row)
    return usage_error("--state %s: write row:col for both or for neither", reader->text);
  return status;
}

static int read_turn(struct reader *reader, enum cm_player *player)
{
  skip_spaces(reader);
  if (strcmp(reader->at, "mouse") == 0 || strcmp(reader->at, "0") == 0)
    *player = CM_MOUSE;
  else if (strcmp(reader->at, "cat") == 0 || strcmp(reader->at, "1") == 0)
    *player = CM_CAT;
  else
    return usage_error("--state %s: '%s' is neither mouse nor cat", reader->text, reader->at);
  return 0;
}

int state_parse(const char *text, struct cm_state *state)
{
  struct reader reader = {text, text};
  *state = (struct cm_state){0};
  int status = read_places(&reader, state);
  return status ? status : read_turn(&reader, &state->turn);
}
