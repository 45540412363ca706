#include "lsp/fences.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* What stands before a line's own text: marks of block quotes, bullets and numbers of list items, blanks. */
struct margin {
  uint32_t at; /* behind it */
  uint32_t quotes;
  uint32_t column; /* counted from the last quote */
  uint32_t item;   /* the column at which the text of a list item begins on this line, or 0 */
};

/* The length of a list item's mark, or 0. A blank has to follow it. */
static uint32_t item_mark(const char *bytes, uint32_t length)
{
  uint32_t at = 0;
  while (at < length && isdigit((unsigned char)bytes[at]))
    at++;
  if (at == length || !memchr(at > 0 ? ".)" : "-*+", bytes[at], at > 0 ? 2 : 3))
    return 0;
  at++;
  return at < length && (bytes[at] == ' ' || bytes[at] == '\t') ? at : 0;
}

/* At most `quotes` marks of quotes: what follows in a fenced block is its own. */
static struct margin read_margin(const struct lines *lines, uint32_t line, uint32_t quotes,
                                 bool items)
{
  uint32_t end = lines_end(lines, line), mark;
  struct margin margin = {.at = lines->begin[line]};
  bool in_item = false;
  for (; margin.at < end; margin.at++) {
    char byte = lines->bytes[margin.at];
    if (byte == '>' && margin.quotes < quotes) {
      margin = (struct margin){.at = margin.at, .quotes = margin.quotes + 1};
      margin.at += margin.at + 1 < end && lines->bytes[margin.at + 1] == ' ';
    } else if (byte == ' ' || byte == '\t') {
      margin.column += byte == ' ' ? 1 : 4 - margin.column % 4;
    } else if (items && (mark = item_mark(lines->bytes + margin.at, end - margin.at)) > 0) {
      margin.column += mark;
      margin.at += mark - 1;
      in_item = true;
    } else {
      break;
    }
  }
  margin.item = in_item ? margin.column : 0;
  return margin;
}

/* A fence: up to three blanks, three or more of ` or ~, then what the block is. */
struct fence {
  char mark;
  uint32_t marks;
  uint32_t info; /* where the rest of the line begins */
};

static bool read_fence(const struct lines *lines, uint32_t line, const struct margin *margin,
                       uint32_t item, struct fence *fence)
{
  uint32_t at = margin->at, end = lines_end(lines, line);
  *fence = (struct fence){.mark = at < end ? lines->bytes[at] : '\0'};
  while (at < end && lines->bytes[at] == fence->mark)
    at++, fence->marks++;
  while (at < end && (lines->bytes[at] == ' ' || lines->bytes[at] == '\t'))
    at++;
  fence->info = at;
  return margin->column <= item + 3 && fence->marks >= 3 &&
         (fence->mark == '`' || fence->mark == '~');
}

/* The list item that a line is in goes on until a line begins before its text. */
static bool opens(struct fences *fences, const struct lines *lines, struct fence *fence)
{
  struct margin margin = read_margin(lines, fences->line, UINT32_MAX, true);
  bool blank = margin.at == lines_end(lines, fences->line);
  if (margin.quotes != fences->quotes)
    fences->item = 0;
  if (margin.item > 0 || (margin.column < fences->item && !blank))
    fences->item = margin.item > 0 ? margin.item : margin.column;
  fences->quotes = margin.quotes;
  return read_fence(lines, fences->line, &margin, fences->item, fence);
}

enum fence_end {
  FENCE_GOES_ON,
  FENCE_CLOSED,
  FENCE_LEFT /* its quote or its list item has ended */
};

static enum fence_end fence_end(const struct fences *fences, const struct lines *lines,
                                const struct fence *open)
{
  struct margin margin = read_margin(lines, fences->line, fences->quotes, false);
  struct fence fence;
  uint32_t end = lines_end(lines, fences->line);
  if (margin.quotes < fences->quotes || (margin.column < fences->item && margin.at < end))
    return FENCE_LEFT;
  bool closed = read_fence(lines, fences->line, &margin, fences->item, &fence) &&
                fence.mark == open->mark && fence.marks >= open->marks && fence.info == end;
  return closed ? FENCE_CLOSED : FENCE_GOES_ON;
}

static bool is_catmouse(const struct lines *lines, uint32_t line, uint32_t info)
{
  static const char name[] = "catmouse";
  uint32_t end = info + sizeof name - 1, line_end = lines_end(lines, line);
  return end <= line_end && strncasecmp(lines->bytes + info, name, sizeof name - 1) == 0 &&
         (end == line_end || strchr(" \t{,", lines->bytes[end]));
}

/* Reads on behind the fence that closes the block. */
static void read_block(struct fences *fences, const struct lines *lines, const struct fence *open,
                       struct fenced *block)
{
  enum fence_end end = FENCE_GOES_ON;
  *block = (struct fenced){.first = ++fences->line, .quotes = fences->quotes, .item = fences->item};
  while (fences->line < lines->count && (end = fence_end(fences, lines, open)) == FENCE_GOES_ON)
    fences->line++;
  block->end = fences->line;
  fences->line += end == FENCE_CLOSED;
}

bool fences_next(struct fences *fences, const struct lines *lines, struct fenced *block)
{
  while (fences->line < lines->count) {
    uint32_t line = fences->line;
    struct fence fence;
    if (!opens(fences, lines, &fence)) {
      fences->line++;
      continue;
    }
    read_block(fences, lines, &fence, block);
    if (block->first < lines->count && is_catmouse(lines, line, fence.info))
      return true;
  }
  return false;
}

void fenced_blank(const struct lines *lines, const struct fenced *block, char *plain)
{
  for (uint32_t line = block->first; line < block->end; line++) {
    uint32_t behind = read_margin(lines, line, block->quotes, false).at;
    for (uint32_t at = lines->begin[line]; at < behind; at++)
      if (plain[at] == '>')
        plain[at] = ' ';
  }
}
