/* What people write: each form becomes its puzzle, each fault is told at its place. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "solver/arena.h"
#include "tests/support/failing_alloc.h"
#include "tests/text/describe.h"
#include "text/text.h"

#define SMALL      "[[2,5],[3],[0,4,5],[1,4,5],[2,3],[0,2,3]]"
#define SMALL_READ "2,5 3 0,4,5 1,4,5 2,3 0,2,3"
#define GRID       "[\"####F\",\"#C...\",\"M....\"]"
#define GRID_READ  "####F/#C.../M.... 1 2"

struct sample {
  const char *text, *read;
};

static void assert_reads(const char *bytes, const char *expected)
{
  char description[DESCRIPTION_MAX];
  struct text *text;
  assert_int_equal(text_read(bytes, strlen(bytes), &text), 0);
  describe_text(bytes, text, description);
  if (strcmp(description, expected) != 0)
    fail_msg("%s\n is read as %s\n  but is to be %s", bytes, description, expected);
  text_free(text);
}

static void assert_all_read(const struct sample *samples, size_t count)
{
  for (size_t i = 0; i < count; i++)
    assert_reads(samples[i].text, samples[i].read);
}
#define ASSERT_ALL_READ(samples) assert_all_read(samples, sizeof(samples) / sizeof(samples)[0])

static void test_forms(void **state)
{
  static const struct sample samples[] = {
      {"{\"graph\": " SMALL "}", SMALL_READ},
      {SMALL, SMALL_READ},
      {"\xef\xbb\xbf" SMALL "\r\n", SMALL_READ},
      {"{\"grid\": " GRID ", \"catJump\": 1, \"mouseJump\": 2}", GRID_READ},
      {"{\"mouseJump\": 2, \"catJump\": 1, \"grid\": " GRID "}", GRID_READ},
      {GRID "\n1\n2\n", GRID_READ},
      {GRID "\r\n1\r\n2\r\n", GRID_READ},
      {GRID " 1 2", GRID_READ},
      {GRID ", 1, 2", GRID_READ},
      {"graph = " SMALL, SMALL_READ},
      {"Input: graph = " SMALL "\nOutput: 0\n", SMALL_READ},
      {"Input: graph = " SMALL ", Output: 0", SMALL_READ},
      {"Input: grid = " GRID ", catJump = 1, mouseJump = 2\nOutput: true", GRID_READ},
      {"grid = " GRID "\ncatJump = 1\nmouseJump = 2", GRID_READ},
      {"mouseJump: 2; catJump: 1; grid: " GRID, GRID_READ},
      {"Input\ngrid =\n" GRID "\ncatJump =\n1\nmouseJump =\n2\nOutput\ntrue\nExpected\ntrue\n",
       GRID_READ},
      {"####F\n#C...\nM....\n1\n2\n", GRID_READ},
      {"####F\r\n#C...\r\nM....\r\ncatJump = 1, mouseJump = 2\r\n", GRID_READ},
      {"  ####F\n  #C...\n  M....\n\n1 2\n", GRID_READ},
      {"catJump = 1\nmouseJump = 2\n\n####F\n#C...\nM....\n", GRID_READ},
      {"grid:\n####F\n#C...\nM....\ncatJump: 1\nmouseJump: 2\n", GRID_READ},
      {"\"####F\",\n\"#C...\",\n\"M....\"\n1\n2\n", GRID_READ},
      {"\"graph\": " SMALL, SMALL_READ},
  };
  (void)state;
  ASSERT_ALL_READ(samples);
}

static void test_notations(void **state)
{
  static const struct sample samples[] = {
      {"['####F', '#C...', 'M....'], 1, 2", GRID_READ},
      {"[\xe2\x80\x9c####F\xe2\x80\x9d, \xe2\x80\x98#C...\xe2\x80\x99, `M....`] 1 2", GRID_READ},
      {"{'graph': " SMALL "}", SMALL_READ},
      {"{graph: " SMALL "}", SMALL_READ},
      {"{\"Graph\": " SMALL "}", SMALL_READ},
      {"cat_jump = 1; mouse_jump = 2; GRID = " GRID ";", GRID_READ},
      {"[[2,5,],[3],[0,4,5],[1,4,5],[2,3],[0,2,3],];", SMALL_READ},
      {"((2,5),(3,),(0,4,5),(1,4,5),(2,3),(0,2,3))", SMALL_READ},
      {"{{2,5},{3},{0,4,5},{1,4,5},{2,3},{0,2,3}}", SMALL_READ},
      {"int[][] graph = {{2,5},{3},{0,4,5},{1,4,5},{2,3},{0,2,3}};", SMALL_READ},
      {"int[][] graph = new int[][]{{2,5},{3},{0,4,5},{1,4,5},{2,3},{0,2,3}};", SMALL_READ},
      {"vector<vector<int>> graph = {{2,5},{3},{0,4,5},{1,4,5},{2,3},{0,2,3}};", SMALL_READ},
      {"std::vector<std::vector<int>> g{{2,5},{3},{0,4,5},{1,4,5},{2,3},{0,2,3}};",
       "? not-understood@0\"std::vector<std::vector<int>> "
       "g{{2,5},{3},{0,4,5},{1,4,5},{2,3},{0,2,3}};\""},
      {"const g = " SMALL ";", SMALL_READ},
      {"graph: List[List[int]] = " SMALL, SMALL_READ},
      {"String[] grid = {\"####F\",\"#C...\",\"M....\"};\nint catJump = 1, mouseJump = 2;",
       GRID_READ},
      {"Solution().catMouseGame(" SMALL ")", SMALL_READ},
      {"s = Solution()\nprint(s.canMouseWin(" GRID ", 1, 2))", GRID_READ},
      {"s.canMouseWin(" GRID ", 1, 2)", GRID_READ},
      {"assert s.canMouseWin(" GRID ", 1, 2)", GRID_READ},
      {"the mouse (at 1)", "? not-understood@0\"the mouse (at 1)\""},
      {"catMouseGame(graph=" SMALL ")", SMALL_READ},
      {"canMouseWin(grid=" GRID ", catJump=1, mouseJump=2)", GRID_READ},
      {"// from the contest\n" SMALL " # the first\n/* that\nwas all */", SMALL_READ},
      {"# a comment\n####F\n#C...\nM....\n# jumps\n1\n2\n", GRID_READ},
      {"##########\n" SMALL, SMALL_READ},
      {"{\"graph\": [ // lists\n [2,5], # node 0\n [3],[0,4,5],[1,4,5],[2,3],[0,2,3]]}",
       SMALL_READ},
      {"[\xc2\xa0[2,5], [3],\xe2\x80\x8b[0,4,5],[1,4,5],[2,3],[0,2,3]]", SMALL_READ},
      {"[[2.0,5e0],[3],[00,4,+5],[1,4,5],[2,3],[0,2,3]]", SMALL_READ},
      {"[\"\\u0023###F\",\"#\\u0043...\",\"M....\"] 1 2", GRID_READ},
  };
  (void)state;
  ASSERT_ALL_READ(samples);
}

static void test_several(void **state)
{
  static const struct sample samples[] = {
      {SMALL "\n" SMALL, SMALL_READ " | " SMALL_READ},
      {SMALL " " GRID " 1 2 " SMALL, SMALL_READ " | " GRID_READ " | " SMALL_READ},
      {"graph = " SMALL "\ngraph = " SMALL, SMALL_READ " | " SMALL_READ},
      {"Example 1:\n\nInput: graph = " SMALL "\nOutput: 0\nExample 2:\n\nInput: graph = " SMALL
       "\nOutput: 1\nExplanation: it is so,\nas one sees.\n\nConstraints:\n\n3 <= graph.length\n",
       SMALL_READ " | " SMALL_READ},
      {"{\"graph\": " SMALL "}\n{\"graph\": " SMALL "}\n", SMALL_READ " | " SMALL_READ},
      {"[{\"graph\": " SMALL "}, {\"grid\": " GRID ", \"catJump\": 1, \"mouseJump\": 2}]",
       SMALL_READ " | " GRID_READ},
      {"[" SMALL ", " SMALL "]", SMALL_READ " | " SMALL_READ},
      {"[" GRID ", 1, 2]", GRID_READ},
      {"grid = " GRID ", catJump = 1, mouseJump = 2\ngrid = " GRID ", catJump = 1, mouseJump = 2",
       GRID_READ " | " GRID_READ},
      {"####F\n#C...\nM....\n1\n2\n####F\n#C...\nM....\n1\n2\n", GRID_READ " | " GRID_READ},
      {"[[1]] " SMALL, "!too-few-nodes@0\"[[1]]\" out-of-range@2\"1\" | " SMALL_READ},
  };
  (void)state;
  ASSERT_ALL_READ(samples);
}

static void test_faults_of_graphs(void **state)
{
  static const struct sample samples[] = {
      {"[[2,9],[3],[0],[1]]", "!out-of-range@4\"9\""},
      {"[[2],[3,-1],[0],[1]]", "!out-of-range@8\"-1\""},
      {"[[2,0],[3],[0],[1]]", "!self-loop@4\"0\""},
      {"[[2,2],[3],[0],[1]]", "!duplicate@4\"2\"<-2\"2\""},
      {"[[2,3],[3],[0],[1]]", "!missing-mirror@4\"3\"<-15\"[1]\""},
      {"[[2],[3],[0],[1,0]]", "!missing-mirror@16\"0\"<-1\"[2]\""},
      {"[[2,3,7,0,2],[3],[0],[1]]",
       "!missing-mirror@4\"3\"<-21\"[1]\" out-of-range@6\"7\" self-loop@8\"0\" "
       "duplicate@10\"2\"<-2\"2\""},
      {"[]", "!too-few-nodes@0\"[]\""},
      {"[[1],[0]]", "!too-few-nodes@0\"[[1],[0]]\""},
      {"[[2],[3],[0],1]", "!not-a-list@13\"1\""},
      {"[[2],[3],[0],[1.5]]", "!not-a-node@14\"1.5\""},
      {"[[2],[3],[0],[1,\"x\"]]", "!not-a-node@16\"\"x\"\""},
      {"[[2],[3],[0],[1,99999999999]]", "!not-a-node@16\"99999999999\""},
      {"[[2],[3],[0],[1,[2]]]", "!not-a-node@16\"[2]\""},
      {"{\"graph\": 7}", "!not-a-list@10\"7\""},
      {"{}", "!no-game@0\"{}\""},
      {"{\"puzzle\": [1]}", "!unknown-key@1\"\"puzzle\"\""},
      {"{\"graph\": [[2],[3],[0],[1]], \"graph\": [[1]]}",
       "!duplicate-key@29\"\"graph\"\"<-1\"\"graph\"\""},
      {"{\"graph\": [[2],[3],[0],[1]], \"catJump\": 1}", "!two-games@29\"\"catJump\"\""},
      {"{\"graph\": [[2],[3],[0],[1]], \"grid\": []}", "!two-games@37\"[]\""},
      {"{\"graph\": [[2],[3],[0],[1]] \"x\" : 1}", "!missing-comma@27\"\" unknown-key@28\"\"x\"\""},
      {"{\"graph\"}", "!not-understood@1\"\"graph\"\""},
      {"{\"grid\":[\"CMF\"],\"catJump\":,\"mouseJump\":1}", "!missing-value@16\"\"catJump\"\""},
      {"{\"graph\":}", "!missing-value@1\"\"graph\"\""},
  };
  (void)state;
  ASSERT_ALL_READ(samples);
}

static void test_faults_of_grids(void **state)
{
  static const struct sample samples[] = {
      {"[\"MCF\",\"..\"] 1 1", "!ragged-row@8\"..\"<-2\"MCF\""},
      {"[\"MCFx\",\".\\u0001..\"] 1 1", "!unknown-cell@5\"x\" unknown-cell@10\"\\u0001\""},
      {"[\"MCF\xc3\xa9\",\".....\"] 1 1", "!unknown-cell@5\"\xc3\xa9\""},
      {"[\"MCFM\",\"C..F\"] 1 1", "!duplicate-mark@5\"M\"<-2\"M\" duplicate-mark@9\"C\"<-3\"C\" "
                                  "duplicate-mark@12\"F\"<-4\"F\""},
      {"[\"...\"] 1 1", "!missing-mouse@0\"[\"...\"]\" missing-cat@0\"[\"...\"]\" "
                        "missing-food@0\"[\"...\"]\""},
      {"[\"MCF\"]", "!missing-jump@7\"\" missing-jump@7\"\""},
      {"[\"MCF\"] 1", "!missing-jump@9\"\""},
      {"[\"MCF\"] 0 1.5", "!jump-too-short@8\"0\" not-a-jump@10\"1.5\""},
      {"[\"MCF\"] 1 2 3", "M/C/F"},
      {"[\"\"] 1 1", "!empty-grid@0\"[\"\"]\""},
      {"{\"grid\": [], \"catJump\": 1, \"mouseJump\": 1}", "!empty-grid@9\"[]\""},
      {"{\"grid\": [7], \"catJump\": 1, \"mouseJump\": 1}", "!not-a-row@10\"7\""},
      {"{\"grid\": \"MCF\", \"catJump\": 1, \"mouseJump\": 1}", "!not-a-list@9\"\"MCF\"\""},
      {"catJump = 1", "!no-game@0\"catJump = 1\""},
      {"MCX\n1 1", "!missing-food@0\"MCX\" unknown-cell@2\"X\""},
  };
  (void)state;
  for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
    if (strcmp(samples[i].read, "M/C/F") != 0)
      assert_reads(samples[i].text, samples[i].read);
  }
  assert_reads("[\"MCF\"] 1 2 3", "MCF 1 2 ? not-understood@12\"3\"");
}

static void test_unreadable(void **state)
{
  static const struct sample samples[] = {
      {"", "? no-puzzle@0\"\""},
      {" \n// nothing\n", "? no-puzzle@0\"\""},
      {"?", "? not-understood@0\"?\""},
      {"hello, world\n" SMALL, SMALL_READ " ? not-understood@0\"hello, world\""},
      {"[[2],[3],[0],[1]", "!unclosed@0\"[\""},
      {"[[2],[3],[0],[1", "!unclosed@0\"[\" unclosed@13\"[\""},
      {"[[2],[3],[0],[1]]]", "2 3 0 1 ? unopened@17\"]\""},
      {"[[2],[3],[0],[1)]", "!unopened@15\")\"<-13\"[\""},
      {"[[2],[3],[0,[1]]", "!unclosed@0\"[\" not-a-node@12\"[1]\""},
      {"[[2],,[3],[0],[1]]", "!missing-value@5\",\""},
      {"[[2] [3],[0],[1]]", "!missing-comma@4\"\""},
      {"[[2],[3],[0 0],[1]]", "!missing-comma@11\"\" duplicate@12\"0\"<-10\"0\""},
      {"[\"MCF\n\"...\"] 1 1", "!unclosed@1\"\"\" missing-comma@5\"\""},
      {"{\"graph\": [[2],[3],[0],[1], \"catJump\": 1}",
       "!unclosed@10\"[\" two-games@28\"\"catJump\"\""},
      {"{\"graph\": [[2],[3],[0],[1]]", "!unclosed@0\"{\""},
      {"graph =", "!missing-value@0\"graph\""},
      {"1 2 3", "? not-understood@0\"1\" not-understood@2\"2\" not-understood@4\"3\""},
  };
  (void)state;
  ASSERT_ALL_READ(samples);
}

static void test_awaits_more(void **state)
{
  static const struct {
    const char *text;
    bool awaits;
  } samples[] = {{"[[2],", true},
                 {"[[2],[3],[0],[1]]", false},
                 {GRID, true},
                 {GRID " 1", true},
                 {GRID " 1 2", false},
                 {"{\"graph\":", true},
                 {"{\"graph\": [[1]", true},
                 {"graph =", true},
                 {"graph = [[1]]", false},
                 {"####F\n#C...\n", true},
                 {"f(" SMALL, true},
                 {"hello", false}};
  (void)state;
  for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
    struct text *text;
    assert_int_equal(text_read(samples[i].text, strlen(samples[i].text), &text), 0);
    if (text->awaits_more != samples[i].awaits)
      fail_msg("%s: awaits more: %d", samples[i].text, text->awaits_more);
    text_free(text);
  }
}

/* A hundred faults are told, however many there are. */
static void test_many_faults(void **state)
{
  enum { NODES = 500 };
  static char bytes[4 * NODES + 8] = "[";
  struct text *text;
  (void)state;
  for (int node = 0; node < NODES; node++)
    strcat(bytes, node ? ",[0]" : "[]");
  strcat(bytes, "]");
  assert_int_equal(text_read(bytes, strlen(bytes), &text), 0);
  assert_int_equal(text->puzzles[0].faults.count, TEXT_FAULTS_MAX);
  assert_true(text->puzzles[0].faults.more);
  text_free(text);
}

/* Long jumps make so many moves of few cells that the solver refuses them; fewer are taken. */
static void test_many_moves(void **state)
{
  static const struct {
    int cells;
    const char *complaint;
  } grids[] = {{3000, NULL}, {20000, "moves"}};
  static char bytes[32000];
  (void)state;
  for (size_t i = 0; i < sizeof grids / sizeof grids[0]; i++) {
    struct text *text;
    memset(bytes, '.', sizeof bytes);
    memcpy(bytes, "[\"MCF", 5);
    sprintf(bytes + grids[i].cells, "\"] %d %d", grids[i].cells, grids[i].cells);
    assert_int_equal(text_read(bytes, strlen(bytes), &text), 0);
    const struct text_fault *fault = text_first_fault(text);
    assert_int_equal(fault != NULL, grids[i].complaint != NULL);
    if (fault) {
      assert_int_equal(fault->code, TEXT_BAD_PUZZLE);
      assert_non_null(strstr(fault->sentence, grids[i].complaint));
    }
    text_free(text);
  }
}

/* Any depth of brackets, of every kind, at once. */
static void test_deep(void **state)
{
  enum { DEPTH = 1 << 20 };
  static const char *const openers[] = {"[", "(", "{", "[{", "f(", "{\"graph\":"};
  (void)state;
  for (size_t i = 0; i < sizeof openers / sizeof openers[0]; i++) {
    size_t length = strlen(openers[i]);
    char *bytes = malloc(DEPTH * length);
    struct text *text;
    for (size_t depth = 0; depth < DEPTH; depth++)
      memcpy(bytes + depth * length, openers[i], length);
    assert_int_equal(text_read(bytes, DEPTH * length, &text), 0);
    assert_non_null(text_first_fault(text));
    text_free(text);
    free(bytes);
  }
}

static void test_places(void **state)
{
  static const char bytes[] = "\xef\xbb\xbfone\r\nt\xc3\xa9n\two\n\nlast";
  (void)state;
  struct text_place place = text_place_of(bytes, sizeof bytes - 1, 4);
  assert_int_equal(place.line, 1);
  assert_int_equal(place.column, 2);
  assert_int_equal(place.line_span.at, 3);
  assert_int_equal(place.line_span.length, 3);
  place = text_place_of(bytes, sizeof bytes - 1, 13);
  assert_int_equal(place.line, 2);
  assert_int_equal(place.column, 5);
  place = text_place_of(bytes, sizeof bytes - 1, sizeof bytes - 1);
  assert_int_equal(place.line, 4);
  assert_int_equal(place.column, 5);
  place = text_place_of("", 0, 0);
  assert_int_equal(place.line, 1);
  assert_int_equal(place.line_span.length, 0);
}

static void test_spans(void **state)
{
  static const char bytes[] = "graph = " SMALL;
  struct text *text;
  (void)state;
  assert_int_equal(text_read(bytes, sizeof bytes - 1, &text), 0);
  const struct text_puzzle *puzzle = &text->puzzles[0];
  assert_int_equal(puzzle->form, TEXT_ASSIGNED);
  assert_int_equal(puzzle->span.at, 0);
  assert_int_equal(puzzle->span.length, sizeof bytes - 1);
  assert_int_equal(puzzle->list.at, 8);
  assert_int_equal(puzzle->entry[TEXT_KEY_GRAPH].key.length, 5);
  assert_int_equal(puzzle->items_count, 6);
  assert_memory_equal(bytes + puzzle->item[2].at, "[0,4,5]", puzzle->item[2].length);
  assert_memory_equal(bytes + puzzle->number[puzzle->first[3] + 1].at, "4", 1);
  text_free(text);
}

static void test_cells(void **state)
{
  static const char bytes[] = "[\"M\\u0043F.\"] 1 1";
  struct text *text;
  (void)state;
  assert_int_equal(text_read(bytes, sizeof bytes - 1, &text), 0);
  struct text_span cell = text_cell_span(&text->puzzles[0], bytes, 0, 1);
  assert_int_equal(cell.at, 3);
  assert_int_equal(cell.length, 6);
  cell = text_cell_span(&text->puzzles[0], bytes, 0, 3);
  assert_int_equal(cell.at, 10);
  assert_int_equal(text_cell_span(&text->puzzles[0], bytes, 0, 4).length, 0);
  text_free(text);
}

static void test_out_of_memory(void **state)
{
  static const char bytes[] =
      "{\"graph\": [[2,9],[3],[0],[1]]} \n####F\n#C..x\nM....\n1 [\"MCF\"] 1 2 ? " SMALL;
  (void)state;
  bool reached = true;
  for (long nth = 0; reached; nth++) {
    struct text *text = NULL;
    failing_alloc_arm(nth);
    int error = text_read(bytes, sizeof bytes - 1, &text);
    if (error == 0)
      text_free(text);
    long outstanding = failing_alloc_outstanding();
    reached = failing_alloc_disarm();
    assert_int_equal(error, reached ? -ENOMEM : 0);
    assert_int_equal(outstanding, 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_forms),           cmocka_unit_test(test_notations),
      cmocka_unit_test(test_several),         cmocka_unit_test(test_faults_of_graphs),
      cmocka_unit_test(test_faults_of_grids), cmocka_unit_test(test_unreadable),
      cmocka_unit_test(test_awaits_more),     cmocka_unit_test(test_many_faults),
      cmocka_unit_test(test_many_moves),      cmocka_unit_test(test_deep),
      cmocka_unit_test(test_places),          cmocka_unit_test(test_spans),
      cmocka_unit_test(test_cells),           cmocka_unit_test(test_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
