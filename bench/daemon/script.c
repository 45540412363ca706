/* Two growing runs of bytes and their cuts. */
#include "bench/daemon/script.h"

#include <stdlib.h>
#include <string.h>

#include "bench/measure.h"

void script_init(struct script *script)
{
  *script = (struct script){0};
}

void script_deinit(struct script *script)
{
  free(script->requests);
  free(script->answers);
}

static void append(char **bytes, size_t length, const void *more, size_t more_length)
{
  *bytes = realloc(*bytes, length + more_length);
  if (!*bytes)
    die("out of memory for a script");
  memcpy(*bytes + length, more, more_length);
}

void script_add(struct script *script, const void *request, size_t request_bytes,
                const void *answer, size_t answer_bytes)
{
  unsigned at = script->count++;
  append(&script->requests, script->request_end[at], request, request_bytes);
  append(&script->answers, script->answer_end[at], answer, answer_bytes);
  script->request_end[at + 1] = script->request_end[at] + request_bytes;
  script->answer_end[at + 1] = script->answer_end[at] + answer_bytes;
}

double script_answer_bytes(const struct script *script)
{
  return (double)script->answer_end[script->count] / script->count;
}
