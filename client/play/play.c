/*
 * One line is read at a time: a move, or a word of the table below. The opponent answers each move. Ends with the
 * game, which can be taken back at a terminal, with "quit" or with the input. Fails for want of memory alone.
 */
#include "client/play/play.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "client/play/move_text.h"
#include "client/show_grid.h"
#include "client/show_proof.h"
#include "client/words.h"
#include "solver/explain.h"
#include "solver/ranking.h"

enum { LEVELS_OF_WHY = 2, STATES_OF_WHY = 50000, LINE_MOST = 40, NODES_SHOWN = 30 };

static void place_of(const struct game_under_way *game, uint32_t node, char words[static WORDS_MAX])
{
  place_words(game->arena->cols, node, words);
}

static uint32_t mover_at(const struct state *state)
{
  return state->turn == PLAYER_MOUSE ? state->mouse : state->cat;
}

static void print_grid(const struct play *play)
{
  struct cm_state state = {.mouse = play->game.state.mouse,
                           .cat = play->game.state.cat,
                           .turn = (enum cm_player)play->game.state.turn};
  show_grid(play->style, &state, NULL, 0);
}

/* A small graph on a terminal: who is where, and where one can go from each node. */
static void print_graph(const struct play *play)
{
  const struct game_under_way *game = &play->game;
  const struct moves *moves = &game->arena->moves[PLAYER_MOUSE];
  if (game->arena->game != GAME_GRAPH || play->style->columns == 0 ||
      game->arena->nodes > NODES_SHOWN)
    return;
  for (uint32_t node = 0; node < game->arena->nodes; node++) {
    printf("%c%3u:", node == game->state.cat ? 'C' : node == game->state.mouse ? 'M' : ' ', node);
    for (uint32_t i = moves->begin[node]; i < moves->end[node]; i++)
      printf(" %u", moves->to[i]);
    puts(node_in(game->arena->home[PLAYER_MOUSE], node) ? "  the hole" : "");
  }
}

static void print_choices(const struct game_under_way *game)
{
  const struct moves *moves = &game->arena->moves[game->state.turn];
  uint32_t from = mover_at(&game->state);
  fputs("You can go", stdout);
  for (uint32_t i = moves->begin[from]; i < moves->end[from]; i++) {
    char place[WORDS_MAX], letter = move_letter(game->arena, &game->state, moves->to[i]);
    place_of(game, moves->to[i], place);
    fputs(i == moves->begin[from] ? " " : ", ", stdout);
    if (letter != ' ')
      printf("%c ", letter);
    if (moves->to[i] == from)
      fputs("stay", stdout);
    else
      printf("to %s", place);
  }
  puts(".");
}

static void print_state(const struct play *play)
{
  const struct state *state = &play->game.state;
  char mouse[WORDS_MAX], cat[WORDS_MAX];
  place_of(&play->game, state->mouse, mouse);
  place_of(&play->game, state->cat, cat);
  printf("\nmouse at %s, cat at %s, the %s to move\n", mouse, cat,
         player_name((enum cm_player)state->turn));
  print_grid(play);
  print_graph(play);
  print_choices(&play->game);
}

/* Each of these is a word that can be said instead of a move. 0 or -ENOMEM. */

static int say_ranked(struct play *play)
{
  for (size_t i = 0; i < play->game.moves_count; i++) {
    const struct ranked_move *move = &play->game.moves[i];
    char place[WORDS_MAX], words[WORDS_MAX];
    bool stays = move->to == mover_at(&play->game.state);
    place_of(&play->game, move->to, place);
    verdict_words((enum cm_outcome)move->value.outcome, move->value.plies, words);
    printf("  %c %s%-*s %s\n", move_letter(play->game.arena, &play->game.state, move->to),
           stays ? "" : "to ", stays ? 11 : 8, stays ? "stay" : place, words);
  }
  return 0;
}

static int say_undo(struct play *play)
{
  if (!game_undo(&play->game))
    puts("There is nothing to take back.");
  return 0;
}

static int say_why(struct play *play)
{
  const struct game_under_way *game = &play->game;
  struct proof proof;
  bool folded = false, whole = true;
  uint32_t limit =
      game->limit_plies == LIMIT_NONE ? LIMIT_NONE : game->limit_plies - game->plies_count;
  int error = explain(game->arena, game->table, &game->state, limit, STATES_OF_WHY, &proof);
  if (error == -EFBIG) {
    whole = false;
    error = explain_beginning(game->arena, game->table, &game->state, limit, 2 * LEVELS_OF_WHY + 1,
                              STATES_OF_WHY, &proof);
  }
  if (error == -EFBIG) {
    puts("The reasons are too many to show.");
    return 0;
  }
  if (error)
    return error;
  error = show_proof(play->style, game->arena, &proof, whole, LEVELS_OF_WHY, &folded);
  proof_deinit(&proof);
  return error;
}

static int say_line(struct play *play)
{
  const struct game_under_way *game = &play->game;
  struct state at = game->state;
  struct line line;
  uint32_t limit =
      game->limit_plies == LIMIT_NONE ? LIMIT_NONE : game->limit_plies - game->plies_count;
  if (answer_line(game->arena, game->table, &game->state, limit, LINE_MOST, &line) < 0)
    return -ENOMEM;
  for (uint32_t i = 0; i < line.count; i++) {
    char place[WORDS_MAX];
    bool stays = line.moves[i] == mover_at(&at);
    place_of(game, line.moves[i], place);
    printf("%s%s %s%s", i == 0 ? "" : ", ", player_name((enum cm_player)at.turn),
           stays ? "stays" : "to ", stays ? "" : place);
    at = state_after(at, line.moves[i]);
  }
  puts(line.end == LINE_FULL      ? " and so on"
       : line.end == LINE_REPEATS ? ": and so on for ever"
                                  : "");
  free(line.moves);
  return 0;
}

static int say_swap(struct play *play)
{
  play->game.person = player_other(play->game.person);
  printf("You are the %s now.\n", player_name((enum cm_player)play->game.person));
  return 0;
}

static int say_help(struct play *play);

static const struct word {
  const char *name;
  const char *meaning;
  int (*say)(struct play *play); /* NULL: the game ends */
} words_to_say[] = {
    {"?", "your moves, best first", say_ranked},
    {"undo", "take your last move back", say_undo},
    {"why", "why the position is won, or a draw", say_why},
    {"line", "how best play goes on", say_line},
    {"swap", "change sides", say_swap},
    {"help", "this", say_help},
    {"quit", "leave; exit does, too", NULL},
    {"exit", NULL, NULL},
};

enum { WORDS_TO_SAY = sizeof words_to_say / sizeof *words_to_say };

static int say_help(struct play *play)
{
  puts(play->game.arena->cols > 0
           ? "Move by row:col, by letter, with up, down, left, right and how far, or stay;\n"
             "arrow keys do, too, one for each cell, then Enter."
           : "Move by node or by letter.");
  for (int i = 0; words_to_say[i].meaning; i++)
    printf("  %-6s %s\n", words_to_say[i].name, words_to_say[i].meaning);
  return 0;
}

static bool is_move(const struct game_under_way *game, uint32_t to)
{
  for (size_t i = 0; i < game->moves_count; i++) {
    if (game->moves[i].to == to)
      return true;
  }
  return false;
}

/* 1 where the person wins, 0 for neither, -1 where the other does. */
static int worth(enum outcome outcome, enum player person)
{
  return outcome == OUTCOME_DRAW ? 0 : outcome == (enum outcome)person ? 1 : -1;
}

/* What a move of the person gave away, if anything: "That threw away a win in 7 plies." */
static void judge(const struct game_under_way *game, const struct answer_value *before,
                  const struct answer_value *after)
{
  int had = worth(before->outcome, game->person), has = worth(after->outcome, game->person);
  if (has >= had)
    return;
  if (had == 0)
    puts("That threw away a draw.");
  else if (before->plies == PLIES_NONE)
    puts("That threw away a win.");
  else
    printf("That threw away a win in %u %s.\n", before->plies,
           before->plies == 1 ? "ply" : "plies");
}

static int play_person(struct play *play, uint32_t to)
{
  struct game_under_way *game = &play->game;
  struct answer_value before = game_value(game), after = before;
  for (size_t i = 0; i < game->moves_count; i++) {
    if (game->moves[i].to == to)
      after = game->moves[i].value;
  }
  int status = game_play(game, to);
  if (status == 0)
    judge(game, &before, &after);
  return status;
}

/* SplitMix64 (Steele, Lea and Flood, 2014). */
static uint32_t chance_below(struct play *play, uint32_t bound)
{
  uint64_t mixed = play->chances += UINT64_C(0x9e3779b97f4a7c15);
  mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
  return (uint32_t)((mixed ^ mixed >> 31) % bound);
}

static int play_opponent(struct play *play)
{
  struct game_under_way *game = &play->game;
  bool errs = chance_below(play, LEVEL_PERFECT) >= play->level;
  uint32_t choice = errs ? chance_below(play, (uint32_t)game->moves_count) : 0;
  uint32_t to = game->moves[choice].to;
  const char *name = player_name((enum cm_player)game->state.turn);
  char place[WORDS_MAX];
  place_of(game, to, place);
  if (to == mover_at(&game->state))
    printf("The %s stays.\n", name);
  else
    printf("The %s goes to %s.\n", name, place);
  return game_play(game, to);
}

/* Keys that write no letter are not echoed: a terminal would obey them. */
static void refuse(const char *text)
{
  bool plain = true;
  for (const char *at = text; *at; at++)
    plain = plain && (unsigned char)*at >= ' ' && *at != '\177';
  printf("%s is no move, and nothing else to say here; help says what is, quit leaves.\n",
         plain ? text : "That");
}

/* One line of the person's. 1 where the game is left, else 0 or -ENOMEM. */
static int take_line(struct play *play, const char *text)
{
  uint32_t to;
  for (int i = 0; i < WORDS_TO_SAY; i++) {
    if (strcmp(words_to_say[i].name, text) == 0)
      return words_to_say[i].say ? words_to_say[i].say(play) : 1;
  }
  if (!move_parse(play->game.arena, &play->game.state, text, &to)) {
    refuse(text);
    return 0;
  }
  if (is_move(&play->game, to))
    return play_person(play, to);
  puts("You cannot go there.");
  return 0;
}

/* Words and letters alone: the letter of an arrow key stays as it is. */
static void lower(char *text)
{
  for (char *at = text; *at && *at != '\033'; at++)
    *at = (char)tolower((unsigned char)*at);
}

/* What getline() reads into. */
struct line_room {
  char *line;
  size_t room;
};

/* The next line in lower case, without the spaces around it; false at the end of the input. */
static bool read_line(struct play *play, struct line_room *input, char **text)
{
  if (play->prompt)
    printf("%s> ", player_name((enum cm_player)play->game.person));
  fflush(stdout);
  if (getline(&input->line, &input->room, play->in) < 0) {
    fputs(play->prompt ? "\n" : "", stdout);
    return false;
  }
  *text = input->line + strspn(input->line, " \t\r\n");
  size_t length = strlen(*text);
  while (length > 0 && strchr(" \t\r\n", (*text)[length - 1]))
    (*text)[--length] = '\0';
  lower(*text);
  return true;
}

static void print_end(const struct game_under_way *game)
{
  enum outcome outcome = game_outcome(game);
  switch (game_end(game)) {
  case GAME_CAUGHT: fputs("The mouse is caught: ", stdout); break;
  case GAME_HOME:
    printf("The %s is %s: ", player_name((enum cm_player)outcome),
           game->arena->game == GAME_GRAPH ? "home" : "at the food");
    break;
  case GAME_REPEATED: fputs("The position was there before: ", stdout); break;
  case GAME_LIMIT: printf("%u plies are played: ", game->limit_plies); break;
  default: fputs("No move is left: ", stdout); break;
  }
  int won = worth(outcome, game->person);
  puts(won > 0 ? "you win." : won < 0 ? "you lose." : "a draw.");
}

/* How the person did beside best play. */
static void print_summary(const struct game_under_way *game)
{
  struct answer_value value =
      answer_value(game->arena, game->table, &game->start, game->limit_plies);
  char words[WORDS_MAX];
  unsigned moves = 0, best = 0;
  for (uint32_t i = 0; i < game->plies_count; i++) {
    moves += game->plies[i].by_person;
    best += game->plies[i].by_person && game->plies[i].best;
  }
  verdict_words((enum cm_outcome)value.outcome, value.plies, words);
  printf("%u %s", game->plies_count,
         game->plies_count == 1 ? "ply was played" : "plies were played");
  if (moves == 1)
    printf("; your move was %sthe best", best ? "" : "not ");
  else if (moves > 1)
    printf("; %u of your %u moves were the best", best, moves);
  printf(". Best play from the start: %s\n", words);
}

/* The person's turn: until a move, or the sides are changed. 1 where the game is left, else 0 or -ENOMEM. */
static int take_turn(struct play *play, struct line_room *input)
{
  const struct game_under_way *game = &play->game;
  const uint32_t plies = game->plies_count;
  const enum player person = game->person;
  int status = 0;
  print_state(play);
  while (status == 0 && plies == game->plies_count && person == game->person) {
    char *text;
    if (!read_line(play, input, &text))
      return 1;
    status = *text ? take_line(play, text) : 0;
  }
  return status;
}

/* Is the game to go on from before the person's last move? */
static bool takes_back(struct play *play, struct line_room *input)
{
  char *text;
  puts("undo takes your last move back; anything else leaves.");
  return read_line(play, input, &text) && strcmp(text, "undo") == 0 && game_undo(&play->game);
}

static int play_to_end(struct play *play, struct line_room *input)
{
  struct game_under_way *game = &play->game;
  int status = 0;
  while (status == 0 && game_end(game) == GAME_GOES_ON)
    status = game->state.turn == game->person ? take_turn(play, input) : play_opponent(play);
  if (status == 0)
    print_end(game);
  if (status >= 0 && game->plies_count > 0)
    print_summary(game);
  return status;
}

int play_run(struct play *play)
{
  struct line_room input = {0};
  int status;
  printf("You are the %s; help says what you can say.\n",
         player_name((enum cm_player)play->game.person));
  do
    status = play_to_end(play, &input);
  while (status == 0 && play->prompt && takes_back(play, &input));
  free(input.line);
  return status < 0 ? status : 0;
}
