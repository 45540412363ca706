/* What a daemon sends, as the client reads it: the first byte picks the method that was asked. */
#include <errno.h>
#include <string.h>

#include "proto/buffer.h"
#include "proto/certificate.h"
#include "proto/response.h"
#include "tests/fuzz/target.h"

/* Room for the result of any method. */
union any_result {
  struct result_hello hello;
  struct result_solve solve;
  struct result_query query;
  struct result_line line;
  struct result_explain explain;
  struct result_stats stats;
  struct result_verify verify;
  struct result_list list;
  struct result_evict evict;
  struct result_status status;
  struct result_cancel cancel;
  struct result_shutdown shutdown;
};

static void read_certificate(const struct result_explain *explain)
{
  struct certificate certificate;
  struct fault fault = {0};
  if (certificate_from_packed(explain->certificate, explain->certificate_bytes,
                              &message_limits_default, &certificate, &fault) == 0)
    certificate_deinit(&certificate);
  else
    MUST(fault.text[0]);
}

static void read_result(struct response *response, enum method method)
{
  union any_result result;
  struct fault fault;
  struct buffer json;
  int status = response_result(response, method, &result, &fault);
  MUST(status == 0 || status == -EBADMSG || status == -ENOMEM);
  if (status == 0 && method == METHOD_EXPLAIN)
    read_certificate(&result.explain);
  buffer_init(&json);
  response_json(response, &json);
  MUST(json.failed || !memchr(json.data, '\n', json.length));
  buffer_deinit(&json);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
  struct response response;
  struct fault fault;
  if (length == 0 || response_decode((const char *)bytes + 1, length - 1, &response, &fault) != 0)
    return 0;
  enum method method = bytes[0] % METHOD_COUNT;
  if (response.kind == RESPONSE_RESULT && method != METHOD_PING)
    read_result(&response, method);
  response_deinit(&response);
  return 0;
}
