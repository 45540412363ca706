/* The limits where nobody says otherwise. */
#include "proto/limits.h"

const struct message_limits message_limits_default = {
#define X(field, value, meaning) .field = (value),
    PROTO_LIMITS(X)
#undef X
};
