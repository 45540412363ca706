/* RESP: a command is a list of counted strings, a value a counted string. */
#include "bench/daemon/redis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/daemon/wire.h"
#include "bench/measure.h"

enum { HEADER_MAX = 128 };

/* "$length", the bytes, CR LF. */
static size_t put_string(char *out, const char *bytes, size_t length)
{
  size_t at = (size_t)sprintf(out, "$%zu\r\n", length);
  char *end = mempcpy(mempcpy(out + at, bytes, length), "\r\n", 2);
  return (size_t)(end - out);
}

static void add_exchange(int fd, unsigned number, const char *value, size_t length,
                         struct script *script)
{
  static const char stored[] = "+OK\r\n";
  char key[32], get[HEADER_MAX], status[sizeof stored - 1];
  int key_length = snprintf(key, sizeof key, "value:%u", number);
  char *message = need_memory(length + HEADER_MAX, 1);

  size_t bytes = (size_t)sprintf(message, "*3\r\n$3\r\nSET\r\n");
  bytes += put_string(message + bytes, key, (size_t)key_length);
  bytes += put_string(message + bytes, value, length);
  wire_send(fd, message, bytes);
  wire_receive(fd, status, sizeof status);
  if (memcmp(status, stored, sizeof status) != 0)
    die("redis refuses to store a value");

  size_t get_bytes = (size_t)sprintf(get, "*2\r\n$3\r\nGET\r\n");
  get_bytes += put_string(get + get_bytes, key, (size_t)key_length);
  bytes = put_string(message, value, length);
  script_add(script, get, get_bytes, message, bytes);
  free(message);
}

void redis_script(const struct server *server, const struct script *ours, struct script *script)
{
  int fd = server_connect(server);
  script_init(script);
  for (unsigned i = 0; i < ours->count; i++)
    add_exchange(fd, i, ours->answers + ours->answer_end[i],
                 ours->answer_end[i + 1] - ours->answer_end[i], script);
  close(fd);
}
