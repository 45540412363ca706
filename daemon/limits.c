/* The limits as values and by name. */
#include "daemon/limits.h"

const struct daemon_limits daemon_limits_default = {
#define X(field, flag, value, ...) .field = value,
    DAEMON_LIMITS(X)
#undef X
};

void limits_name(const struct message_limits *messages, const struct daemon_limits *limits,
                 struct named_limit named[static LIMITS_COUNT])
{
#define X(field, ...) *named++ = (struct named_limit){#field, messages->field};
  PROTO_LIMITS(X)
#undef X
#define X(field, ...) *named++ = (struct named_limit){#field, limits->field};
  DAEMON_LIMITS(X)
#undef X
}
