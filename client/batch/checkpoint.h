/*
 * A file that says how far a run has come, so that another goes on exactly there. It is written anew and put in the
 * place of the old one at once, so that it is whole whenever the program ends.
 */
#ifndef CATMOUSE_CLIENT_BATCH_CHECKPOINT_H
#define CATMOUSE_CLIENT_BATCH_CHECKPOINT_H

#include "client/batch/stream.h"

/* `asked` says in words what the run answers: another run may only go on with the same. 0 or a negative errno. */
int checkpoint_write(const char *path, const char *asked, const struct stream *stream);

/*
 * Into a stream whose tally is made. 0; -ENOENT where there is no such file; -EINVAL where it is no checkpoint;
 * -EEXIST where it is of a run that answers something else; another negative errno.
 */
int checkpoint_read(const char *path, const char *asked, struct stream *stream);

#endif
