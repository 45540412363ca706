#include "lsp/sections.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool ends_with(const char *text, const char *end)
{
  size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && strcasecmp(text + length - end_length, end) == 0;
}

enum file_kind file_kind_of(const char *uri, const char *language)
{
  if (strcmp(language, "catmouse") == 0 || ends_with(uri, ".catmouse") ||
      ends_with(uri, ".catmouse.json"))
    return FILE_PUZZLES;
  if (strncmp(language, "json", 4) == 0 || ends_with(uri, ".json"))
    return FILE_JSON;
  if (strcmp(language, "markdown") == 0 || ends_with(uri, ".md") || ends_with(uri, ".markdown"))
    return FILE_MARKDOWN;
  return FILE_OTHER;
}

static int add_section(struct sections *sections, const char *bytes, uint32_t at, uint32_t length)
{
  struct section *grown =
      realloc(sections->section, (sections->count + 1) * sizeof *sections->section);
  if (!grown)
    return -ENOMEM;
  sections->section = grown;
  struct section *section = &grown[sections->count];
  *section = (struct section){.at = at, .length = length};
  int rc = text_read(bytes + at, length, &section->text);
  sections->count += rc == 0;
  return rc;
}

/* A fence of CommonMark: up to three blanks, three or more of ` or ~, then what the block is. */
struct fence {
  char mark;
  uint32_t marks;
  uint32_t info; /* where the rest of the line begins */
};

static bool read_fence(const struct lines *lines, uint32_t line, struct fence *fence)
{
  uint32_t at = lines->begin[line], end = lines_end(lines, line), begin = at;
  while (at < end && at - begin < 3 && lines->bytes[at] == ' ')
    at++;
  *fence = (struct fence){.mark = at < end ? lines->bytes[at] : '\0'};
  while (at < end && lines->bytes[at] == fence->mark)
    at++, fence->marks++;
  while (at < end && (lines->bytes[at] == ' ' || lines->bytes[at] == '\t'))
    at++;
  fence->info = at;
  return fence->marks >= 3 && (fence->mark == '`' || fence->mark == '~');
}

static bool closes(const struct lines *lines, uint32_t line, const struct fence *open)
{
  struct fence fence;
  return read_fence(lines, line, &fence) && fence.mark == open->mark &&
         fence.marks >= open->marks && fence.info == lines_end(lines, line);
}

static bool is_catmouse(const struct lines *lines, uint32_t line, uint32_t info)
{
  static const char name[] = "catmouse";
  uint32_t end = info + sizeof name - 1, line_end = lines_end(lines, line);
  return end <= line_end && strncasecmp(lines->bytes + info, name, sizeof name - 1) == 0 &&
         (end == line_end || strchr(" \t{,", lines->bytes[end]));
}

static int read_markdown(const struct lines *lines, struct sections *sections)
{
  int rc = 0;
  for (uint32_t line = 0; rc == 0 && line < lines->count; line++) {
    struct fence fence;
    if (!read_fence(lines, line, &fence))
      continue;
    bool wanted = is_catmouse(lines, line, fence.info);
    uint32_t first = line + 1;
    do
      line++;
    while (line < lines->count && !closes(lines, line, &fence));
    if (!wanted || first >= lines->count)
      continue;
    uint32_t end = line < lines->count ? lines->begin[line] : lines->length;
    rc = add_section(sections, lines->bytes, lines->begin[first], end - lines->begin[first]);
  }
  return rc;
}

int sections_read(enum file_kind kind, const struct lines *lines, struct sections *sections)
{
  int rc = 0;
  struct sections made = {0};
  if (kind == FILE_MARKDOWN)
    rc = read_markdown(lines, &made);
  else if (kind != FILE_OTHER)
    rc = add_section(&made, lines->bytes, 0, lines->length);
  if (rc)
    sections_deinit(&made);
  else
    *sections = made;
  return rc;
}

void sections_deinit(struct sections *sections)
{
  for (uint32_t i = 0; i < sections->count; i++)
    text_free(sections->section[i].text);
  free(sections->section);
  *sections = (struct sections){0};
}

/* A list of lists, or of texts where it is a grid, is what nothing but a puzzle has under these keys. */
static bool looks_like_game(const struct text_puzzle *puzzle, enum text_key key, const char *bytes)
{
  const struct text_entry *entry = &puzzle->entry[key];
  uint32_t at = entry->value.at, end = at + entry->value.length;
  if (!entry->given || entry->value.length == 0 || bytes[at] != '[')
    return false;
  for (at++; at < end && strchr(" \t\r\n", bytes[at]); at++)
    ;
  return at < end && (bytes[at] == ']' || bytes[at] == (key == TEXT_KEY_GRAPH ? '[' : '"'));
}

/* Is there a number, or nothing, in the first list? A list of lists of texts is somebody else's. */
static bool lists_nodes(const struct text_puzzle *puzzle, const char *bytes)
{
  if (puzzle->game != GAME_GRAPH || puzzle->items_count == 0)
    return true;
  uint32_t at = puzzle->item[0].at + 1, end = at + puzzle->item[0].length - 1;
  while (at < end && strchr(" \t\r\n", bytes[at]))
    at++;
  return at >= end || !strchr("\"{[tfn", bytes[at]);
}

bool section_shows(enum file_kind kind, const struct text_puzzle *puzzle, const char *bytes)
{
  if (kind != FILE_JSON)
    return true;
  return puzzle->form == TEXT_OBJECT &&
         (looks_like_game(puzzle, TEXT_KEY_GRAPH, bytes) ||
          looks_like_game(puzzle, TEXT_KEY_GRID, bytes)) &&
         lists_nodes(puzzle, bytes);
}
