#include "client/batch/summary.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "client/batch/append.h"

void summary_write(const struct summary *summary, struct buffer *out)
{
  append_format(out, "{\"catmouse_summary\":1,\"complete\":%s",
                summary->complete ? "true" : "false");
  if (summary->part.mod)
    append_format(out, ",\"part\":{\"res\":%u,\"mod\":%u}", summary->part.res, summary->part.mod);
  append(out, ",\"asked\":");
  append_json_text(out, summary->asked, strlen(summary->asked));
  append_format(out, ",\"read\":{\"bytes\":%" PRIu64 ",\"xxh3\":\"%016" PRIx64 "\"},",
                summary->bytes_read, summary->checksum);
  tally_write(&summary->tally, out);
  append(out, "}\n");
}

static int read_part(struct json_span object, struct part *part)
{
  struct json_span value, res, mod;
  uint64_t numbers[2];
  if (!json_find(object, "part", &value))
    return 0;
  if (!json_find(value, "res", &res) || !json_find(value, "mod", &mod) ||
      !json_number(res, &numbers[0]) || !json_number(mod, &numbers[1]) || numbers[1] > UINT32_MAX ||
      numbers[0] >= numbers[1])
    return -EINVAL;
  *part = (struct part){(uint32_t)numbers[0], (uint32_t)numbers[1]};
  return 0;
}

int summary_read(struct json_span text, struct summary *summary)
{
  struct json_span version, complete, asked, read, bytes, checksum;
  char digits[20], *end;
  size_t length;
  if (!json_find(text, "catmouse_summary", &version) || !json_find(text, "complete", &complete) ||
      !json_find(text, "asked", &asked) ||
      !json_text(asked, sizeof summary->asked, summary->asked, &length) ||
      !json_find(text, "read", &read) || !json_find(read, "bytes", &bytes) ||
      !json_number(bytes, &summary->bytes_read) || !json_find(read, "xxh3", &checksum) ||
      !json_text(checksum, sizeof digits, digits, &length))
    return -EINVAL;
  summary->checksum = strtoull(digits, &end, 16);
  summary->complete = complete.length == 4;
  if (*end || read_part(text, &summary->part))
    return -EINVAL;
  return tally_read(text, &summary->tally);
}

int part_read(const char *text, struct part *part)
{
  char rest;
  unsigned res, mod;
  if (sscanf(text, "%9u/%9u%c", &res, &mod, &rest) != 2 || res >= mod)
    return -EINVAL;
  *part = (struct part){res, mod};
  return 0;
}
