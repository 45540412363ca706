/*
 * Puzzles as JSON, changed at random. The reader finds no fault exactly where the daemon's own reader and the
 * solver take the puzzle, and then it is the same one. Text that is broken is read too, whatever it is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "proto/puzzle_read.h"
#include "solver/arena.h"
#include "solver/id.h"
#include "tests/solver/random_puzzle.h"
#include "text/text.h"

enum { TEXT_MAX = 1 << 12, NODES_MAX = 8, LIST_MAX = 16, MUTATIONS = 100000 };

struct writer {
  char text[TEXT_MAX];
  size_t length;
  struct chance *chance;
};

static void put(struct writer *writer, const char *text)
{
  static const char *const spaces[] = {"", "", "", "", " ", "\n", "\t", "\r\n"};
  for (int i = 0; i < 2; i++) {
    const char *part = i == 0 ? spaces[chance_below(writer->chance, 8)] : text;
    size_t length = strlen(part);
    assert_true(writer->length + length < TEXT_MAX);
    memcpy(writer->text + writer->length, part, length);
    writer->length += length;
  }
}

static void put_number(struct writer *writer, int number)
{
  char digits[16];
  snprintf(digits, sizeof digits, "%d", number);
  put(writer, digits);
}

/* A mirrored graph, then a few changes that may or may not leave it so. */
struct lists {
  uint32_t nodes;
  uint32_t count[NODES_MAX];
  int32_t to[NODES_MAX][LIST_MAX];
};

static void append(struct lists *lists, uint32_t node, int32_t to)
{
  if (lists->count[node] < LIST_MAX)
    lists->to[node][lists->count[node]++] = to;
}

static void change_lists(struct chance *chance, struct lists *lists)
{
  uint32_t node = chance_below(chance, lists->nodes);
  uint32_t at = lists->count[node] ? chance_below(chance, lists->count[node]) : 0;
  int32_t any = (int32_t)chance_below(chance, lists->nodes + 2) - 1;
  switch (chance_below(chance, 5)) {
  case 0: append(lists, node, any); break;
  case 1: lists->count[node] -= lists->count[node] > 0; break;
  case 2: lists->to[node][at] = any; break;
  case 3: /* an edge at both ends */
    if (any >= 0 && (uint32_t)any < lists->nodes) {
      append(lists, node, any);
      append(lists, (uint32_t)any, (int32_t)node);
    }
    break;
  default: lists->nodes -= chance_below(chance, 8) == 0 && lists->nodes > 1; break;
  }
}

static void write_graph(struct writer *writer)
{
  struct chance *chance = writer->chance;
  struct lists lists = {.nodes = 2 + chance_below(chance, NODES_MAX - 2)};
  for (uint32_t a = 0; a < lists.nodes; a++) {
    for (uint32_t b = 0; b < a; b++) {
      if (chance_below(chance, 3) == 0) {
        append(&lists, a, (int32_t)b);
        append(&lists, b, (int32_t)a);
      }
    }
  }
  for (uint32_t changes = chance_below(chance, 3); changes > 0; changes--)
    change_lists(chance, &lists);
  put(writer, "[");
  for (uint32_t node = 0; node < lists.nodes; node++) {
    put(writer, node ? "," : "");
    put(writer, "[");
    for (uint32_t i = 0; i < lists.count[node]; i++) {
      put(writer, i ? "," : "");
      put_number(writer, lists.to[node][i]);
    }
    put(writer, "]");
  }
  put(writer, "]");
}

static void write_grid(struct writer *writer)
{
  static const char cells[] = "..........####MCFx";
  struct chance *chance = writer->chance;
  uint32_t rows = chance_below(chance, 4), cols = chance_below(chance, 5) + 1;
  char cell[4][6] = {{0}};
  for (uint32_t row = 0; row < 4; row++) {
    for (uint32_t col = 0; col < cols; col++)
      cell[row][col] = cells[chance_below(chance, 14 + (chance_below(chance, 8) == 0) * 4)];
  }
  for (int mark = 0; mark < 3 && rows > 0; mark++)
    cell[chance_below(chance, rows)][chance_below(chance, cols)] = "MCF"[mark];
  if (chance_below(chance, 8) == 0)
    cell[chance_below(chance, 4)][chance_below(chance, cols)] = '\0';
  put(writer, "[");
  for (uint32_t row = 0; row < rows; row++) {
    put(writer, row ? ",\"" : "\"");
    writer->length += (size_t)sprintf(writer->text + writer->length, "%s\"", cell[row]);
  }
  put(writer, "]");
}

static void write_entry(struct writer *writer, int entry, bool is_first)
{
  static const char *const jumps[] = {"1", "2", "3", "0", "-1", "1.5", "\"1\"", "2147483648"};
  static const char *const keys[] = {"\"grid\"", "\"catJump\"", "\"mouseJump\"", "\"graph\"",
                                     "\"more\""};
  put(writer, is_first ? "" : ",");
  put(writer, keys[entry]);
  put(writer, ":");
  if (entry == 0)
    write_grid(writer);
  else if (entry == 3)
    write_graph(writer);
  else
    put(writer, jumps[chance_below(writer->chance, chance_below(writer->chance, 4) ? 3 : 8)]);
}

/* Well-formed JSON, and often a puzzle. */
static void write_puzzle(struct writer *writer)
{
  struct chance *chance = writer->chance;
  bool is_grid = chance_below(chance, 2);
  if (!is_grid && chance_below(chance, 2)) {
    write_graph(writer);
    return;
  }
  int entries[] = {is_grid ? 0 : 3, 1, 2, 4, 0, 3};
  uint32_t count = is_grid ? 3 : 1;
  if (chance_below(chance, 10) == 0)
    count += chance_below(chance, 3);
  if (chance_below(chance, 20) == 0)
    count--;
  uint32_t turn = chance_below(chance, 3);
  put(writer, "{");
  for (uint32_t i = 0; i < count; i++)
    write_entry(writer, entries[is_grid && i < 3 && count >= 3 ? (i + turn) % 3 : i], i == 0);
  put(writer, "}");
}

/* The puzzle as the daemon takes it: its id, or false. */
static bool daemon_takes(const struct writer *writer, struct id *id)
{
  struct puzzle puzzle;
  struct fault fault;
  struct complaint complaint;
  struct arena *arena;
  void *memory;
  if (puzzle_from_json(writer->text, writer->length, &message_limits_default, &puzzle, &memory,
                       &fault))
    return false;
  bool takes = arena_new(&puzzle, &arena, &complaint) == 0;
  if (takes) {
    arena_id(arena, id);
    arena_free(arena);
  }
  free(memory);
  return takes;
}

static bool within(struct text_span span, size_t length)
{
  return span.at <= length && span.length <= length - span.at;
}

static void check_faults(const struct text_faults *faults, size_t length)
{
  assert_true(faults->count <= TEXT_FAULTS_MAX);
  for (uint32_t i = 0; i < faults->count; i++) {
    const struct text_fault *fault = &faults->fault[i];
    assert_true(within(fault->span, length));
    assert_true(!fault->has_other || within(fault->other, length));
    assert_true(i == 0 || faults->fault[i - 1].span.at <= fault->span.at);
    assert_true(fault->sentence[0] != '\0');
  }
}

/* One puzzle and no fault: its id. */
static bool reader_takes(const struct writer *writer, struct id *id)
{
  struct complaint complaint;
  struct arena *arena;
  struct text *text;
  assert_int_equal(text_read(writer->text, writer->length, &text), 0);
  check_faults(&text->faults, writer->length);
  for (uint32_t i = 0; i < text->puzzles_count; i++) {
    const struct text_puzzle *puzzle = &text->puzzles[i];
    check_faults(&puzzle->faults, writer->length);
    assert_true(within(puzzle->span, writer->length));
    if (puzzle->faults.count > 0)
      continue;
    assert_int_equal(arena_new(&puzzle->puzzle, &arena, &complaint), 0);
    arena_id(arena, id);
    arena_free(arena);
  }
  bool takes = !text_first_fault(text);
  assert_true(!takes || text->puzzles_count > 0);
  takes = takes && text->puzzles_count == 1;
  text_free(text);
  return takes;
}

static void compare(const struct writer *writer, bool both_ways, uint32_t *taken)
{
  struct id daemon, reader;
  bool daemon_did = daemon_takes(writer, &daemon), reader_did = reader_takes(writer, &reader);
  if (daemon_did && !reader_did)
    fail_msg("the daemon takes, the reader not: %.*s", (int)writer->length, writer->text);
  if (both_ways && reader_did && !daemon_did)
    fail_msg("the reader takes, the daemon not: %.*s", (int)writer->length, writer->text);
  if (daemon_did)
    assert_memory_equal(&daemon, &reader, sizeof daemon);
  *taken += daemon_did;
}

static void test_puzzles(void **state)
{
  struct chance chance = {20};
  uint32_t taken = 0;
  (void)state;
  for (int i = 0; i < MUTATIONS; i++) {
    struct writer writer = {.chance = &chance};
    write_puzzle(&writer);
    compare(&writer, true, &taken);
  }
  assert_in_range(taken, MUTATIONS / 10, MUTATIONS * 9 / 10);
}

/* Bytes dropped, doubled and put in anywhere. */
static void break_text(struct writer *writer)
{
  static const char bytes[] = "[](){},:;=\"'#/*.0123456789-+eEMCFxn \n\r\t\\\xc2\xa0\xe2\x80\x9c\0";
  for (uint32_t changes = 1 + chance_below(writer->chance, 4); changes > 0; changes--) {
    size_t at = chance_below(writer->chance, (uint32_t)writer->length);
    size_t behind = writer->length - at;
    char *place = writer->text + at;
    switch (chance_below(writer->chance, 3)) {
    case 0:
      memmove(place, place + 1, behind - 1);
      writer->length -= writer->length > 1;
      break;
    case 1: *place = bytes[chance_below(writer->chance, sizeof bytes)]; break;
    default:
      memmove(place + 1, place, behind);
      *place = bytes[chance_below(writer->chance, sizeof bytes)];
      writer->length++;
    }
  }
}

static void test_broken_text(void **state)
{
  struct chance chance = {21};
  uint32_t taken = 0;
  (void)state;
  for (int i = 0; i < MUTATIONS; i++) {
    struct writer writer = {.chance = &chance};
    write_puzzle(&writer);
    break_text(&writer);
    compare(&writer, false, &taken);
  }
  assert_true(taken > 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_puzzles),
      cmocka_unit_test(test_broken_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
