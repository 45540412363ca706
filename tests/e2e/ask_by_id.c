/*
 * ask_by_id SOCKET: has each puzzle of standard input solved, a line each, and asks about its start by id alone. Prints
 * the outcome and the plies. Ends with 1 and a sentence where an answer is missing.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/cmclient.h"

static int ask(struct cm_client *client, const struct cm_puzzle *puzzle, struct cm_query *query)
{
  struct cm_solved solved;
  int error = cm_solve(client, puzzle, &solved);
  if (error)
    return error;
  const struct cm_which which = {.id = solved.id};
  return cm_query(client, &which, &solved.start, CM_LIMIT_OF_GAME, query);
}

static int answer_line(struct cm_client *client, const char *line)
{
  static const char *const outcomes[] = {"mouse", "cat", "draw"};
  struct cm_puzzle *puzzle;
  struct cm_query query;
  if (cm_puzzle_parse(client, line, strlen(line), &puzzle))
    return -1;
  int error = ask(client, puzzle, &query);
  cm_puzzle_free(puzzle);
  if (error)
    return error;
  if (query.plies == CM_PLIES_NONE)
    printf("%s\t-\n", outcomes[query.outcome]);
  else
    printf("%s\t%" PRIu32 "\n", outcomes[query.outcome], query.plies);
  fflush(stdout);
  return 0;
}

int main(int count, char **arguments)
{
  struct cm_client *client;
  char *line = NULL;
  size_t room = 0;
  int error = 0;
  const struct cm_options options = {.socket = count > 1 ? arguments[1] : NULL,
                                     .no_autostart = true};
  if (cm_open(&options, &client))
    return 1;
  while (error == 0 && getline(&line, &room, stdin) > 0)
    error = answer_line(client, line);
  if (error)
    fprintf(stderr, "%s\n", cm_error(client));
  free(line);
  cm_close(client);
  return error != 0;
}
