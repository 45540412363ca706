/* One place at a time, each ended by a comma, then whose turn it is. */
#include "client/state_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "client/failure.h"

/* One --state being read. */
struct reader {
  const char *text; /* all of it, for the sentences */
  const char *at;
  struct grid_size grid;
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

/* The column behind a row, which `node` holds; `node` is the cell then. */
static int read_column(struct reader *reader, const char *who, uint32_t *node)
{
  const struct grid_size *grid = &reader->grid;
  uint32_t row = *node, col;
  if (grid->cols == 0)
    return usage_error("--state %s: row:col is for grids, and this puzzle is a graph",
                       reader->text);
  if (!read_number(reader, &col))
    return usage_error("--state %s: the %s has no column", reader->text, who);
  if (row >= grid->rows || col >= grid->cols)
    return usage_error("--state %s: the %s is outside of the grid's %" PRIu32 " rows and %" PRIu32
                       " columns",
                       reader->text, who, grid->rows, grid->cols);
  *node = row * grid->cols + col;
  return 0;
}

/* A node, or row:col, and the comma behind it. */
static int read_place(struct reader *reader, const char *who, uint32_t *node)
{
  int status = 0;
  if (!read_number(reader, node))
    return usage_error("--state %s: the %s is at no node", reader->text, who);
  if (*reader->at == ':') {
    reader->at++;
    status = read_column(reader, who, node);
  }
  skip_spaces(reader);
  if (status == 0 && *reader->at++ != ',')
    return usage_error("--state %s: not of the form M,C,T", reader->text);
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

bool state_needs_grid(const char *text)
{
  return strchr(text, ':') != NULL;
}

int state_parse(const char *text, struct grid_size grid, struct cm_state *state)
{
  struct reader reader = {text, text, grid};
  int status = read_place(&reader, "mouse", &state->mouse);
  if (status == 0)
    status = read_place(&reader, "cat", &state->cat);
  return status ? status : read_turn(&reader, &state->turn);
}
