/* A tally for people, and as members of a JSON object that can be read again. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "client/batch/append.h"
#include "client/batch/tally.h"
#include "client/words.h"

static const char *const outcome_names[OUTCOMES] = {"mouse", "cat", "draw"};

/* As it came, each of its lines further in. */
static void print_puzzle(const struct win *win, struct buffer *out)
{
  enum { SHOWN_BYTES = 400 };
  append(out, "    ");
  for (size_t i = 0; i < win->length && i < SHOWN_BYTES; i++) {
    buffer_append(out, &win->text[i], 1);
    if (win->text[i] == '\n')
      append(out, "    ");
  }
  append(out, win->length > SHOWN_BYTES ? "...\n" : "\n");
}

static void print_longest(const struct tally *tally, enum cm_player winner, struct buffer *out)
{
  const struct win *win = &tally->longest[winner];
  if (win->plies == 0)
    return;
  append_format(out, "longest win of the %s: %u plies, record %" PRIu64, player_name(winner),
                win->plies, win->record);
  if (win->roles.hole != 0 || win->roles.mouse != 1 || win->roles.cat != 2)
    append_format(out, ", hole %u, mouse %u, cat %u", win->roles.hole, win->roles.mouse,
                  win->roles.cat);
  append(out, "\n");
  print_puzzle(win, out);
}

void tally_print(const struct tally *tally, struct buffer *out)
{
  append_format(out, "%12" PRIu64 " records\n%12" PRIu64 " answers\n", tally->records,
                tally->answers);
  for (int outcome = 0; outcome < OUTCOMES; outcome++)
    append_format(out, "%12" PRIu64 " %s\n", tally->outcomes[outcome], outcome_names[outcome]);
  append_format(out, "%12" PRIu64 " bad\n", tally->bad);
  for (uint32_t i = 0; i < tally->reasons_count; i++)
    append_format(out, "%16" PRIu64 " %s\n", tally->reasons[i].count, tally->reasons[i].text);
  if (tally->other_reasons)
    append_format(out, "%16" PRIu64 " for other reasons\n", tally->other_reasons);
  print_longest(tally, CM_MOUSE, out);
  print_longest(tally, CM_CAT, out);
}

static void write_win(const struct win *win, struct buffer *out)
{
  append_format(
      out, "{\"plies\":%u,\"record\":%" PRIu64 ",\"hole\":%u,\"mouse\":%u,\"cat\":%u,\"puzzle\":",
      win->plies, win->record, win->roles.hole, win->roles.mouse, win->roles.cat);
  append_json_text(out, win->text, win->length);
  append(out, "}");
}

static void write_reasons(const struct tally *tally, struct buffer *out)
{
  append(out, ",\"reasons\":[");
  for (uint32_t i = 0; i < tally->reasons_count; i++) {
    append_format(out, "%s{\"count\":%" PRIu64 ",\"reason\":", i ? "," : "",
                  tally->reasons[i].count);
    append_json_text(out, tally->reasons[i].text, strlen(tally->reasons[i].text));
    append(out, "}");
  }
  append_format(out, "],\"other_reasons\":%" PRIu64, tally->other_reasons);
}

void tally_write(const struct tally *tally, struct buffer *out)
{
  append_format(out, "\"records\":%" PRIu64 ",\"answers\":%" PRIu64, tally->records,
                tally->answers);
  for (int outcome = 0; outcome < OUTCOMES; outcome++)
    append_format(out, ",\"%s\":%" PRIu64, outcome_names[outcome], tally->outcomes[outcome]);
  append_format(out, ",\"bad\":%" PRIu64, tally->bad);
  write_reasons(tally, out);
  append(out, ",\"longest\":[");
  bool first = true;
  for (int winner = 0; winner < 2; winner++) {
    if (tally->longest[winner].plies == 0)
      continue;
    append_format(out, "%s{\"winner\":\"%s\",\"win\":", first ? "" : ",", outcome_names[winner]);
    write_win(&tally->longest[winner], out);
    append(out, "}");
    first = false;
  }
  append(out, "],\"list\":[");
  for (uint32_t i = 0; i < tally->list.count; i++) {
    append(out, i ? "," : "");
    write_win(&tally->list.wins[i], out);
  }
  append(out, "]");
}

void tally_print_list(const struct tally *tally, struct buffer *out)
{
  for (uint32_t i = 0; i < tally->list.count; i++) {
    buffer_append(out, tally->list.wins[i].text, tally->list.wins[i].length);
    append(out, "\n");
  }
}

static int read_number(struct json_span object, const char *name, uint64_t *number)
{
  struct json_span value;
  return json_find(object, name, &value) && json_number(value, number) ? 0 : -EINVAL;
}

static int read_node(struct json_span object, const char *name, uint32_t *node)
{
  uint64_t number;
  if (read_number(object, name, &number) || number > UINT32_MAX)
    return -EINVAL;
  *node = (uint32_t)number;
  return 0;
}

static int read_win(struct json_span object, struct win *win)
{
  struct json_span puzzle;
  struct win found = {0};
  if (read_node(object, "plies", &found.plies) || read_number(object, "record", &found.record) ||
      read_node(object, "hole", &found.roles.hole) ||
      read_node(object, "mouse", &found.roles.mouse) ||
      read_node(object, "cat", &found.roles.cat) || !json_find(object, "puzzle", &puzzle))
    return -EINVAL;
  found.text = malloc(puzzle.length + 1);
  if (!found.text)
    return -ENOMEM;
  if (!json_text(puzzle, puzzle.length + 1, found.text, &found.length)) {
    free(found.text);
    return -EINVAL;
  }
  free(win->text);
  *win = found;
  return 0;
}

static int read_longest(struct json_span list, struct tally *tally)
{
  struct json_walk walk = json_walk_begin(list);
  struct json_span entry, winner, win;
  char name[8];
  size_t length;
  int error = 0;
  while (error == 0 && json_next_item(&walk, &entry)) {
    if (!json_find(entry, "winner", &winner) || !json_text(winner, sizeof name, name, &length) ||
        !json_find(entry, "win", &win))
      return -EINVAL;
    error = read_win(win, &tally->longest[strcmp(name, "cat") == 0]);
  }
  return walk.broken ? -EINVAL : error;
}

static int read_list(struct json_span list, struct win_list *wins)
{
  struct json_walk walk = json_walk_begin(list);
  struct json_span entry;
  int error = 0;
  while (error == 0 && json_next_item(&walk, &entry)) {
    if (wins->count == wins->most) {
      uint32_t most = wins->most ? 2 * wins->most : 16;
      struct win *more = realloc(wins->wins, most * sizeof *more);
      if (!more)
        return -ENOMEM;
      memset(more + wins->most, 0, (most - wins->most) * sizeof *more);
      wins->wins = more;
      wins->most = most;
    }
    error = read_win(entry, &wins->wins[wins->count]);
    wins->count += error == 0;
  }
  return walk.broken ? -EINVAL : error;
}

static int read_reasons(struct json_span list, struct tally *tally)
{
  struct json_walk walk = json_walk_begin(list);
  struct json_span entry, text;
  size_t length;
  while (json_next_item(&walk, &entry)) {
    if (tally->reasons_count == REASONS_MAX)
      return -EINVAL;
    struct reason *reason = &tally->reasons[tally->reasons_count++];
    if (read_number(entry, "count", &reason->count) || !json_find(entry, "reason", &text) ||
        !json_text(text, sizeof reason->text, reason->text, &length))
      return -EINVAL;
  }
  return walk.broken ? -EINVAL : 0;
}

int tally_read(struct json_span object, struct tally *tally)
{
  struct json_span longest, list, reasons;
  if (read_number(object, "records", &tally->records) ||
      read_number(object, "answers", &tally->answers) || read_number(object, "bad", &tally->bad) ||
      read_number(object, "other_reasons", &tally->other_reasons) ||
      !json_find(object, "longest", &longest) || !json_find(object, "list", &list) ||
      !json_find(object, "reasons", &reasons))
    return -EINVAL;
  for (int outcome = 0; outcome < OUTCOMES; outcome++) {
    if (read_number(object, outcome_names[outcome], &tally->outcomes[outcome]))
      return -EINVAL;
  }
  int error = read_longest(longest, tally);
  if (error == 0)
    error = read_list(list, &tally->list);
  return error ? error : read_reasons(reasons, tally);
}
