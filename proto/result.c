/* Which shape each method's result has, and the shapes of those that tell of the daemon itself. */
#include "proto/result.h"

#include "proto/result_puzzles.h"
#include "proto/shape_define.h"

static const struct packed_text store_state_names[] = {[STORE_OFF] = PACKED_TEXT("off"),
                                                       [STORE_OPENING] = PACKED_TEXT("opening"),
                                                       [STORE_ON] = PACKED_TEXT("on"),
                                                       [STORE_FAILING] = PACKED_TEXT("failing"),
                                                       {0}};

/* clang-format off */
static const struct field result_hello_fields[] = {
  FIELD(FIELD_TEXT, result_hello, name),
  FIELD(FIELD_TEXT, result_hello, version),
  FIELD(FIELD_UINT32, result_hello, protocol),
  LIST(FIELD_TEXTS, result_hello, methods, NULL),
  LIST(FIELD_LIMITS, result_hello, limits, NULL),
};
SHAPE(shape_hello, result_hello);

static const struct field store_status_fields[] = {
  NAMED(store_status, state, store_state_names),
  FIELD(FIELD_TEXT, store_status, folder),
  FIELD(FIELD_TEXT, store_status, error),
  FIELD(FIELD_UINT64, store_status, puzzles),
  FIELD(FIELD_UINT64, store_status, tables),
  FIELD(FIELD_UINT64, store_status, bytes),
  FIELD(FIELD_UINT64, store_status, reads),
  FIELD(FIELD_UINT64, store_status, writes),
  FIELD(FIELD_UINT64, store_status, damaged),
};
SHAPE(shape_store, store_status);

static const struct field result_status_fields[] = {
  FIELD(FIELD_TEXT, result_status, version),
  FIELD(FIELD_UINT64, result_status, pid),
  FIELD(FIELD_UINT64, result_status, uptime_ms),
  FIELD(FIELD_UINT64, result_status, connections),
  FIELD(FIELD_UINT64, result_status, jobs_running),
  FIELD(FIELD_UINT64, result_status, jobs_queued),
  FIELD(FIELD_UINT64, result_status, requests),
  FIELD(FIELD_UINT64, result_status, hits),
  FIELD(FIELD_UINT64, result_status, misses),
  FIELD(FIELD_UINT64, result_status, solves),
  FIELD(FIELD_UINT64, result_status, tables),
  FIELD(FIELD_UINT64, result_status, bytes),
  FIELD(FIELD_UINT64, result_status, kept_bytes),
  FIELD(FIELD_BOOLEAN, result_status, draining),
  INNER(result_status, store, shape_store, NULL),
  LIST(FIELD_LIMITS, result_status, limits, NULL),
};
SHAPE(shape_status, result_status);

static const struct field result_cancel_fields[] = {
  FIELD(FIELD_BOOLEAN, result_cancel, cancelled),
};
SHAPE(shape_cancel, result_cancel);

static const struct field result_shutdown_fields[] = {
  FIELD(FIELD_UINT64, result_shutdown, pending),
};
SHAPE(shape_shutdown, result_shutdown);
/* clang-format on */

static const struct shape *const result_shapes[METHOD_COUNT] = {
    [METHOD_HELLO] = &shape_hello,           [METHOD_PING] = NULL,
    [METHOD_SOLVE] = &shape_solve,           [METHOD_QUERY] = &shape_query_of_grid,
    [METHOD_LINE] = &shape_line_of_grid,     [METHOD_STATS] = &shape_stats_of_grid,
    [METHOD_VERIFY] = &shape_verify_of_grid, [METHOD_LIST] = &shape_list,
    [METHOD_EVICT] = &shape_evict,           [METHOD_CLEAR] = &shape_evict,
    [METHOD_STATUS] = &shape_status,         [METHOD_CANCEL] = &shape_cancel,
    [METHOD_SHUTDOWN] = &shape_shutdown,
};

const struct shape *result_shape(enum method method)
{
  return result_shapes[method];
}

const struct shape *result_shape_of_graph(enum method method)
{
  switch (method) {
  case METHOD_QUERY: return &shape_query;
  case METHOD_LINE: return &shape_line;
  case METHOD_STATS: return &shape_stats;
  case METHOD_VERIFY: return &shape_verify;
  default: return result_shapes[method];
  }
}

size_t field_element_bytes(const struct field *field)
{
  switch (field->type) {
  case FIELD_TEXTS: return sizeof(const char *);
  case FIELD_UINT32S: return sizeof(uint32_t);
  case FIELD_UINT64S: return sizeof(uint64_t);
  case FIELD_LIMITS: return sizeof(struct named_limit);
  default: return field->shape->bytes;
  }
}
