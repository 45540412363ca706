#include "lsp/sections.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lsp/fences.h"

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

static int add_fenced(const struct lines *lines, const struct fenced *block,
                      struct sections *sections)
{
  uint32_t at = lines->begin[block->first];
  uint32_t behind = block->end < lines->count ? lines->begin[block->end] : lines->length;
  if (block->quotes > 0 && !sections->plain) {
    sections->plain = malloc(lines->length + 1);
    if (!sections->plain)
      return -ENOMEM;
    memcpy(sections->plain, lines->bytes, lines->length);
  }
  if (block->quotes > 0)
    fenced_blank(lines, block, sections->plain);
  const char *bytes = sections->plain ? sections->plain : lines->bytes;
  int rc = add_section(sections, bytes, at, behind - at);
  if (rc == 0)
    sections->section[sections->count - 1].has_margin = block->quotes > 0 || block->item > 0;
  return rc;
}

static int read_markdown(const struct lines *lines, struct sections *sections)
{
  struct fences fences = {0};
  struct fenced block;
  int rc = 0;
  while (rc == 0 && fences_next(&fences, lines, &block))
    rc = add_fenced(lines, &block, sections);
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
  free(sections->plain);
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
