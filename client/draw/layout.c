/*
 * The happy path: Graphviz is given the graph in a file without a name, and answers with coordinates in inches
 * (its format "plain": https://graphviz.org/docs/outputs/plain/). Fails where the program is missing or fails,
 * and for want of memory.
 */
#include "client/draw/layout.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client/failure.h"

enum { LARGE_FROM = 300, PIXELS_AN_INCH = 72, MARGIN = 34 };

extern char **environ;

static int write_graph(const struct arena *arena, FILE *file)
{
  const struct moves *moves = &arena->moves[PLAYER_MOUSE];
  fputs("graph {\n  overlap=false; start=1;\n  node [shape=circle, width=0.7, fixedsize=true];\n",
        file);
  for (uint32_t node = 0; node < arena->nodes; node++) {
    fprintf(file, "  %u;\n", node);
    for (uint32_t i = moves->begin[node]; i < moves->end[node]; i++) {
      if (moves->to[i] > node)
        fprintf(file, "  %u -- %u;\n", node, moves->to[i]);
    }
  }
  fputs("}\n", file);
  return fflush(file) == 0 && fseek(file, 0, SEEK_SET) == 0 ? 0 : -errno;
}

/* The program with the graph as its standard input; `out` is to be read to the end. 0 or a negative errno. */
static int spawn_program(const char *program, int in, pid_t *pid, FILE **out)
{
  posix_spawn_file_actions_t actions;
  char *const arguments[] = {(char *)program, "-Tplain", NULL};
  int ends[2];
  if (pipe(ends) < 0)
    return -errno;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  int error = posix_spawnp(pid, program, &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  *out = error ? NULL : fdopen(ends[0], "r");
  if (!*out)
    close(ends[0]);
  return -error;
}

/* Lines "graph 1 WIDTH HEIGHT" and "node NAME X Y ...", with y upwards; edges are left alone. */
static uint32_t read_places(FILE *out, const struct arena *arena, struct layout *layout)
{
  char *line = NULL;
  size_t room = 0;
  uint32_t node, found = 0;
  double scale, width = 0, height = 0, x, y;
  while (getline(&line, &room, out) > 0) {
    if (sscanf(line, "graph %lf %lf %lf", &scale, &width, &height) == 3)
      continue;
    if (sscanf(line, "node %u %lf %lf", &node, &x, &y) != 3 || node >= arena->nodes)
      continue;
    layout->nodes[node] =
        (struct point){MARGIN + x * PIXELS_AN_INCH, MARGIN + (height - y) * PIXELS_AN_INCH};
    found++;
  }
  free(line);
  layout->width = width * PIXELS_AN_INCH + 2 * MARGIN;
  layout->height = height * PIXELS_AN_INCH + 2 * MARGIN;
  return found;
}

static int run_program(const char *program, FILE *graph, const struct arena *arena,
                       struct layout *layout)
{
  FILE *out = NULL;
  pid_t pid;
  int status = 0;
  int error = spawn_program(program, fileno(graph), &pid, &out);
  if (error == -ENOENT)
    return usage_error("drawing a graph takes Graphviz's program %s, which is missing: install the "
                       "package graphviz",
                       program);
  if (error || !out)
    return usage_error("cannot run %s: %s", program, strerror(-error));
  uint32_t found = read_places(out, arena, layout);
  fclose(out);
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
    ;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || found != arena->nodes)
    return usage_error("%s could not lay the graph out", program);
  return 0;
}

static int lay_graph(const struct arena *arena, struct layout *layout)
{
  FILE *graph = tmpfile();
  if (!graph || write_graph(arena, graph) < 0) {
    int error = errno;
    if (graph)
      fclose(graph);
    return usage_error("cannot write the graph to a temporary file: %s", strerror(error));
  }
  int status = run_program(arena->nodes < LARGE_FROM ? "neato" : "sfdp", graph, arena, layout);
  fclose(graph);
  return status;
}

static void lay_grid(const struct arena *arena, struct layout *layout)
{
  for (uint32_t node = 0; node < arena->nodes; node++)
    layout->nodes[node] = (struct point){MARGIN + (node % arena->cols + 0.5) * CELL_SIDE,
                                         MARGIN + ((double)(node / arena->cols) + 0.5) * CELL_SIDE};
  layout->width = (double)arena->cols * CELL_SIDE + 2 * MARGIN;
  layout->height = (double)arena->rows * CELL_SIDE + 2 * MARGIN;
}

int layout_init(const struct arena *arena, struct layout *layout)
{
  int status = 0;
  *layout = (struct layout){.nodes = calloc(arena->nodes, sizeof *layout->nodes)};
  if (!layout->nodes)
    return usage_error("out of memory for the picture");
  if (arena->game == GAME_GRID)
    lay_grid(arena, layout);
  else
    status = lay_graph(arena, layout);
  if (status)
    layout_deinit(layout);
  return status;
}

void layout_deinit(struct layout *layout)
{
  free(layout->nodes);
  *layout = (struct layout){0};
}
