/* How many states of a puzzle each player wins, and in how many plies. */
#include "client/subject.h"

static int run(struct task *task)
{
  struct subject subject;
  struct cm_stats stats;
  int status = subject_find(task, true, &subject);
  if (status)
    return status;
  int result = cm_stats(task->client, subject.which.id, &stats);
  if (subject_answered(task, &subject, result, stats.id, &status))
    show_stats(&task->style, &stats);
  return status;
}

const struct command command_stats = {
    .name = "stats",
    .arguments = "[FILE|-]",
    .arguments_max = 1,
    .meaning = "count the outcomes of every state",
    .details = "Counts who wins in all states that can be asked about, names the longest win of "
               "each player\n"
               "and shows how many states are won in how many plies.",
    .example = "$ cmclient stats examples/puzzles/graph-list.json\n"
               "graph of 13 nodes, 312 of 338 states can be asked about\n"
               "to move    mouse wins     cat wins      endless\n"
               "mouse              67           89            0\n"
               "cat                39          117            0\n"
               "longest win of the mouse: 7 plies, from 1,2,mouse\n"
               "longest win of the cat: 14 plies, from 2,1,mouse\n"
               "\n"
               "states the mouse wins, by plies\n"
               "     0         24 ########################################\n"
               "     1         11 ##################\n"
               "     2          9 ###############\n"
               "     3         18 ##############################\n"
               "     4         12 ####################\n"
               "     5         18 ##############################\n"
               "     6          6 ##########\n"
               "     7          8 #############\n"
               "\n"
               "states the cat wins, by plies\n"
               "     0         24 ##################################\n"
               "     1         28 ########################################\n"
               "     2         16 #######################\n"
               "     3         10 ##############\n"
               "     4          6 #########\n"
               "     5         12 #################\n"
               "     6         14 ####################\n"
               "     7          8 ###########\n"
               "     8         11 ################\n"
               "     9         11 ################\n"
               "    10         10 ##############\n"
               "    11         20 #############################\n"
               "    12         14 ####################\n"
               "    13         14 ####################\n"
               "    14          8 ###########\n",
    .needs = NEEDS_DAEMON,
    .shared = OPTION(ID) | OPTION(JSON) | OPTION(COLOUR),
    .run = run,
};
