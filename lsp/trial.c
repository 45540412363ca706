#include "lsp/trial.h"

#include <stdlib.h>
#include <string.h>

struct tally {
  uint32_t by_code[TEXT_CODES_COUNT];
  uint32_t syntax;
};

static void add_to_tally(const struct text_faults *faults, struct tally *tally)
{
  for (uint32_t i = 0; i < faults->count; i++) {
    tally->by_code[faults->fault[i].code]++;
    tally->syntax += text_code_is_syntax(faults->fault[i].code);
  }
}

static struct tally tally_of(const struct text *text)
{
  struct tally tally = {0};
  add_to_tally(&text->faults, &tally);
  for (uint32_t i = 0; i < text->puzzles_count; i++)
    add_to_tally(&text->puzzles[i].faults, &tally);
  return tally;
}

/* The section's text after the edits; the caller frees it. NULL without memory. */
static char *patched(const struct document *document, const struct section *section,
                     const struct patch *patch, uint32_t count, size_t *length)
{
  char *bytes = malloc(section->length + count * (size_t)PATCH_MAX), *at = bytes;
  const char *plain = document_plain(document);
  uint32_t from = section->at, end = section->at + section->length;
  for (uint32_t i = 0; bytes && i < count; i++) {
    size_t kept = patch[i].span.at - from, added = strlen(patch[i].text);
    memcpy(at, plain + from, kept);
    memcpy(at + kept, patch[i].text, added);
    at += kept + added;
    from = patch[i].span.at + patch[i].span.length;
  }
  if (bytes) {
    memcpy(at, plain + from, end - from);
    *length = (size_t)(at - bytes) + (end - from);
  }
  return bytes;
}

bool patches_help(const struct document *document, const struct shown *shown,
                  const struct patch *patch, uint32_t count)
{
  const struct section *section = document_section(document, shown);
  struct text *text;
  size_t length;
  char *bytes = patched(document, section, patch, count, &length);
  if (!bytes)
    return false;
  int rc = text_read(bytes, length, &text);
  free(bytes);
  if (rc)
    return false;
  const struct tally before = tally_of(section->text), after = tally_of(text);
  bool help = after.syntax <= before.syntax;
  for (uint32_t i = 0; i < count; i++)
    help = help && after.by_code[patch[i].code] < before.by_code[patch[i].code];
  text_free(text);
  return help;
}
