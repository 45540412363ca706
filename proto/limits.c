/* The limits where nobody says otherwise. */
#include "proto/limits.h"

const struct message_limits message_limits_default = {
#define X(field, value, meaning) .field = (value),
    PROTO_LIMITS(X)
#undef X
};

int limits_refuse_length(const struct message_limits *limits, struct fault *fault)
{
  return fault_set(fault, ERROR_LIMIT, "the message is longer than the %llu bytes allowed",
                   (unsigned long long)limits->message_bytes);
}
