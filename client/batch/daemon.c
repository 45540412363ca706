#include "client/batch/daemon.h"

#include <errno.h>
#include <stdlib.h>

#include "client/pipeline.h"

enum { QUESTIONS_MAX = 1024, BYTES_MAX = 1 << 20 };

/* A question under way. */
struct asked {
  struct origin origin;
  struct answer answer;
  char *refusal; /* owned; NULL where it was answered */
};

struct asker {
  struct cm_client *client;
  struct pipeline pipeline;
  bool best;
  const atomic_bool *stop;
  size_t count;
  struct asked asked[QUESTIONS_MAX]; /* by their places in the pipeline */
};

struct asker *asker_new(const struct cm_options *options, bool best, const atomic_bool *stop)
{
  struct asker *asker = calloc(1, sizeof *asker);
  if (!asker)
    return NULL;
  asker->best = best;
  asker->stop = stop;
  pipeline_init(&asker->pipeline);
  if (cm_open(options, &asker->client) == 0)
    return asker;
  free(asker);
  return NULL;
}

void asker_free(struct asker *asker)
{
  if (!asker)
    return;
  cm_close(asker->client);
  pipeline_deinit(&asker->pipeline);
  free(asker);
}

bool asker_is_full(const struct asker *asker)
{
  return asker->count == QUESTIONS_MAX || asker->pipeline.out.length >= BYTES_MAX;
}

int asker_add(struct asker *asker, const struct puzzle *puzzle, const struct state *state,
              uint32_t limit_plies, const struct origin *origin, const struct answer *answer)
{
  struct request request = {.method = METHOD_QUERY,
                            .given = P(PUZZLE) | P(STATE) | P(LIMIT),
                            .puzzle = *puzzle,
                            .state = *state,
                            .limit_plies = limit_plies};
  if (pipeline_add(&asker->pipeline, &request))
    return -ENOMEM;
  asker->asked[asker->count++] = (struct asked){.origin = *origin, .answer = *answer};
  return 0;
}

void asker_forget(struct asker *asker)
{
  for (size_t i = 0; i < asker->count; i++)
    free(asker->asked[i].refusal);
  asker->count = 0;
  pipeline_clear(&asker->pipeline);
}

/* Called in any order. */
static int on_answer(void *context, size_t place, struct response *response)
{
  struct asker *asker = context;
  struct asked *asked = &asker->asked[place];
  struct result_query query;
  struct fault fault;
  if (response->kind == RESPONSE_ERROR) {
    asked->refusal = strdup(response->fault.text);
    return asked->refusal ? 0 : -ENOMEM;
  }
  int rc = response_result(response, METHOD_QUERY, &query, &fault);
  if (rc)
    return rc == -ENOMEM ? rc
                         : client_fail(asker->client, -EPROTO,
                                       "the daemon's answer makes no sense: %s", fault.text);
  answer_set(&asked->answer, query.outcome, query.plies,
             asker->best && query.moves_count > 0 ? query.moves[0].to : NO_MOVE);
  return 0;
}

static void hand_on(const struct asker *asker, const struct asker_taker *taker)
{
  for (size_t i = 0; i < asker->count; i++) {
    const struct asked *asked = &asker->asked[i];
    if (asked->refusal)
      taker->refuse(taker->context, &asked->origin, asked->refusal);
    else
      taker->take(taker->context, &asked->origin, &asked->answer);
  }
}

int asker_await(struct asker *asker, const struct asker_taker *taker)
{
  const struct pipeline_taker pipeline_taker = {on_answer, asker};
  int error = pipeline_run(&asker->pipeline, asker->client, asker->stop, &pipeline_taker);
  if (error == 0)
    hand_on(asker, taker);
  asker_forget(asker);
  return error == 0 || error == -ECANCELED || error == -ENOMEM ? error : -EREMOTEIO;
}

const char *asker_error(const struct asker *asker)
{
  return cm_error(asker->client);
}
