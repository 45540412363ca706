/*
 * The page is page.html, in which one mark stands for the puzzle: its lists or rows, its nodes' places, and its
 * table in DEFLATE (RFC 1950) and base64 (RFC 4648). Nothing in these can end a script, so nothing is escaped.
 */
#include "client/draw/draw.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "proto/certificate.h"

extern const char page_html[];
extern const unsigned long page_html_bytes;

static const char MARK[] = "@DATA@";

static void print_base64(FILE *out, const uint8_t *bytes, size_t length)
{
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t at = 0; at < length; at += 3) {
    uint32_t three = (uint32_t)bytes[at] << 16;
    if (at + 1 < length)
      three |= (uint32_t)bytes[at + 1] << 8;
    if (at + 2 < length)
      three |= bytes[at + 2];
    fputc(digits[three >> 18], out);
    fputc(digits[three >> 12 & 63], out);
    fputc(at + 1 < length ? digits[three >> 6 & 63] : '=', out);
    fputc(at + 2 < length ? digits[three & 63] : '=', out);
  }
}

static int print_table(FILE *out, const struct table *table)
{
  uLong bytes = (uLong)table_bytes(table->nodes, table->width);
  uLongf packed_bytes = compressBound(bytes);
  uint8_t *packed = malloc(packed_bytes);
  if (!packed ||
      compress2(packed, &packed_bytes, table->cells, bytes, Z_BEST_COMPRESSION) != Z_OK) {
    free(packed);
    return -ENOMEM;
  }
  print_base64(out, packed, packed_bytes);
  free(packed);
  return 0;
}

static void print_points(FILE *out, const struct picture *picture, const struct layout *layout)
{
  fputs("[", out);
  for (uint32_t node = 0; picture->arena->game == GAME_GRAPH && node < picture->arena->nodes;
       node++)
    fprintf(out, "%s[%.1f,%.1f]", node ? "," : "", layout->nodes[node].x, layout->nodes[node].y);
  fputs("]", out);
}

static int print_data(FILE *out, const struct picture *picture, const struct layout *layout)
{
  const struct state *state = &picture->state;
  struct buffer puzzle;
  buffer_init(&puzzle);
  puzzle_to_json(&puzzle, picture->arena);
  if (puzzle.failed) {
    buffer_deinit(&puzzle);
    return -ENOMEM;
  }
  fprintf(out, "{\"puzzle\":%.*s,\"nodes\":%u,\"limit\":%u,\"width\":%u,\n", (int)puzzle.length,
          puzzle.data, picture->arena->nodes, picture->limit_plies, picture->table->width);
  fprintf(out, "\"start\":{\"mouse\":%u,\"cat\":%u,\"turn\":%d},\"points\":", state->mouse,
          state->cat, (int)state->turn);
  buffer_deinit(&puzzle);
  print_points(out, picture, layout);
  fputs(",\n\"table\":\"", out);
  int status = print_table(out, picture->table);
  fputs("\"}", out);
  return status;
}

int draw_html(FILE *out, const struct picture *picture, const struct layout *layout)
{
  const char *mark = memmem(page_html, page_html_bytes, MARK, strlen(MARK));
  const char *rest = mark + strlen(MARK);
  fwrite(page_html, 1, (size_t)(mark - page_html), out);
  int status = print_data(out, picture, layout);
  fwrite(rest, 1, page_html_bytes - (size_t)(rest - page_html), out);
  return status;
}
