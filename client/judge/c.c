/*
 * Runs LeetCode's C: cases of the test-case box on standard input, an answer a line. JUDGE_SOLUTION is the file with the
 * solution, JUDGE_GRAPH or JUDGE_GRID its game. What the solution prints itself goes to standard error.
 */
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include JUDGE_SOLUTION

enum { JUDGE_MOST = 64 };

#ifdef JUDGE_GRAPH
static int judge_answer(char *line)
{
  static int neighbours[JUDGE_MOST][JUDGE_MOST], sizes[JUDGE_MOST];
  int *graph[JUDGE_MOST], nodes = 0;
  for (char *at = strchr(line, '[') + 1; (at = strchr(at, '[')) && nodes < JUDGE_MOST; nodes++) {
    graph[nodes] = neighbours[nodes];
    sizes[nodes] = 0;
    for (at++; *at != ']'; at += *at == ',')
      neighbours[nodes][sizes[nodes]++] = (int)strtol(at, &at, 10);
  }
  return catMouseGame(graph, nodes, sizes);
}
#else
static bool judge_answer(char *line)
{
  static char jump[2][64];
  char *grid[JUDGE_MOST];
  int rows = 0;
  for (char *at = line; (at = strchr(at, '"')) && rows < JUDGE_MOST; rows++) {
    grid[rows] = ++at;
    at = strchr(at, '"');
    *at++ = '\0';
  }
  if (!fgets(jump[0], sizeof jump[0], stdin) || !fgets(jump[1], sizeof jump[1], stdin))
    exit(1);
  return canMouseWin(grid, rows, atoi(jump[0]), atoi(jump[1]));
}
#endif

int main(void)
{
  static char line[1 << 20];
  int answers = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  dprintf(answers, "ready\n");
  while (fgets(line, sizeof line, stdin))
#ifdef JUDGE_GRAPH
    dprintf(answers, "%d\n", judge_answer(line));
#else
    dprintf(answers, "%s\n", judge_answer(line) ? "true" : "false");
#endif
  return 0;
}
