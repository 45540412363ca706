#include "tests/client/peer.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "proto/reply.h"
#include "proto/request_read.h"
#include "tests/client/client_test.h"

enum { REQUEST_MAX = 4096 };

void peer_connect(struct peer *peer)
{
  int pair[2];
  assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair), 0);
  peer->client->fd = pair[0];
  peer->fd = pair[1];
  buffer_clear(&peer->client->in);
  framer_init(&peer->client->framer, &message_limits_default);
}

void peer_init(struct peer *peer, const struct cm_options *options)
{
  struct cm_options chosen = options ? *options : (struct cm_options){0};
  chosen.socket = "/nonexistent/daemon.sock";
  chosen.no_autostart = true;
  assert_int_equal(cm_open(&chosen, &peer->client), 0);
  peer_connect(peer);
}

void peer_close(struct peer *peer)
{
  if (peer->fd >= 0)
    close(peer->fd);
  peer->fd = -1;
}

void peer_deinit(struct peer *peer)
{
  peer_close(peer);
  cm_close(peer->client);
}

void peer_say(struct peer *peer, const void *bytes, size_t length)
{
  assert_int_equal(send(peer->fd, bytes, length, MSG_NOSIGNAL), length);
}

void peer_say_buffer(struct peer *peer, struct buffer *bytes)
{
  assert_false(bytes->failed);
  peer_say(peer, bytes->data, bytes->length);
  buffer_deinit(bytes);
}

static struct request_id number(uint32_t id)
{
  return (struct request_id){.kind = REQUEST_ID_NUMBER, .number = id};
}

void peer_answer(struct peer *peer, uint32_t id, enum method method, const void *result)
{
  struct request_id request = number(id);
  struct buffer out;
  buffer_init(&out);
  reply_result(&out, ENCODING_MSGPACK, &request, method, result);
  peer_say_buffer(peer, &out);
}

void peer_refuse(struct peer *peer, uint32_t id, enum error error, const char *text)
{
  struct request_id request = number(id);
  struct buffer out;
  struct fault fault;
  buffer_init(&out);
  fault_set(&fault, error, "%s", text);
  reply_error(&out, ENCODING_MSGPACK, &request, &fault);
  peer_say_buffer(peer, &out);
}

void peer_tell_progress(struct peer *peer, uint32_t id, const struct progress *progress)
{
  struct request_id request = number(id);
  struct buffer out;
  buffer_init(&out);
  reply_progress(&out, ENCODING_MSGPACK, &request, progress);
  peer_say_buffer(peer, &out);
}

/* A byte at a time, so that the next request is left where it is. */
void peer_take_request(struct peer *peer, struct request *request)
{
  char bytes[REQUEST_MAX];
  size_t length = 0;
  struct framer framer;
  struct frame frame = {0};
  struct fault fault = {0};
  framer_init(&framer, &message_limits_default);
  while (framer_next(&framer, bytes, length, &frame, &fault) == FRAMER_MORE) {
    assert_true(length < sizeof bytes);
    assert_int_equal(recv(peer->fd, bytes + length, 1, 0), 1);
    length++;
  }
  if (request_decode(bytes, length, ENCODING_MSGPACK, &message_limits_default, request, &fault))
    fail_msg("the client sent a bad request: %s", fault.text);
}

bool peer_heard_all(struct peer *peer)
{
  char byte;
  return recv(peer->fd, &byte, 1, MSG_PEEK) < 0 && errno == EAGAIN;
}
