/*
 * The best move of a puzzle, with libcmclient:
 *
 *     cc hint.c -o hint $(pkg-config --cflags --libs libcmclient) && ./hint puzzles/graph.json
 */
#include <cmclient.h>
#include <stdio.h>
#include <stdlib.h>

enum { TEXT_MAX = 1 << 20 };

static int fail(const struct cm_client *client)
{
  const char *name = cm_error_name(client);
  fprintf(stderr, "%s%s%s\n", name ? name : "", name ? ": " : "", cm_error(client));
  return EXIT_FAILURE;
}

/* Solves the puzzle and asks about its start. */
static int hint(struct cm_client *client, const char *text, size_t length)
{
  static const char *const players[] = {[CM_MOUSE] = "mouse", [CM_CAT] = "cat"};
  static const char *const outcomes[] = {
      [CM_MOUSE_WINS] = "mouse", [CM_CAT_WINS] = "cat", [CM_DRAW] = "draw"};
  struct cm_puzzle *puzzle;
  struct cm_solved solved;
  struct cm_query query;
  if (cm_puzzle_parse(client, text, length, &puzzle))
    return fail(client);
  int error = cm_solve(client, puzzle, &solved);
  cm_puzzle_free(puzzle);
  if (error == 0)
    error = cm_query(client, &(struct cm_which){.id = solved.id}, &solved.start, CM_LIMIT_OF_GAME,
                     &query);
  if (error)
    return fail(client);
  printf("%s", outcomes[query.outcome]);
  if (query.plies != CM_PLIES_NONE)
    printf(" in %u plies", (unsigned)query.plies);
  printf("; the %s ", players[query.state.turn]);
  if (query.moves_count > 0)
    printf("should go to %u\n", (unsigned)query.moves[0].to);
  else
    printf("has no move\n");
  return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
  static char text[TEXT_MAX];
  struct cm_client *client;
  FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
  if (!file) {
    fprintf(stderr, "usage: hint PUZZLE\n");
    return EXIT_FAILURE;
  }
  size_t length = fread(text, 1, sizeof text, file);
  fclose(file);
  if (cm_open(NULL, &client)) {
    fprintf(stderr, "out of memory\n");
    return EXIT_FAILURE;
  }
  int status = hint(client, text, length);
  cm_close(client);
  return status;
}
