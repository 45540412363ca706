/* Faults as they are found: sentences and advice, at most so many, at last in the order of their places. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/reader.h"

static const char *const code_names[TEXT_CODES_COUNT] = {
#define X(constant, code) code,
    TEXT_CODES(X)
#undef X
};

const char *text_code_name(enum text_code code)
{
  return code_names[code];
}

bool text_code_is_syntax(enum text_code code)
{
  return code < TEXT_NO_GAME;
}

/* Room doubles from 4 on. NULL where the hundred are full, or memory is short. */
static struct text_fault *add(struct reader *reader, struct text_faults *faults)
{
  const uint32_t count = faults->count;
  if (count == TEXT_FAULTS_MAX) {
    faults->more = true;
    return NULL;
  }
  if (count == 0 || (count >= 4 && (count & (count - 1)) == 0)) {
    struct text_fault *grown =
        realloc(faults->fault, (count ? 2 * count : 4) * sizeof *faults->fault);
    if (!grown) {
      reader->failed = true;
      return NULL;
    }
    faults->fault = grown;
  }
  return &faults->fault[faults->count++];
}

/* What there is no room for goes into `spare`. */
static struct text_fault *fault_new(struct reader *reader, struct text_faults *faults,
                                    enum text_code code, struct text_span span, const char *format,
                                    va_list arguments)
{
  struct text_fault *fault = add(reader, faults);
  if (!fault)
    fault = &reader->spare;
  *fault = (struct text_fault){.code = code, .span = span};
  vsnprintf(fault->sentence, sizeof fault->sentence, format, arguments);
  return fault;
}

struct text_fault *reader_fault(struct reader *reader, enum text_code code, struct text_span span,
                                const char *format, ...)
{
  struct text_faults *faults = reader->puzzle ? &reader->puzzle->faults : &reader->text->faults;
  va_list arguments;
  va_start(arguments, format);
  struct text_fault *fault = fault_new(reader, faults, code, span, format, arguments);
  va_end(arguments);
  return fault;
}

struct text_fault *reader_stray(struct reader *reader, enum text_code code, struct text_span span,
                                const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  struct text_fault *fault =
      fault_new(reader, &reader->text->faults, code, span, format, arguments);
  va_end(arguments);
  return fault;
}

void fault_advise(struct text_fault *fault, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(fault->advice, sizeof fault->advice, format, arguments);
  va_end(arguments);
}

void fault_set_other(struct text_fault *fault, struct text_span other)
{
  fault->has_other = true;
  fault->other = other;
}

static int compare(const void *left, const void *right)
{
  const struct text_fault *a = left, *b = right;
  if (a->span.at != b->span.at)
    return a->span.at < b->span.at ? -1 : 1;
  return a->code < b->code ? -1 : a->code > b->code;
}

void faults_sort(struct text_faults *faults)
{
  if (faults->count > 1)
    qsort(faults->fault, faults->count, sizeof *faults->fault, compare);
}

const struct text_fault *text_first_fault(const struct text *text)
{
  const struct text_fault *first = text->faults.count > 0 ? text->faults.fault : NULL;
  for (uint32_t i = 0; i < text->puzzles_count; i++) {
    const struct text_faults *faults = &text->puzzles[i].faults;
    if (faults->count > 0 && (!first || faults->fault->span.at < first->span.at))
      first = faults->fault;
  }
  return first;
}
