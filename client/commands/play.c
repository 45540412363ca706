/* A game against the table. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "client/local.h"
#include "client/play/play.h"

static const char *const side_names[] = {"mouse", "cat", NULL};

struct play_options {
  int side;       /* enum player */
  uint32_t level; /* 0 where not given */
  uint32_t seed;  /* 0 where not given */
};

/* A uint32_t from 1 to LEVEL_PERFECT. */
static int take_level(const struct option_kind *kind, const char *text, void *field,
                      char why[static OPTION_WHY_MAX])
{
  int error = take_number(kind, text, field, why);
  uint32_t level = *(uint32_t *)field;
  if (error || (level >= 1 && level <= LEVEL_PERFECT))
    return error;
  snprintf(why, OPTION_WHY_MAX, "--level is %s, not a number from 1 to %d", text, LEVEL_PERFECT);
  return -EINVAL;
}

static const struct option_kind own_options[] = {
    {.name = "as",
     .argument = "SIDE",
     .take = take_choice,
     .field = offsetof(struct play_options, side),
     .choices = side_names,
     .meaning = "play the mouse or the cat; the mouse without it"},
    {.name = "level",
     .argument = "N",
     .take = take_level,
     .field = offsetof(struct play_options, level),
     .meaning = "of 10 moves of the opponent, N are best and the others by chance; 10 without it"},
    {.name = "seed",
     .argument = "N",
     .take = take_number,
     .field = offsetof(struct play_options, seed),
     .meaning = "the same chances again, where N is the same"},
    {0}};

static int play(struct task *task, const struct local *local, const struct state *state)
{
  const struct play_options *own = task->own;
  struct play play = {.style = &task->style,
                      .in = stdin,
                      .prompt = isatty(STDIN_FILENO) != 0,
                      .level = own->level ? own->level : LEVEL_PERFECT,
                      .chances = own->seed};
  if (own->seed == 0 && getrandom(&play.chances, sizeof play.chances, 0) < 0)
    play.chances = (uint64_t)getpid();
  int error = game_init(&play.game, local->arena, local->table, state,
                        local_limit(task, local->arena), (enum player)own->side);
  if (error == 0)
    error = play_run(&play);
  game_deinit(&play.game);
  return error ? task_misuse(task, "out of memory for the game") : EXIT_ANSWERED;
}

static int run(struct task *task)
{
  struct local local;
  struct state state;
  if (task->arguments_count > 0 && strcmp(task->arguments[0], "-") == 0)
    return task_misuse(task,
                       "play reads moves from standard input, so the puzzle must be in a FILE");
  int status = local_find(task, false, &local);
  if (status == 0)
    status = local_solve(task, &local, &state);
  if (status == 0) {
    subject_tell(&local.subject, stdout);
    status = play(task, &local, &state);
  }
  local_deinit(&local);
  return status;
}

const struct command command_play = {
    .name = "play",
    .arguments = "[FILE]",
    .arguments_max = 1,
    .meaning = "play a puzzle against a perfect opponent",
    .details = "Asks for a move, and the opponent answers with its best, until the game is over. "
               "help says what\n"
               "else can be said: ? ranks the moves, undo takes one back, also after the end at a "
               "terminal, why and\n"
               "line explain, swap changes sides. In a graph, a position that comes again is a "
               "draw.",
    .example = "$ cmclient play examples/puzzles/garden.json\n"
               "You are the mouse; help says what you can say.\n"
               "\n"
               "mouse at 4:4, cat at 3:6, the mouse to move\n"
               "  F...#...\n"
               "  .##..#..\n"
               "  .#......\n"
               "  ......C.\n"
               "  ....M..#\n"
               "  .......#\n"
               "You can go a to 3:4, b to 4:3, c stay, d to 4:5, e to 5:4.\n",
    .needs = NEEDS_DAEMON,
    .shared = OPTION(STATE) | OPTION(START) | OPTION(ID) | OPTION(LIMIT) | OPTION(COLOUR),
    .own = own_options,
    .own_bytes = sizeof(struct play_options),
    .run = run,
};
