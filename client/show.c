/* Each answer as a few short lines. What a terminal would show in colour is plain text in a pipe. */
#include "client/show.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "client/show_grid.h"
#include "client/terminal.h"
#include "client/words.h"
#include "proto/units.h"

enum { BARS = 20, BAR_CELLS = 40, BEFORE_BAR = 18 };

void style_init(struct style *style, enum colour_when when)
{
  *style = (struct style){.colour = colour_wanted(when, STDOUT_FILENO),
                          .columns = terminal_columns(STDOUT_FILENO)};
}

void style_set_puzzle(struct style *style, const struct cm_puzzle *puzzle)
{
  style->puzzle = puzzle;
  style->grid_cols = 0;
  if (puzzle && cm_puzzle_game(puzzle) == CM_GRID)
    cm_puzzle_row(puzzle, 0, &style->grid_cols);
}

void show_head(const struct style *style, const char *words)
{
  printf(style->colour ? "\033[1m%s\033[0m\n" : "%s\n", words);
}

static void show_verdict(const struct style *style, enum cm_outcome outcome, uint32_t plies)
{
  char words[WORDS_MAX];
  verdict_words(outcome, plies, words);
  show_head(style, words);
}

void show_state(uint32_t cols, const struct cm_state *state)
{
  char mouse[WORDS_MAX], cat[WORDS_MAX];
  place_words(cols, state->mouse, mouse);
  place_words(cols, state->cat, cat);
  printf("mouse at %s, cat at %s, the %s to move\n", mouse, cat, player_name(state->turn));
}

void show_solved(const struct style *style, const struct cm_solved *solved)
{
  char bytes[WORDS_MAX], start[WORDS_MAX], time[UNIT_WORDS];
  bytes_words(solved->bytes, bytes);
  show_verdict(style, solved->outcome, solved->plies);
  printf("%s of %" PRIu32 " nodes, %" PRIu64 " states, table of %s, ", game_name(solved->game),
         solved->nodes, solved->states, bytes);
  if (solved->source == CM_SOLVED)
    printf("solved in %s\n", us_words(solved->solve_us, time));
  else
    puts("known already");
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

/* Without a limit somebody may well win. */
static void move_words(const struct cm_move *move, bool is_limited, char words[static WORDS_MAX])
{
  if (!is_limited || move->plies != CM_PLIES_NONE)
    verdict_words(move->outcome, move->plies, words);
  else if (move->outcome == CM_DRAW)
    snprintf(words, WORDS_MAX, "No win within the limit: a draw.");
  else
    snprintf(words, WORDS_MAX, "No win within the limit: the %s wins.",
             player_name((enum cm_player)move->outcome));
}

void show_query(const struct style *style, const struct cm_query *query, const char *limited)
{
  if (limited)
    show_head(style, limited);
  else
    show_verdict(style, query->outcome, query->plies);
  show_state(query->cols, &query->state);
  show_grid(style, &query->state, query->moves, query->moves_count);
  if (query->moves_count == 0)
    puts(query->over ? "The game is over." : "There is no move.");
  for (uint32_t i = 0; i < query->moves_count; i++) {
    const struct cm_move *move = &query->moves[i];
    char place[WORDS_MAX], words[WORDS_MAX];
    place_words(query->cols, move->to, place);
    move_words(move, limited != NULL, words);
    printf("%s%3" PRIu32 ". to %-8s %s%s\n", style->colour && i == 0 ? "\033[32m" : "", i + 1,
           place, words, style->colour && i == 0 ? "\033[0m" : "");
  }
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
