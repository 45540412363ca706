/*
 * A file in an editor: edited at places that the input names, it must come to what a fresh file of the same text
 * comes to, in any kind of file, with every place within the text, that of each repair too.
 */
#include <string.h>

#include "lsp/document.h"
#include "lsp/spots.h"
#include "lsp/trial.h"
#include "tests/fuzz/target.h"

enum { EDIT_BYTES = 5 };

static struct document *make(enum file_kind kind, const char *bytes, size_t length)
{
  struct document *document;
  MUST(document_new("file:///x", kind, bytes, length, &document) == 0);
  return document;
}

/* In any encoding, a place goes to a position and back, to itself or to the character's beginning. */
static void check_places(const struct document *document)
{
  const struct lines *lines = &document->lines;
  for (enum position_encoding encoding = POSITION_UTF16; encoding <= POSITION_UTF32; encoding++) {
    for (uint32_t at = 0; at <= document->length; at += 1 + document->length / 64) {
      struct position position = lines_position(lines, encoding, at);
      uint32_t back = lines_offset(lines, encoding, position);
      MUST(back <= at && at - back < 4);
      MUST(position.line < lines->count && lines_find(lines, back) == position.line);
    }
    MUST(lines_offset(lines, encoding, (struct position){UINT32_MAX, UINT32_MAX}) <=
         document->length);
  }
}

static void check_shown(const struct document *document)
{
  for (uint32_t i = 0; i < document->shown_count; i++) {
    const struct shown *shown = &document->shown[i];
    struct text_span span = shown_span(shown, shown->puzzle->span);
    MUST(span.at <= document->length && span.length <= document->length - span.at);
    for (uint32_t at = span.at; at <= span.at + span.length; at += 1 + span.length / 64) {
      struct spot spot = spot_at(document, shown, at);
      MUST(spot.span.at + spot.span.length <= document->length);
    }
  }
}

/* The first that there is is tried on the text. */
static void check_patches(const struct document *document, const struct shown *shown,
                          const struct text_faults *faults)
{
  bool tried = false;
  for (uint32_t i = 0; i < faults->count; i++) {
    struct patch patch;
    if (!patch_find(document, shown, &faults->fault[i], &patch))
      continue;
    MUST(patch.span.at >= shown->at && patch.span.at <= document->length);
    MUST(patch.span.length <= document->length - patch.span.at);
    MUST(patch.title[0] && (patch.text[0] || patch.span.length > 0));
    if (!tried)
      patches_help(document, shown, &patch, 1);
    tried = true;
  }
}

static void check_all_patches(const struct document *document)
{
  for (uint32_t i = 0; i < document->shown_count; i++)
    check_patches(document, &document->shown[i], &document->shown[i].puzzle->faults);
  for (uint32_t i = 0; i < document->sections.count; i++) {
    const struct section *section = &document->sections.section[i];
    check_patches(document, &(struct shown){.at = section->at}, &section->text->faults);
  }
}

static void check_equal(const struct document *edited, const struct document *fresh)
{
  MUST(edited->shown_count == fresh->shown_count);
  MUST(edited->lines.count == fresh->lines.count);
  for (uint32_t i = 0; i < edited->shown_count; i++) {
    const struct shown *a = &edited->shown[i], *b = &fresh->shown[i];
    MUST(a->at == b->at && a->hash == b->hash);
    MUST(a->puzzle->faults.count == b->puzzle->faults.count);
  }
}

static uint32_t place(const struct document *document, uint8_t line, uint8_t column)
{
  return lines_offset(&document->lines, POSITION_UTF16, (struct position){line % 16, column % 64});
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
  if (length < 2)
    return 0;
  enum file_kind kind = (enum file_kind)(bytes[0] % (FILE_OTHER + 1));
  size_t edits = bytes[1] % 8 * EDIT_BYTES;
  edits = edits + 2 < length ? edits : 0;
  struct document *document = make(kind, (const char *)bytes + 2 + edits, length - 2 - edits);
  for (const uint8_t *edit = bytes + 2; edit < bytes + 2 + edits; edit += EDIT_BYTES) {
    uint32_t begin = place(document, edit[0], edit[1]), end = place(document, edit[2], edit[3]);
    MUST(document_replace(document, begin, end, (const char *)&edit[4], 1) == 0);
    MUST(document_scan(document) == 0);
  }
  struct document *fresh = make(kind, document->bytes, document->length);
  MUST(document_scan(document) == 0 && document_scan(fresh) == 0);
  check_equal(document, fresh);
  check_places(document);
  check_shown(document);
  check_all_patches(document);
  document_free(document);
  document_free(fresh);
  return 0;
}
