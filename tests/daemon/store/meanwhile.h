/* Lets something happen just before a write or a read, as if another process had come in between. For programs linked so. */
#ifndef CATMOUSE_TESTS_DAEMON_STORE_MEANWHILE_H
#define CATMOUSE_TESTS_DAEMON_STORE_MEANWHILE_H

#include <stdbool.h>

/* Calls `act` on the thread that writes next, once. */
void meanwhile(void (*act)(void *context), void *context);

/* The same of a read, after so many others. */
void meanwhile_read(unsigned others, void (*act)(void *context), void *context);

/* Has it been called? */
bool meanwhile_happened(void);

#endif
