#include "client/batch/chunk.h"

#include <errno.h>
#include <stdio.h>

#include "client/batch/read.h"

enum { KEPT_BYTES = 1 << 20 };

int chunk_init(struct chunk *chunk, uint32_t longest)
{
  *chunk = (struct chunk){0};
  buffer_init(&chunk->text);
  buffer_init(&chunk->out);
  return tally_init(&chunk->tally, longest);
}

void chunk_deinit(struct chunk *chunk)
{
  buffer_deinit(&chunk->text);
  buffer_deinit(&chunk->out);
  tally_deinit(&chunk->tally);
}

void chunk_empty(struct buffer *buffer)
{
  if (buffer->capacity > KEPT_BYTES || buffer->failed) {
    buffer_deinit(buffer);
    buffer_init(buffer);
  }
  buffer_clear(buffer);
}

void chunk_clear(struct chunk *chunk)
{
  chunk_empty(&chunk->text);
  chunk_empty(&chunk->out);
  tally_clear(&chunk->tally);
  chunk->bad[0] = '\0';
  chunk->abandoned = chunk->is_last = false;
  chunk->error = 0;
}

int answerer_init(struct answerer *answerer, const struct answering *how)
{
  const struct question *question = &how->question;
  *answerer = (struct answerer){.how = how};
  item_init(&answerer->item);
  if (!how->daemon)
    return 0;
  answerer->asker = asker_new(how->daemon, question->best, question->stop);
  return answerer->asker ? 0 : -ENOMEM;
}

void answerer_deinit(struct answerer *answerer)
{
  asker_free(answerer->asker);
  item_deinit(&answerer->item);
}

/* Nothing more is said of a record that is bad, and of none behind the first bad one where that is the last. */
static bool is_silent(const struct answerer *answerer, const struct origin *origin)
{
  return answerer->chunk->is_last || answerer->bad_number == origin->number;
}

static void say_answer(void *context, const struct origin *origin, const struct answer *answer)
{
  struct answerer *answerer = context;
  const struct answering *how = answerer->how;
  struct chunk *chunk = answerer->chunk;
  if (is_silent(answerer, origin))
    return;
  if (how->lines)
    line_answer(&how->style, origin, answer, &chunk->out);
  if (tally_answer(&chunk->tally, answer, &origin->record, origin->number))
    chunk->error = -ENOMEM;
}

static void say_bad(void *context, const struct origin *origin, const char *why)
{
  struct answerer *answerer = context;
  const struct answering *how = answerer->how;
  struct chunk *chunk = answerer->chunk;
  if (is_silent(answerer, origin))
    return;
  answerer->bad_number = origin->number;
  tally_bad(&chunk->tally, why);
  if (!chunk->bad[0])
    snprintf(chunk->bad, sizeof chunk->bad, "record %llu: %s", (unsigned long long)origin->number,
             why);
  if (how->lines)
    line_bad(&how->style, origin, why, &chunk->out);
  chunk->is_last = how->strict;
}

static void note_error(struct answerer *answerer, int error)
{
  struct chunk *chunk = answerer->chunk;
  if (error == -ECANCELED)
    chunk->abandoned = true;
  else if (error < 0)
    chunk->error = error;
  if (error == -EREMOTEIO)
    snprintf(chunk->why, sizeof chunk->why, "%s", asker_error(answerer->asker));
}

/* Has all questions answered that are not yet. */
static int await_answers(struct answerer *answerer)
{
  const struct asker_taker taker = {say_answer, say_bad, answerer};
  return answerer->asker ? asker_await(answerer->asker, &taker) : 0;
}

static void take_answer(void *context, const struct answer *answer)
{
  struct answerer *answerer = context;
  say_answer(answerer, &answerer->origin, answer);
}

static int ask(void *context, const struct puzzle *puzzle, const struct state *state,
               uint32_t limit_plies, const struct answer *answer)
{
  struct answerer *answerer = context;
  struct asker *asker = answerer->asker;
  int error = asker_add(asker, puzzle, state, limit_plies, &answerer->origin, answer);
  return error == 0 && asker_is_full(asker) ? await_answers(answerer) : error;
}

static void answer_record(struct answerer *answerer)
{
  struct item *item = &answerer->item;
  struct origin *origin = &answerer->origin;
  const struct answer_taker taker = {take_answer, answerer->asker ? ask : NULL, answerer};
  answerer->chunk->tally.records++;
  int error = item_read(item, &origin->record) ? 0 : -EINVAL;
  origin->tag = item->tag;
  origin->tag_length = item->tag_length;
  if (error == 0)
    error = item_answer(item, &answerer->how->question, &taker);
  if (error == -EINVAL) {
    error = await_answers(answerer);
    if (error == 0)
      say_bad(answerer, origin, item->bad);
  }
  note_error(answerer, error);
}

static void refuse_long(struct answerer *answerer)
{
  struct item *item = &answerer->item;
  answerer->chunk->tally.records++;
  item_refuse(item, "it is longer than the %d MB that one record may have", RECORD_BYTES_MAX >> 20);
  answerer->origin.tag = NULL;
  say_bad(answerer, &answerer->origin, item->bad);
}

static bool is_over(const struct chunk *chunk)
{
  return chunk->error || chunk->is_last || chunk->abandoned;
}

static void answer_records(struct answerer *answerer)
{
  struct chunk *chunk = answerer->chunk;
  const struct answering *how = answerer->how;
  const char *at = chunk->text.data, *end = at + chunk->text.length;
  while (!is_over(chunk) &&
         record_next(&at, end, true, how->from, &answerer->origin.record) == RECORD_FOUND) {
    chunk->abandoned = atomic_load_explicit(how->question.stop, memory_order_relaxed);
    if (!chunk->abandoned)
      answer_record(answerer);
    answerer->origin.number++;
  }
  if (!is_over(chunk))
    note_error(answerer, await_answers(answerer));
  else if (answerer->asker)
    asker_forget(answerer->asker);
}

void answerer_answer(struct answerer *answerer, struct chunk *chunk)
{
  answerer->chunk = chunk;
  answerer->origin.number = chunk->first_number;
  if (chunk->too_long)
    refuse_long(answerer);
  else
    answer_records(answerer);
  if (chunk->out.failed)
    chunk->error = -ENOMEM;
}
