/* Each answer as a few short lines. What a terminal would show in colour is plain text in a pipe. */
#include "client/show.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "client/show_grid.h"
#include "client/terminal.h"
#include "client/words.h"

enum { BARS = 20, BAR_CELLS = 40, BEFORE_BAR = 18 };

void style_init(struct style *style, enum colour_when when)
{
  *style = (struct style){.colour = colour_wanted(when, STDOUT_FILENO),
                          .columns = terminal_columns(STDOUT_FILENO)};
}

void style_set_puzzle(struct style *style, const struct cm_puzzle *puzzle)
{
  style->puzzle = puzzle;
  if (puzzle && cm_puzzle_game(puzzle) == CM_GRID)
    cm_puzzle_row(puzzle, 0, &style->grid_cols);
}

static void show_verdict(const struct style *style, enum cm_outcome outcome, uint32_t plies)
{
  char words[WORDS_MAX];
  verdict_words(outcome, plies, words);
  printf(style->colour ? "\033[1m%s\033[0m\n" : "%s\n", words);
}

static void show_state(uint32_t cols, const struct cm_state *state)
{
  char mouse[WORDS_MAX], cat[WORDS_MAX];
  place_words(cols, state->mouse, mouse);
  place_words(cols, state->cat, cat);
  printf("mouse at %s, cat at %s, the %s to move\n", mouse, cat, player_name(state->turn));
}

void show_solved(const struct style *style, const struct cm_solved *solved)
{
  char bytes[WORDS_MAX], start[WORDS_MAX];
  bytes_words(solved->bytes, bytes);
  show_verdict(style, solved->outcome, solved->plies);
  printf("%s of %" PRIu32 " nodes, %" PRIu64 " states, table of %s, ", game_name(solved->game),
         solved->nodes, solved->states, bytes);
  if (solved->source == CM_SOLVED)
    printf("solved in %.3f ms\n", (double)solved->solve_us / 1000);
  else
    printf("%s\n", solved->source == CM_FROM_DISK ? "read from disk" : "known already");
  state_words(style->grid_cols, &solved->start, start);
  printf("start %s\nid %s\n", start, solved->id);
}

void show_leetcode(const struct cm_solved *solved)
{
  static const char *const graph[] = {"1", "2", "0"};
  if (solved->game == CM_GRAPH)
    puts(graph[solved->outcome]);
  else
    puts(solved->outcome == CM_MOUSE_WINS ? "true" : "false");
}

void show_query(const struct style *style, const struct cm_query *query)
{
  show_verdict(style, query->outcome, query->plies);
  show_state(query->cols, &query->state);
  show_grid(style, &query->state, query->moves, query->moves_count);
  if (query->moves_count == 0)
    puts(query->over ? "The game is over." : "There is no move.");
  for (uint32_t i = 0; i < query->moves_count; i++) {
    const struct cm_move *move = &query->moves[i];
    char place[WORDS_MAX], words[WORDS_MAX];
    place_words(query->cols, move->to, place);
    verdict_words(move->outcome, move->plies, words);
    printf("%s%3" PRIu32 ". to %-8s %s%s\n", style->colour && i == 0 ? "\033[32m" : "", i + 1,
           place, words, style->colour && i == 0 ? "\033[0m" : "");
  }
}

void show_line(const struct style *style, const struct cm_line *line)
{
  static const char *const ends[] = {
      [CM_END_HOME] = "home",
      [CM_END_CAUGHT] = "caught",
      [CM_END_REPEATS] = "and so on: this state was there before",
      [CM_END_LIMIT] = "the limit is reached",
      [CM_END_STUCK] = "no move is left",
      [CM_END_MAX] = "as many moves as asked for",
  };
  enum cm_player turn = line->state.turn;
  show_verdict(style, line->outcome, line->plies);
  show_state(line->cols, &line->state);
  for (uint32_t i = 0; i < line->moves_count; i++) {
    char place[WORDS_MAX];
    place_words(line->cols, line->moves[i], place);
    printf("%3" PRIu32 ". %-5s to %s\n", i + 1, player_name(turn), place);
    turn = turn == CM_MOUSE ? CM_CAT : CM_MOUSE;
  }
  printf("     %s\n", ends[line->end]);
}

/* The longest bar, in characters: a terminal's line holds it. */
static uint32_t bar_cells(const struct style *style)
{
  if (style->columns == 0 || style->columns > BEFORE_BAR + BAR_CELLS)
    return BAR_CELLS;
  return style->columns > BEFORE_BAR + 1 ? style->columns - BEFORE_BAR - 1 : 1;
}

static void show_histogram(const struct style *style, enum cm_player winner, const uint64_t *counts,
                           uint32_t count)
{
  uint32_t step = (count + BARS - 1) / BARS;
  uint64_t most = 1, sums[BARS] = {0};
  for (uint32_t plies = 0; plies < count; plies++) {
    uint64_t *sum = &sums[plies / step];
    *sum += counts[plies];
    most = *sum > most ? *sum : most;
  }
  printf("\nstates the %s wins, by plies", player_name(winner));
  if (step > 1)
    printf(", %" PRIu32 " to a row", step);
  putchar('\n');
  for (uint32_t bar = 0; bar * step < count; bar++) {
    int length = (int)((double)sums[bar] * bar_cells(style) / (double)most + 0.5);
    printf("%6" PRIu32 " %10" PRIu64 " %.*s\n", bar * step, sums[bar], length,
           "########################################");
  }
}

static void show_outcomes(const struct cm_stats *stats)
{
  puts("to move    mouse wins     cat wins      endless");
  for (int turn = 0; turn < 2; turn++)
    printf("%-7s %13" PRIu64 " %12" PRIu64 " %12" PRIu64 "\n", player_name(turn),
           stats->outcomes[turn][CM_MOUSE_WINS], stats->outcomes[turn][CM_CAT_WINS],
           stats->outcomes[turn][CM_DRAW]);
}

static void show_longest(enum cm_player winner, const struct cm_longest *longest, uint32_t cols)
{
  char mouse[WORDS_MAX], cat[WORDS_MAX], plies[WORDS_MAX];
  if (longest->plies == CM_PLIES_NONE)
    return;
  count_words(longest->plies, "ply", "plies", plies);
  place_words(cols, longest->state.mouse, mouse);
  place_words(cols, longest->state.cat, cat);
  printf("longest win of the %s: %s, from %s,%s,%s\n", player_name(winner), plies, mouse, cat,
         player_name(longest->state.turn));
}

void show_stats(const struct style *style, const struct cm_stats *stats)
{
  printf("%s of %" PRIu32 " nodes, %" PRIu64 " of %" PRIu64 " states can be asked about\n",
         game_name(stats->game), stats->nodes, stats->states,
         2 * (uint64_t)stats->nodes * stats->nodes);
  show_outcomes(stats);
  for (int winner = 0; winner < 2; winner++)
    show_longest(winner, &stats->longest[winner], stats->cols);
  for (int winner = 0; winner < 2; winner++) {
    if (stats->histogram_count[winner] > 0)
      show_histogram(style, winner, stats->histogram[winner], stats->histogram_count[winner]);
  }
}

void show_verify(const struct cm_verify *verify)
{
  char stored[WORDS_MAX], proper[WORDS_MAX], mouse[WORDS_MAX], cat[WORDS_MAX];
  if (verify->correct) {
    printf("Correct: %" PRIu64 " states agree with their successors.\n", verify->checked);
    return;
  }
  verdict_words(verify->stored.outcome, verify->stored.plies, stored);
  verdict_words(verify->proper.outcome, verify->proper.plies, proper);
  place_words(verify->cols, verify->first.mouse, mouse);
  place_words(verify->cols, verify->first.cat, cat);
  printf("Wrong: %" PRIu64 " of %" PRIu64 " states disagree with their successors.\n"
         "First at %s,%s,%s\n  the table:      %s\n  its successors: %s\n",
         verify->faults, verify->checked, mouse, cat, player_name(verify->first.turn), stored,
         proper);
}

void show_list(const struct cm_list *list)
{
  static const char *const places[] = {
      [CM_IN_MEMORY] = "in memory",
      [CM_ON_DISK] = "on disk",
      [CM_PUZZLE_ONLY] = "on disk, to be solved again",
      [CM_SOLVING] = "being solved",
  };
  if (list->tables_count == 0)
    puts("No puzzle is solved yet.");
  for (uint32_t i = 0; i < list->tables_count; i++) {
    const struct cm_listed *table = &list->tables[i];
    char bytes[WORDS_MAX];
    bytes_words(table->where == CM_IN_MEMORY ? table->bytes : table->disk_bytes, bytes);
    printf("%.12s  %-5s %7" PRIu32 " nodes  %9.20s  %7" PRIu64 " hits  %s%s%s\n", table->id,
           game_name(table->game), table->nodes, bytes, table->hits, places[table->where],
           table->where == CM_IN_MEMORY && table->disk_bytes > 0 ? " and on disk" : "",
           table->current ? ", current" : "");
  }
  if (list->total > list->tables_count)
    printf("and %" PRIu64 " more\n", list->total - list->tables_count);
}

void show_evicted(const struct cm_evicted *evicted)
{
  char puzzles[WORDS_MAX], bytes[WORDS_MAX];
  count_words(evicted->puzzles, "puzzle", "puzzles", puzzles);
  bytes_words(evicted->bytes, bytes);
  printf("Forgot %s, %s.\n", puzzles, bytes);
}

static void show_store(const struct cm_store *store)
{
  char puzzles[WORDS_MAX], tables[WORDS_MAX], bytes[WORDS_MAX];
  if (store->state == CM_STORE_OFF) {
    puts("nothing is kept on disk");
    return;
  }
  bytes_words(store->bytes, bytes);
  count_words(store->puzzles, "puzzle", "puzzles", puzzles);
  count_words(store->tables, "table", "tables", tables);
  printf("on disk %s, %s, %s in %s\n", puzzles, tables, bytes, store->folder);
  printf("tables read %" PRIu64 ", written %" PRIu64 ", damaged files %" PRIu64 "\n", store->reads,
         store->writes, store->damaged);
  if (store->state == CM_STORE_OPENING)
    puts("what is on disk is being looked at");
  if (store->state == CM_STORE_FAILING)
    printf("nothing is kept on disk now: %s\n", store->error);
}

void show_status(const struct cm_status *status)
{
  char bytes[WORDS_MAX], kept[WORDS_MAX];
  bytes_words(status->bytes, bytes);
  bytes_words(status->kept_bytes, kept);
  printf("cmdaemon %s, process %" PRIu64 ", up for %.1f s%s\n", status->version, status->pid,
         (double)status->uptime_ms / 1000, status->draining ? ", draining" : "");
  printf("connections %" PRIu64 ", jobs running %" PRIu64 ", queued %" PRIu64 "\n",
         status->connections, status->jobs_running, status->jobs_queued);
  printf("requests %" PRIu64 ", hits %" PRIu64 ", misses %" PRIu64 ", solves %" PRIu64 "\n",
         status->requests, status->hits, status->misses, status->solves);
  printf("tables %" PRIu64 ", %s; kept for the next solve %s\n", status->tables, bytes, kept);
  show_store(&status->store);
  for (uint32_t i = 0; i < status->limits_count; i++)
    printf("  %-18s %" PRIu64 "\n", status->limits[i].name, status->limits[i].value);
}
