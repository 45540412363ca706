/*
 * Depth first. A line goes on while there is nothing to choose, and ends where the game does, at a state that is
 * shown elsewhere, or where the other player has a choice: its options are the lines below. Fails for want of
 * memory alone.
 */
#include "client/proof_tree.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "client/words.h"
#include "solver/state_index.h"

enum {
  MOVES_SHOWN = 6,    /* of a line whose moves are forced */
  LEVELS_MOST = 1000, /* what the stack of calls holds with ease */
  INDENT_MOST = 30,   /* levels that are told by indentation */
};

#define STATE_NONE UINT32_MAX

struct tree {
  const struct arena *arena;
  const struct strategy *strategy;
  struct state_index index; /* the strategy's states, numbered as they come */
  uint32_t *line_of;        /* by state: the line that it is shown on, or 0 */
  uint32_t line;            /* the one being written */
  uint32_t levels;
  bool folded;
};

/* What the line being written has come to. */
struct walk {
  struct state state;
  uint32_t plies;   /* that the strategy allows from here */
  uint32_t moves;   /* on this line */
  uint32_t skipped; /* of these, not printed */
};

static bool game_over(const struct arena *arena, const struct state *state)
{
  return state->mouse == state->cat || node_in(arena->home[PLAYER_MOUSE], state->mouse) ||
         node_in(arena->home[PLAYER_CAT], state->cat);
}

static const uint32_t *moves_from(const struct arena *arena, const struct state *state,
                                  uint32_t *count)
{
  const struct moves *moves = &arena->moves[state->turn];
  uint32_t from = state->turn == PLAYER_MOUSE ? state->mouse : state->cat;
  *count = moves->end[from] - moves->begin[from];
  return moves->to + moves->begin[from];
}

static struct state moved(struct state state, uint32_t to)
{
  *(state.turn == PLAYER_MOUSE ? &state.mouse : &state.cat) = to;
  state.turn = player_other(state.turn);
  return state;
}

static void print_move(const struct tree *tree, struct walk *walk, uint32_t to)
{
  char place[WORDS_MAX];
  const struct state *state = &walk->state;
  uint32_t from = state->turn == PLAYER_MOUSE ? state->mouse : state->cat;
  place_words(tree->arena->cols, to, place);
  if (walk->moves >= MOVES_SHOWN)
    walk->skipped++;
  else if (to == from)
    printf("%s%s stays", walk->moves ? ", " : "", player_name((enum cm_player)state->turn));
  else
    printf("%s%s to %s", walk->moves ? ", " : "", player_name((enum cm_player)state->turn), place);
  walk->moves++;
  walk->state = moved(*state, to);
  walk->plies -= walk->plies != PLIES_NONE;
}

static void print_over(const struct arena *arena, const struct state *state)
{
  char place[WORDS_MAX];
  place_words(arena->cols, state->mouse, place);
  if (state->mouse == state->cat)
    printf(": caught at %s\n", place);
  else if (node_in(arena->home[PLAYER_MOUSE], state->mouse))
    puts(arena->game == GAME_GRAPH ? ": the mouse is home" : ": the mouse is at the food");
  else
    puts(": the cat is at the food");
}

/* Why a line goes on or ends. */
enum stop {
  GOES_ON,     /* there is one move to make */
  STOP_OVER,   /* the game is */
  STOP_LIMIT,  /* no plies are left to hold for */
  STOP_SHOWN,  /* on another line */
  STOP_STUCK,  /* no move is left */
  STOP_FOLDED, /* what follows is not shown */
  STOP_CHOICE, /* the other player's options follow */
};

/* `at`: the number of the state that the walk came to; `only`: the move to make where it goes on. */
static enum stop look(const struct tree *tree, const struct walk *walk, uint32_t level,
                      uint32_t *at, uint32_t *only)
{
  uint32_t count;
  const uint32_t *moves = moves_from(tree->arena, &walk->state, &count);
  bool chooses = walk->state.turn == tree->strategy->player;
  if (game_over(tree->arena, &walk->state))
    return STOP_OVER;
  if (!state_index_find(&tree->index, tree->arena->nodes, walk->state, at))
    return walk->plies == 0 ? STOP_LIMIT : STOP_FOLDED;
  if (tree->line_of[*at])
    return STOP_SHOWN;
  if (count == 0)
    return STOP_STUCK;
  *only = chooses ? tree->strategy->states[*at].move : count == 1 ? moves[0] : MOVE_NONE;
  if (*only != MOVE_NONE)
    return GOES_ON;
  return chooses || level >= tree->levels ? STOP_FOLDED : STOP_CHOICE;
}

static void print_stop(struct tree *tree, const struct walk *walk, enum stop stop, uint32_t at)
{
  if (walk->skipped)
    printf(", then %u forced plies", walk->skipped);
  switch (stop) {
  case STOP_OVER: print_over(tree->arena, &walk->state); break;
  case STOP_LIMIT: puts(": the limit is reached"); break;
  case STOP_SHOWN: printf(": as in %u\n", tree->line_of[at]); break;
  case STOP_STUCK:
    printf(": the %s has no move, so the game stops\n",
           player_name((enum cm_player)walk->state.turn));
    break;
  default:
    if (walk->plies != PLIES_NONE)
      printf(": %u %s left", walk->plies, walk->plies == 1 ? "ply" : "plies");
    puts(stop == STOP_FOLDED ? " ..." : "");
  }
}

/* Goes on while there is nothing to choose. The state whose options are to follow, or STATE_NONE. */
static uint32_t walk_on(struct tree *tree, struct walk *walk, uint32_t level)
{
  uint32_t at = STATE_NONE, only;
  enum stop stop;
  while (stop = look(tree, walk, level, &at, &only), stop == GOES_ON) {
    walk->plies = tree->strategy->states[at].plies;
    tree->line_of[at] = tree->line;
    print_move(tree, walk, only);
  }
  print_stop(tree, walk, stop, at);
  tree->folded |= stop == STOP_FOLDED;
  if (stop != STOP_CHOICE)
    return STATE_NONE;
  tree->line_of[at] = tree->line;
  return at;
}

struct option {
  uint32_t to;
  uint32_t plies; /* that the strategy has after it */
};

static int compare_options(const void *left, const void *right)
{
  const struct option *a = left, *b = right;
  if (a->plies != b->plies)
    return a->plies > b->plies ? -1 : 1;
  return a->to < b->to ? -1 : a->to > b->to;
}

/* Those that delay the winner most come first, by node where that is the same. */
static struct option *options_of(const struct tree *tree, struct state state, uint32_t *count)
{
  const uint32_t *moves = moves_from(tree->arena, &state, count);
  struct option *options = calloc(*count ? *count : 1, sizeof *options);
  for (uint32_t i = 0; options && i < *count; i++) {
    uint32_t at;
    bool known = state_index_find(&tree->index, tree->arena->nodes, moved(state, moves[i]), &at);
    bool wins = tree->strategy->goal == GOAL_WIN;
    options[i] = (struct option){moves[i], known && wins ? tree->strategy->states[at].plies : 0};
  }
  if (options)
    qsort(options, *count, sizeof *options, compare_options);
  return options;
}

static void begin_line(struct tree *tree, uint32_t level)
{
  tree->line++;
  printf("%4u  %*s", tree->line, 2 * (int)(level < INDENT_MOST ? level : INDENT_MOST), "");
  if (level > INDENT_MOST)
    printf("(%u) ", level);
}

static int print_options(struct tree *tree, uint32_t at, uint32_t level)
{
  const struct proof_state here = tree->strategy->states[at];
  uint32_t count;
  int status = 0;
  struct option *options = options_of(tree, here.state, &count);
  if (!options)
    return -ENOMEM;
  for (uint32_t i = 0; i < count && status == 0; i++) {
    struct walk walk = {.state = here.state, .plies = here.plies};
    begin_line(tree, level);
    print_move(tree, &walk, options[i].to);
    uint32_t below = walk_on(tree, &walk, level);
    if (below != STATE_NONE)
      status = print_options(tree, below, level + 1);
  }
  free(options);
  return status;
}

static int print_all(struct tree *tree, const struct state *start)
{
  const struct strategy *strategy = tree->strategy;
  struct walk walk = {.state = *start, .plies = strategy->states[0].plies};
  char mouse[WORDS_MAX], cat[WORDS_MAX];
  uint32_t at, only;
  place_words(tree->arena->cols, start->mouse, mouse);
  place_words(tree->arena->cols, start->cat, cat);
  begin_line(tree, 0);
  printf("mouse at %s, cat at %s", mouse, cat);
  fputs(look(tree, &walk, 0, &at, &only) == GOES_ON ? "; " : "", stdout);
  uint32_t below = walk_on(tree, &walk, 0);
  return below == STATE_NONE ? 0 : print_options(tree, below, 1);
}

static int number_states(struct tree *tree)
{
  const struct strategy *strategy = tree->strategy;
  int status = 0;
  uint32_t number;
  tree->line_of = calloc(strategy->states_count, sizeof *tree->line_of);
  if (!tree->line_of)
    return -ENOMEM;
  for (uint32_t at = 0; at < strategy->states_count && status >= 0; at++)
    status = state_index_add(&tree->index, tree->arena->nodes, strategy->states[at].state, &number);
  return status < 0 ? status : 0;
}

int proof_tree_print(const struct arena *arena, const struct strategy *strategy,
                     const struct state *start, uint32_t levels, uint32_t *lines, bool *folded)
{
  struct tree tree = {.arena = arena,
                      .strategy = strategy,
                      .line = *lines,
                      .levels = levels < LEVELS_MOST ? levels : LEVELS_MOST};
  int status = number_states(&tree);
  if (status == 0)
    status = print_all(&tree, start);
  *lines = tree.line;
  *folded |= tree.folded;
  state_index_deinit(&tree.index);
  free(tree.line_of);
  return status;
}
