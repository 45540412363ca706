/* Two stores in one folder. */
#ifndef CATMOUSE_TESTS_DAEMON_STORE_PAIR_H
#define CATMOUSE_TESTS_DAEMON_STORE_PAIR_H

#include "tests/daemon/store/side.h"

/* The one has kept puzzle 1, and the other knows of it. */
void start_both(struct test_folder *folder, struct side *one, struct side *two, struct id *id);
void stop_both(struct test_folder *folder, struct side *one, struct side *two);

#endif
