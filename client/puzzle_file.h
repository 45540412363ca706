/* Puzzles from files. */
#ifndef CATMOUSE_CLIENT_PUZZLE_FILE_H
#define CATMOUSE_CLIENT_PUZZLE_FILE_H

#include "client/cmclient.h"

/*
 * What cm_puzzle_parse() takes, from a file; `path` NULL or "-" is standard input. 0, or an exit status
 * with the sentence on stderr.
 */
int puzzle_file_read(struct cm_client *client, const char *path, struct cm_puzzle **puzzle);

#endif
