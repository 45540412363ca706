/*
 * Many requests under way at once over one connection, answered in any order. Internal to libcmclient.
 *
 * A connection that is lost is made again, to the daemon's successor where it had to leave, and what has no answer yet
 * is put again; so every request must be one that may be put twice.
 */
#ifndef CATMOUSE_CLIENT_PIPELINE_H
#define CATMOUSE_CLIENT_PIPELINE_H

#include "client/client.h"

struct pipelined;

struct pipeline {
  struct buffer out;          /* the requests, one behind the other */
  struct pipelined *requests; /* owned; room for `room` */
  size_t count, room;
  size_t answered;
};

/* Takes the result, or the refusal, that answers a request: its place, from 0 in the order in which they were added. */
struct pipeline_taker {
  int (*take)(void *context, size_t place, struct response *response); /* 0 or a negative errno */
  void *context;
};

void pipeline_init(struct pipeline *pipeline);
void pipeline_deinit(struct pipeline *pipeline);

/* Forgets all requests. */
void pipeline_clear(struct pipeline *pipeline);

/* The request's id is set here; it is kept encoded. 0 or -ENOMEM. */
int pipeline_add(struct pipeline *pipeline, struct request *request);

/*
 * Sends all requests and has each answered; then the pipeline is empty. 0; -ECANCELED once `stop` is set; what taking
 * an answer ended with; else what cm_query() and the like may return, with its sentence. The client's timeout is for
 * the time without any answer.
 */
int pipeline_run(struct pipeline *pipeline, struct cm_client *client, const atomic_bool *stop,
                 const struct pipeline_taker *taker);

#endif
