/* A summary of batch as JSON: what can be read is written the same way, read again and added up. */
#include <string.h>

#include "client/batch/summary.h"
#include "tests/fuzz/target.h"

static void write_and_read(const struct summary *summary, struct buffer *text)
{
  struct summary again = {0};
  struct buffer second;
  buffer_init(&second);
  buffer_clear(text);
  summary_write(summary, text);
  MUST(tally_init(&again.tally, 0) == 0);
  MUST(summary_read((struct json_span){text->data, text->length}, &again) == 0);
  summary_write(&again, &second);
  MUST(text->length == second.length && memcmp(text->data, second.data, text->length) == 0);
  buffer_deinit(&second);
  tally_deinit(&again.tally);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
  struct summary summary = {0};
  struct tally sum;
  struct buffer text;
  buffer_init(&text);
  MUST(tally_init(&summary.tally, 0) == 0 && tally_init(&sum, 2) == 0);
  if (summary_read((struct json_span){(const char *)bytes, length}, &summary) == 0) {
    write_and_read(&summary, &text);
    MUST(tally_add(&sum, &summary.tally) == 0 && sum.answers == summary.tally.answers);
    buffer_clear(&text);
    tally_print(&sum, &text);
    MUST(text.length > 0);
  }
  tally_deinit(&sum);
  tally_deinit(&summary.tally);
  buffer_deinit(&text);
  return 0;
}
