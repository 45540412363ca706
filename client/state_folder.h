/* The user's own folder for what commands remember: $XDG_STATE_HOME/catmouse, else ~/.local/state/catmouse. */
#ifndef CATMOUSE_CLIENT_STATE_FOLDER_H
#define CATMOUSE_CLIENT_STATE_FOLDER_H

#include <limits.h>
#include <stdio.h>

/* Where the file `name` is or would be. 0, -ENOENT where there is no home, or -ENAMETOOLONG. */
int state_folder_path(const char *name, char path[static PATH_MAX]);

/* Makes the folder and all around it. 0 or a negative errno. */
int state_folder_make(void);

/*
 * Writes the file whole or not at all: `write_facts` prints to a file beside it, which is then renamed. 0, what
 * `write_facts` returned, or a negative errno.
 */
int state_folder_replace(const char *name, int (*write_facts)(FILE *file, const void *context),
                         const void *context);

#endif
