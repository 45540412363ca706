/* The verdict, what it means for the loser, and the strategies. Fails for want of memory alone. */
#include "client/show_proof.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "client/proof_tree.h"
#include "client/words.h"
#include "solver/answer.h"

enum { PLACES_NAMED = 4 };

/* Where a winning strategy ends. */
struct ends {
  uint64_t *caught; /* bit set of nodes; owned */
  uint32_t caught_count;
  bool cat_home;
};

static void note_end(const struct arena *arena, uint32_t mouse, uint32_t cat, struct ends *ends)
{
  if (mouse != cat) {
    ends->cat_home |= node_in(arena->home[PLAYER_CAT], cat);
    return;
  }
  ends->caught_count += !node_in(ends->caught, mouse);
  ends->caught[mouse / 64] |= UINT64_C(1) << (mouse % 64);
}

/* By the strategy's own moves, and by those of the mouse that lead to the cat. */
static int find_ends(const struct arena *arena, const struct strategy *strategy, struct ends *ends)
{
  *ends = (struct ends){.caught = calloc(arena->nodes / 64 + 1, sizeof *ends->caught)};
  if (!ends->caught)
    return -ENOMEM;
  const struct moves *moves = &arena->moves[PLAYER_MOUSE];
  for (uint32_t at = 0; at < strategy->states_count; at++) {
    const struct proof_state *here = &strategy->states[at];
    if (here->state.turn == strategy->player) {
      note_end(arena, here->state.mouse, here->move, ends);
      continue;
    }
    uint32_t from = here->state.mouse;
    for (uint32_t i = moves->begin[from]; i < moves->end[from]; i++) {
      if (moves->to[i] == here->state.cat)
        note_end(arena, moves->to[i], here->state.cat, ends);
    }
  }
  return 0;
}

static void print_places(const struct arena *arena, const struct ends *ends)
{
  uint32_t left = ends->caught_count;
  if (left > PLACES_NAMED) {
    printf(" at one of %u places", left);
    return;
  }
  fputs(" at ", stdout);
  for (uint32_t node = 0; node < arena->nodes; node++) {
    char place[WORDS_MAX];
    if (!node_in(ends->caught, node))
      continue;
    place_words(arena->cols, node, place);
    printf("%s%s", place, --left > 1 ? ", " : left == 1 ? " or " : "");
  }
}

static int show_cat_win(const struct arena *arena, const struct strategy *strategy, bool whole)
{
  struct ends ends;
  if (!whole) {
    puts(": whatever the mouse does.");
    return 0;
  }
  if (find_ends(arena, strategy, &ends) < 0)
    return -ENOMEM;
  fputs(": whatever the mouse does, ", stdout);
  if (ends.caught_count > 0) {
    fputs("it is caught", stdout);
    print_places(arena, &ends);
  }
  if (ends.cat_home)
    printf("%sthe cat gets to the food first", ends.caught_count > 0 ? ", or " : "");
  puts(".");
  free(ends.caught);
  return 0;
}

/* "The cat wins in 16 plies: whatever the mouse does, it is caught at 5 or 7." */
static int show_win(const struct arena *arena, const struct proof *proof, bool whole)
{
  const struct claim *claim = &proof->claim;
  printf("The %s wins in %" PRIu32 " %s", player_name((enum cm_player)claim->outcome), claim->plies,
         claim->plies == 1 ? "ply" : "plies");
  if (claim->outcome == OUTCOME_CAT)
    return show_cat_win(arena, &proof->strategies[0], whole);
  printf(": whatever the cat does, the mouse gets %s.\n",
         arena->game == GAME_GRAPH ? "home" : "to the food");
  return 0;
}

/* A limit that is not the game's own is part of the verdict. */
static void show_verdict_alone(const struct arena *arena, const struct claim *claim)
{
  char words[WORDS_MAX];
  bool limited = claim->plies == PLIES_NONE && claim->limit_plies != arena->limit_plies &&
                 claim->limit_plies != LIMIT_NONE;
  verdict_words((enum cm_outcome)claim->outcome, claim->plies, words);
  if (!limited)
    printf("%s\n", words);
  else if (claim->outcome == OUTCOME_DRAW)
    printf("Within %" PRIu32 " %s: a draw.\n", claim->limit_plies,
           claim->limit_plies == 1 ? "ply" : "plies");
  else
    printf("Within %" PRIu32 " %s: the %s wins, as nobody forces the end.\n", claim->limit_plies,
           claim->limit_plies == 1 ? "ply" : "plies", player_name((enum cm_player)claim->outcome));
}

/* Searches that stop after 2n plies are common, and wrong where a win takes longer. */
static void show_bounded_search(const struct arena *arena, const struct claim *claim)
{
  uint64_t bound = 2 * (uint64_t)arena->nodes;
  if (claim->plies == PLIES_NONE || claim->plies <= bound || claim->outcome == arena->endless)
    return;
  printf("A search of 2n = %" PRIu64 " plies would call this %s.\n", bound,
         arena->endless == OUTCOME_DRAW ? "a draw" : "the cat's win");
}

/* What a strategy that holds comes to, over its tree. */
static void show_hold(const struct arena *arena, const struct strategy *strategy)
{
  uint32_t plies = strategy->states[0].plies;
  if (strategy->player == PLAYER_MOUSE)
    fputs("\nWhatever the cat does, the mouse gets away from it", stdout);
  else
    printf("\nWhatever the mouse does, the cat keeps it from the %s",
           arena->game == GAME_GRAPH ? "hole" : "food");
  if (plies == PLIES_NONE)
    puts(", for ever:");
  else
    printf(", for %" PRIu32 " %s:\n", plies, plies == 1 ? "ply" : "plies");
}

int show_proof(const struct style *style, const struct arena *arena, const struct proof *proof,
               bool whole, uint32_t levels, bool *folded)
{
  const struct claim *claim = &proof->claim;
  uint32_t lines = 0;
  int status = 0;
  fputs(style->colour ? "\033[1m" : "", stdout);
  if (proof->strategies_count > 0 && claim->plies != PLIES_NONE)
    status = show_win(arena, proof, whole);
  else
    show_verdict_alone(arena, claim);
  fputs(style->colour ? "\033[0m" : "", stdout);
  show_bounded_search(arena, claim);
  for (uint32_t i = 0; i < proof->strategies_count && status == 0; i++) {
    const struct strategy *strategy = &proof->strategies[i];
    if (strategy->goal == GOAL_HOLD)
      show_hold(arena, strategy);
    else
      puts("");
    status = proof_tree_print(arena, strategy, &claim->state, levels, &lines, folded);
  }
  return status;
}
