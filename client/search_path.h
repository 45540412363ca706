/* Where a program is, as a shell finds it. */
#ifndef CATMOUSE_CLIENT_SEARCH_PATH_H
#define CATMOUSE_CLIENT_SEARCH_PATH_H

#include <limits.h>
#include <stdbool.h>

/* `name` itself where it has a slash, else in the folders of $PATH; false where no program is there. */
bool search_path_find(const char *name, char path[static PATH_MAX]);

#endif
