#include "lsp/document.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

int document_new(const char *uri, enum file_kind kind, const char *bytes, size_t length,
                 struct document **document)
{
  struct document *made = calloc(1, sizeof *made);
  if (!made)
    return -ENOMEM;
  made->kind = kind;
  made->uri = strdup(uri);
  int rc = made->uri ? lines_init(&made->lines, "", 0) : -ENOMEM;
  if (rc == 0)
    rc = document_replace(made, 0, 0, bytes, length);
  if (rc)
    document_free(made);
  else
    *document = made;
  return rc;
}

static void forget_scan(struct document *document)
{
  sections_deinit(&document->sections);
  free(document->shown);
  document->shown = NULL;
  document->shown_count = 0;
  document->scanned = false;
}

void document_free(struct document *document)
{
  forget_scan(document);
  lines_deinit(&document->lines);
  free(document->bytes);
  free(document->uri);
  free(document);
}

int document_replace(struct document *document, uint32_t begin, uint32_t end, const char *bytes,
                     size_t length)
{
  if (end < begin)
    end = begin;
  size_t rest = document->length - end, whole = begin + length + rest;
  if (whole > DOCUMENT_BYTES_MAX)
    return -EFBIG;
  char *text = malloc(whole + 1);
  struct lines lines;
  if (!text)
    return -ENOMEM;
  if (begin > 0)
    memcpy(text, document->bytes, begin);
  memcpy(text + begin, bytes, length);
  if (rest > 0)
    memcpy(text + begin + length, document->bytes + end, rest);
  text[whole] = '\0';
  if (lines_init(&lines, text, (uint32_t)whole)) {
    free(text);
    return -ENOMEM;
  }
  forget_scan(document);
  lines_deinit(&document->lines);
  free(document->bytes);
  document->lines = lines;
  document->bytes = text;
  document->length = (uint32_t)whole;
  return 0;
}

void document_set_kind(struct document *document, enum file_kind kind)
{
  forget_scan(document);
  document->kind = kind;
}

static uint32_t count_puzzles(const struct sections *sections)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < sections->count; i++)
    count += sections->section[i].text->puzzles_count;
  return count;
}

static void show_section(struct document *document, const struct section *section)
{
  const char *bytes = document_plain(document) + section->at;
  for (uint32_t i = 0; i < section->text->puzzles_count; i++) {
    const struct text_puzzle *puzzle = &section->text->puzzles[i];
    if (!section_shows(document->kind, puzzle, bytes))
      continue;
    uint64_t hash = XXH3_64bits(bytes + puzzle->span.at, puzzle->span.length);
    document->shown[document->shown_count++] = (struct shown){puzzle, section->at, hash};
  }
}

int document_scan(struct document *document)
{
  if (document->scanned)
    return 0;
  int rc = sections_read(document->kind, &document->lines, &document->sections);
  if (rc)
    return rc;
  uint32_t count = count_puzzles(&document->sections);
  document->shown = calloc(count ? count : 1, sizeof *document->shown);
  if (!document->shown) {
    forget_scan(document);
    return -ENOMEM;
  }
  for (uint32_t i = 0; i < document->sections.count; i++)
    show_section(document, &document->sections.section[i]);
  document->scanned = true;
  return 0;
}

const struct shown *document_puzzle_at(const struct document *document, uint32_t offset)
{
  for (uint32_t i = 0; i < document->shown_count; i++) {
    struct text_span span = shown_span(&document->shown[i], document->shown[i].puzzle->span);
    if (offset >= span.at && offset <= span.at + span.length)
      return &document->shown[i];
  }
  return NULL;
}

const struct section *document_section(const struct document *document, const struct shown *shown)
{
  const struct section *section = document->sections.section;
  while (section->at != shown->at)
    section++;
  return section;
}
