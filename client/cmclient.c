/*
 * A client's life and its last words: what it was told, what the last call answered or why it failed.
 * Nothing here talks to anybody.
 */
#include "client/client.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static bool autostart_wanted(const struct cm_options *options)
{
  const char *setting = getenv("CATMOUSE_AUTOSTART");
  return !options->no_autostart && !(setting && strcmp(setting, "0") == 0);
}

int cm_open(const struct cm_options *options, struct cm_client **client)
{
  static const struct cm_options usual;
  if (!options)
    options = &usual;
  struct cm_client *made = calloc(1, sizeof *made);
  if (!made)
    return -ENOMEM;
  if (options->daemon && !(made->daemon = strdup(options->daemon))) {
    free(made);
    return -ENOMEM;
  }
  made->endpoint_error = endpoint_find(options->socket, &made->endpoint, &made->endpoint_fault);
  made->autostart = autostart_wanted(options);
  made->timeout_ms = options->timeout_ms;
  made->on_progress = options->on_progress;
  made->context = options->context;
  made->fd = -1;
  made->error_kind = ERROR_COUNT;
  buffer_init(&made->in);
  buffer_init(&made->out);
  buffer_init(&made->solve);
  buffer_init(&made->json);
  if (made->endpoint_error)
    client_fail(made, made->endpoint_error, "%s", made->endpoint_fault.text);
  *client = made;
  return 0;
}

void client_disconnect(struct cm_client *client)
{
  if (client->fd >= 0)
    close(client->fd);
  client->fd = -1;
}

void cm_close(struct cm_client *client)
{
  if (!client)
    return;
  client_forget(client);
  client_disconnect(client);
  buffer_deinit(&client->in);
  buffer_deinit(&client->out);
  buffer_deinit(&client->solve);
  buffer_deinit(&client->json);
  free(client->daemon);
  free(client);
}

const char *cm_socket(const struct cm_client *client)
{
  return client->endpoint_error ? NULL : client->endpoint.socket;
}

void cm_cancel(struct cm_client *client)
{
  atomic_store(&client->cancel, true);
}

const char *cm_error(const struct cm_client *client)
{
  return client->error;
}

const char *cm_error_name(const struct cm_client *client)
{
  return client->error_kind == ERROR_COUNT ? NULL : error_kinds[client->error_kind].name;
}

const char *cm_json(struct cm_client *client)
{
  if (!client->answered)
    return NULL;
  if (client->json.length == 0) {
    response_json(&client->response, &client->json);
    buffer_append(&client->json, "", 1);
  }
  if (!client->json.failed)
    return client->json.data;
  buffer_clear(&client->json);
  return NULL;
}

int client_fail(struct cm_client *client, int error, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(client->error, sizeof client->error, format, arguments);
  va_end(arguments);
  client->error_kind = ERROR_COUNT;
  return error;
}

int client_out_of_memory(struct cm_client *client)
{
  return client_fail(client, -ENOMEM, "out of memory");
}

int client_refuse(struct cm_client *client, const struct fault *fault)
{
  int error = fault->error == ERROR_CANCELLED ? -ECANCELED : -EREMOTEIO;
  client_fail(client, error, "%s", fault->text);
  client->error_kind = fault->error;
  return error;
}

void client_forget(struct cm_client *client)
{
  if (client->answered)
    response_deinit(&client->response);
  client->answered = false;
  free(client->list);
  client->list = NULL;
  buffer_clear(&client->json);
  client->error_kind = ERROR_COUNT;
  client->error[0] = '\0';
}

void client_note_solve(struct cm_client *client, const char *id)
{
  const struct buffer solve = client->solve;
  buffer_clear(&client->solve);
  if (!id)
    return;
  client->solve = client->out;
  client->out = solve;
  client->solve_id = client->last_id;
  memcpy(client->solved_id, id, sizeof client->solved_id);
}

void *client_list_room(struct cm_client *client, size_t count, size_t size)
{
  client->list = calloc(count ? count : 1, size);
  if (!client->list) {
    client_forget(client);
    client_out_of_memory(client);
  }
  return client->list;
}

static int64_t now_ms(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

struct deadline deadline_in(uint64_t ms)
{
  return (struct deadline){now_ms() + (int64_t)ms};
}

struct deadline deadline_never(void)
{
  return (struct deadline){INT64_MAX};
}

struct deadline deadline_sooner(struct deadline a, struct deadline b)
{
  return a.at_ms < b.at_ms ? a : b;
}

struct deadline client_deadline(const struct cm_client *client)
{
  return client->timeout_ms ? deadline_in(client->timeout_ms) : deadline_never();
}

int deadline_poll(struct deadline deadline, int fd, short events, int most_ms)
{
  int64_t left_ms = deadline.at_ms == INT64_MAX ? most_ms : deadline.at_ms - now_ms();
  struct pollfd wanted = {.fd = fd, .events = events};
  int ready = poll(&wanted, 1, left_ms > most_ms ? most_ms : left_ms > 0 ? (int)left_ms : 0);
  if (ready > 0)
    return 1;
  if (ready < 0 && errno != EINTR)
    return -errno;
  return left_ms <= 0 ? -ETIMEDOUT : 0;
}
