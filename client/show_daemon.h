/* What the daemon keeps and how it is doing, for people. */
#ifndef CATMOUSE_CLIENT_SHOW_DAEMON_H
#define CATMOUSE_CLIENT_SHOW_DAEMON_H

#include "client/names.h"
#include "client/show.h"

/* A line each, as wide as the terminal and no wider than 40 columns need be. */
void show_list(const struct style *style, const struct cm_list *list, const struct names *names);
void show_evicted(const struct cm_evicted *evicted);

/* What matters, in six lines; the limits only where they are asked for. */
void show_status(const struct cm_status *status);
void show_limits(const struct cm_status *status);

#endif
