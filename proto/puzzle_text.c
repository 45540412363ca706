#include "proto/puzzle_text.h"

#include "proto/json_read.h"
#include "proto/puzzle_read.h"

int puzzle_from_json(const char *text, size_t length, const struct message_limits *limits,
                     struct puzzle *puzzle, void **memory, struct fault *fault)
{
  struct buffer packed;
  buffer_init(&packed);
  int error = json_read(text, length, limits, &packed, fault);
  struct reader reader = reader_on(packed.data, packed.length);
  struct value value;
  if (error && fault->error == ERROR_REQUEST) /* good JSON, but no value this program can hold */
    fault->error = ERROR_BAD_PUZZLE;
  reader_next(&reader, &value);
  if (error == 0)
    error = puzzle_read(&value, &reader, limits, puzzle, memory, fault);
  buffer_deinit(&packed);
  return error;
}
