/*
 * What all files that read need: the token moves on, lists grow, and a puzzle begins and ends. At its end it is checked,
 * and is a struct puzzle where it has no fault.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "solver/arena.h"
#include "text/reader.h"

/* Moves of a grid: an arena of so many is made at once, and one of up to so many is not refused. */
enum { MOVES_QUICKLY = 1 << 22, MOVES_ALLOWED = 1 << 27 };

void reader_take(struct reader *reader)
{
  reader->last = reader->token;
  reader->token = scan_token(&reader->scanner);
}

void reader_move(struct reader *reader, uint32_t at)
{
  reader->last = (struct token){.kind = TOKEN_OTHER, .span = {at, 0}};
  reader->scanner.at = at;
  reader->token = scan_token(&reader->scanner);
}

bool reader_at_key(const struct reader *reader)
{
  struct scanner ahead = reader->scanner;
  return (reader->token.kind == TOKEN_TEXT || reader->token.kind == TOKEN_WORD) &&
         scan_token(&ahead).kind == TOKEN_ASSIGN;
}

struct text_span reader_skip_value(struct reader *reader)
{
  const struct text_span begin = reader->token.span;
  uint32_t depth = 0;
  do {
    if (reader->token.kind == TOKEN_OPEN)
      depth++;
    else if (reader->token.kind == TOKEN_CLOSE && depth > 0)
      depth--;
    reader_take(reader);
  } while (depth > 0 && reader->token.kind != TOKEN_END);
  return span_between(begin, reader->last.span);
}

bool reader_grow(struct reader *reader, void *things, uint32_t count, uint32_t *room, size_t size)
{
  void **at = things;
  if (count < *room)
    return true;
  uint32_t wanted = *room ? 2 * *room : 16;
  void *grown = reader->failed || wanted <= *room ? NULL : realloc(*at, wanted * size);
  if (!grown) {
    reader->failed = true;
    return false;
  }
  *at = grown;
  *room = wanted;
  return true;
}

void reader_extend(struct reader *reader, struct text_span span)
{
  struct text_span *all = &reader->puzzle->span;
  const uint32_t end = span_end(*all) > span_end(span) ? span_end(*all) : span_end(span);
  const uint32_t begin = all->length == 0 || span.at < all->at ? span.at : all->at;
  *all = (struct text_span){begin, end - begin};
}

bool reader_begin_puzzle(struct reader *reader, enum text_form form)
{
  struct text *text = reader->text;
  reader_end_puzzle(reader);
  if (!reader_grow(reader, &text->puzzles, text->puzzles_count, &reader->puzzles_room,
                   sizeof *text->puzzles))
    return false;
  reader->puzzle = &text->puzzles[text->puzzles_count++];
  *reader->puzzle = (struct text_puzzle){.form = form};
  reader->items_room = reader->first_room = reader->neighbours_room = reader->numbers_room = 0;
  reader->lengths_room = reader->cells_room = 0;
  reader->neighbours_count = reader->cells_count = 0;
  return true;
}

/* What the rules of the games ask beyond the lists. */
static void check_entries(struct reader *reader)
{
  struct text_puzzle *puzzle = reader->puzzle;
  if (!puzzle->has_game) {
    if (puzzle->faults.count == 0)
      reader_fault(reader, TEXT_NO_GAME, puzzle->span, "puzzle has neither graph nor grid");
    return;
  }
  for (enum text_key key = TEXT_KEY_CAT_JUMP; key < TEXT_KEYS; key++) {
    const struct text_entry *entry = &puzzle->entry[key];
    if (puzzle->game == GAME_GRAPH && entry->given)
      reader_fault(reader, TEXT_TWO_GAMES, entry->key.length ? entry->key : entry->value,
                   "puzzle has graph and %s", text_key_names[key]);
    else if (puzzle->game == GAME_GRID && !entry->given && puzzle->list_closed)
      fault_advise(reader_fault(reader, TEXT_MISSING_JUMP,
                                (struct text_span){span_end(puzzle->span), 0},
                                "puzzle has a grid but no %s", text_key_names[key]),
                   "write %s = 1 behind the grid, or catJump and mouseJump as two numbers",
                   text_key_names[key]);
  }
}

static void fill_puzzle(struct text_puzzle *made)
{
  if (made->game == GAME_GRAPH) {
    made->puzzle.game = GAME_GRAPH;
    made->puzzle.graph.nodes = made->items_count;
    made->puzzle.graph.first = made->first;
    made->puzzle.graph.neighbour = made->neighbour;
    return;
  }
  made->puzzle.game = GAME_GRID;
  made->puzzle.grid.rows = made->items_count;
  made->puzzle.grid.row = made->row;
  made->puzzle.grid.row_length = made->row_length;
  made->puzzle.grid.jump[PLAYER_MOUSE] = made->jump[PLAYER_MOUSE];
  made->puzzle.grid.jump[PLAYER_CAT] = made->jump[PLAYER_CAT];
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

/* The moves of a grid without walls: no grid of its size and jumps has more. */
static uint64_t moves_at_most(const struct text_puzzle *puzzle)
{
  uint64_t cells = 0, columns = 0, moves = 0;
  for (uint32_t row = 0; row < puzzle->items_count; row++) {
    cells += puzzle->row_length[row];
    columns = puzzle->row_length[row] > columns ? puzzle->row_length[row] : columns;
  }
  for (int player = 0; player < 2; player++) {
    uint64_t reach = puzzle->jump[player] > 0 ? 2 * (uint64_t)puzzle->jump[player] : 0;
    moves += cells * (1 + smaller(reach, columns) + smaller(reach, puzzle->items_count));
  }
  return moves;
}

/* Would making the arena take long, and yet not be refused for its moves? Then the rules are checked without it. */
static bool is_costly(const struct text_puzzle *puzzle)
{
  if (puzzle->game == GAME_GRAPH)
    return false;
  const uint64_t moves = moves_at_most(puzzle);
  return moves > MOVES_QUICKLY && moves <= MOVES_ALLOWED;
}

/* The solver's own check decides; where it complains, all faults are looked for. */
static void check_puzzle(struct reader *reader)
{
  struct text_puzzle *puzzle = reader->puzzle;
  struct complaint complaint = {""};
  struct arena *arena = NULL;
  int error = puzzle->faults.count > 0 || is_costly(puzzle)
                  ? -EINVAL
                  : arena_new(&puzzle->puzzle, &arena, &complaint);
  if (error == -ENOMEM)
    reader->failed = true;
  else if (error && puzzle->game == GAME_GRAPH)
    check_graph(reader);
  else if (error)
    check_grid(reader);
  else
    arena_free(arena);
  if (complaint.text[0] && puzzle->faults.count == 0)
    reader_fault(reader, TEXT_BAD_PUZZLE, puzzle->list, "%s", complaint.text);
}

/* Pointers to rows, now that their cells stay where they are. */
static bool point_rows(struct reader *reader)
{
  struct text_puzzle *puzzle = reader->puzzle;
  puzzle->row = malloc((puzzle->items_count + 1) * sizeof *puzzle->row);
  if (!puzzle->row ||
      !reader_grow(reader, &puzzle->cells, reader->cells_count, &reader->cells_room, 1))
    return false;
  for (uint32_t row = 0, at = 0; row < puzzle->items_count; at += puzzle->row_length[row++])
    puzzle->row[row] = puzzle->cells ? puzzle->cells + at : "";
  return true;
}

void reader_end_puzzle(struct reader *reader)
{
  struct text_puzzle *puzzle = reader->puzzle;
  if (puzzle && !reader->failed) {
    check_entries(reader);
    if (puzzle->has_game && puzzle->game == GAME_GRID && !point_rows(reader))
      reader->failed = true;
    else if (puzzle->has_game) {
      fill_puzzle(puzzle);
      check_puzzle(reader);
    }
    faults_sort(&puzzle->faults);
  }
  reader->puzzle = NULL;
}
