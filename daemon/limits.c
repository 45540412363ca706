/* The limits where the command line says nothing else. */
#include "daemon/limits.h"

const struct daemon_limits daemon_limits_default = {
#define X(field, flag, value, ...) .field = value,
    DAEMON_LIMITS(X)
#undef X
};
