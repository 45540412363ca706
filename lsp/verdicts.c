#include "lsp/verdicts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void on_timer(uv_timer_t *timer);

uint64_t pace_pause_ms(const struct solve_pace *pace)
{
  return pace->average_ms < VERDICT_PAUSE_MAX_MS ? (uint64_t)pace->average_ms
                                                 : VERDICT_PAUSE_MAX_MS;
}

/* The newest counts for a third. */
static void pace_note(struct solve_pace *pace, uint64_t took_ms)
{
  pace->average_ms += ((double)took_ms - pace->average_ms) / 3;
}

static uint64_t now_ms(const struct verdicts *verdicts)
{
  return uv_now(verdicts->timer.loop);
}

static bool find_mark(const struct puzzle *puzzle, char mark, uint32_t *node)
{
  for (uint32_t row = 0; row < puzzle->grid.rows; row++) {
    const char *found = memchr(puzzle->grid.row[row], mark, puzzle->grid.row_length[row]);
    if (found) {
      *node = row * puzzle->grid.row_length[0] + (uint32_t)(found - puzzle->grid.row[row]);
      return true;
    }
  }
  return false;
}

bool puzzle_start(const struct text_puzzle *puzzle, struct state *state)
{
  if (puzzle->faults.count > 0)
    return false;
  *state = (struct state){.mouse = 1, .cat = 2, .turn = PLAYER_MOUSE};
  return puzzle->game == GAME_GRAPH || (find_mark(&puzzle->puzzle, 'M', &state->mouse) &&
                                        find_mark(&puzzle->puzzle, 'C', &state->cat));
}

uint32_t puzzle_cols(const struct text_puzzle *puzzle)
{
  return puzzle->has_game && puzzle->game == GAME_GRID && puzzle->items_count > 0
             ? puzzle->row_length[0]
             : 0;
}

/* When the timer is next wanted; 0 for never. */
static uint64_t next_ms(const struct verdicts *verdicts)
{
  uint64_t next = verdicts->pause_ends_ms;
  for (uint32_t i = 0; i < verdicts->count; i++) {
    const struct puzzle_verdict *verdict = verdicts->verdict[i];
    uint64_t slow_ms = verdict->edited_ms + VERDICT_SLOW_MS;
    if (verdict_is_near(verdict) && (next == 0 || slow_ms < next))
      next = slow_ms;
  }
  return next;
}

static void arm(struct verdicts *verdicts)
{
  uint64_t next = next_ms(verdicts), now = now_ms(verdicts);
  if (next == 0)
    uv_timer_stop(&verdicts->timer);
  else
    uv_timer_start(&verdicts->timer, on_timer, next > now ? next - now : 0, 0);
}

static void change(struct puzzle_verdict *verdict, enum verdict_phase phase)
{
  verdict->all->asked += (phase == VERDICT_ASKED) - (verdict->phase == VERDICT_ASKED);
  verdict->phase = phase;
  verdict->all->on_change(verdict->all->context, verdict);
}

static void refuse(struct puzzle_verdict *verdict, const char *sentence)
{
  snprintf(verdict->refusal, sizeof verdict->refusal, "%s", sentence);
  change(verdict, VERDICT_REFUSED);
}

static void ask_next(struct verdicts *verdicts);

static int read_known(struct puzzle_verdict *verdict, struct response *response,
                      struct fault *fault)
{
  struct result_query result;
  const struct text_puzzle *puzzle = verdict->all->document->shown[verdict->index].puzzle;
  int rc = response_result(response, METHOD_QUERY, &result, fault);
  if (rc)
    return rc;
  verdict->last = (struct known){.game = puzzle->game,
                                 .nodes = puzzle->game == GAME_GRAPH
                                              ? puzzle->items_count
                                              : puzzle->items_count * puzzle_cols(puzzle),
                                 .outcome = result.outcome,
                                 .plies = result.plies,
                                 .has_best = result.has_best,
                                 .best = result.best,
                                 .cols = result.cols};
  memcpy(verdict->last.id, result.id, sizeof verdict->last.id);
  verdict->has_last = true;
  return 0;
}

static void ask(struct puzzle_verdict *verdict);

static void on_answer(void *owner, uint32_t tag, struct response *response,
                      const struct fault *fault)
{
  (void)tag;
  struct puzzle_verdict *verdict = owner;
  struct verdicts *verdicts = verdict->all;
  struct fault own = {0};
  pace_note(verdicts->pace, now_ms(verdicts) - verdict->asked_ms);
  if (response && read_known(verdict, response, &own) == 0)
    change(verdict, VERDICT_KNOWN);
  else if (fault && fault->error == ERROR_DRAINING && !verdict->asked_again)
    verdict->asked_again = true, ask(verdict);
  else
    refuse(verdict, fault ? fault->text : own.text);
  ask_next(verdicts);
}

static void on_progress(void *owner, const struct progress *progress)
{
  struct puzzle_verdict *verdict = owner;
  verdict->progress = *progress;
  if (verdict->slow)
    verdict->all->on_progress(verdict->all->context, verdict);
}

static void ask(struct puzzle_verdict *verdict)
{
  struct verdicts *verdicts = verdict->all;
  const struct shown *shown = &verdicts->document->shown[verdict->index];
  struct request request = {.method = METHOD_QUERY,
                            .given = P(PUZZLE) | P(STATE) | P(PROGRESS),
                            .puzzle = shown->puzzle->puzzle,
                            .progress = true};
  puzzle_start(shown->puzzle, &request.state);
  verdict->asked_ms = now_ms(verdicts);
  verdict->progress = (struct progress){0};
  if (link_ask(verdicts->link, &request, (struct asker){verdict, 0, on_answer, on_progress}))
    refuse(verdict, "out of memory");
  else if (verdict->phase != VERDICT_ASKED)
    change(verdict, VERDICT_ASKED);
}

/* No more than a few at a time: the daemon serves others too. */
static void ask_next(struct verdicts *verdicts)
{
  if (verdicts->pause_ends_ms)
    return;
  for (; verdicts->next < verdicts->count && verdicts->asked < VERDICT_ASKED_MAX; verdicts->next++)
    if (verdicts->verdict[verdicts->next]->phase == VERDICT_PAUSING)
      ask(verdicts->verdict[verdicts->next]);
}

static void begin_pause(struct verdicts *verdicts)
{
  uint64_t pause_ms = pace_pause_ms(verdicts->pace);
  verdicts->next = 0;
  verdicts->pause_ends_ms = pause_ms ? now_ms(verdicts) + pause_ms : 0;
  ask_next(verdicts);
}

static void on_timer(uv_timer_t *timer)
{
  struct verdicts *verdicts = timer->data;
  uint64_t now = now_ms(verdicts);
  if (verdicts->pause_ends_ms && verdicts->pause_ends_ms <= now) {
    verdicts->pause_ends_ms = 0;
    ask_next(verdicts);
  }
  for (uint32_t i = 0; i < verdicts->count; i++) {
    struct puzzle_verdict *verdict = verdicts->verdict[i];
    if (verdict_is_near(verdict) && verdict->edited_ms + VERDICT_SLOW_MS <= now) {
      verdict->slow = true;
      verdicts->on_change(verdicts->context, verdict);
    }
  }
  arm(verdicts);
}

struct verdicts *verdicts_new(uv_loop_t *loop, struct daemon_link *link, struct solve_pace *pace,
                              const struct document *document)
{
  struct verdicts *verdicts = calloc(1, sizeof *verdicts);
  if (!verdicts)
    return NULL;
  verdicts->link = link;
  verdicts->pace = pace;
  verdicts->document = document;
  uv_timer_init(loop, &verdicts->timer);
  verdicts->timer.data = verdicts;
  return verdicts;
}

/* What was asked is dropped, here and at the daemon. */
static void drop(struct puzzle_verdict *verdict)
{
  verdict->all->on_dropped(verdict->all->context, verdict);
  link_forget(verdict->all->link, verdict);
  verdict->all->asked -= verdict->phase == VERDICT_ASKED;
}

static void verdict_free(struct puzzle_verdict *verdict)
{
  if (!verdict)
    return;
  drop(verdict);
  free(verdict);
}

static void on_timer_closed(uv_handle_t *timer)
{
  free(timer->data);
}

void verdicts_close(struct verdicts *verdicts)
{
  for (uint32_t i = 0; i < verdicts->count; i++)
    verdict_free(verdicts->verdict[i]);
  free(verdicts->verdict);
  verdicts->count = 0;
  uv_close((uv_handle_t *)&verdicts->timer, on_timer_closed);
}

void verdict_cancel(struct puzzle_verdict *verdict)
{
  if (verdict->phase != VERDICT_PAUSING && verdict->phase != VERDICT_ASKED)
    return;
  verdict->all->on_dropped(verdict->all->context, verdict);
  link_forget(verdict->all->link, verdict);
  refuse(verdict, "cancelled");
  ask_next(verdict->all);
}

/* The text is another one. */
static void begin_anew(struct puzzle_verdict *verdict, const struct shown *shown)
{
  drop(verdict);
  verdict->phase = shown_is_sound(shown) ? VERDICT_PAUSING : VERDICT_BROKEN;
  verdict->hash = shown->hash;
  verdict->slow = verdict->asked_again = false;
  verdict->edited_ms = now_ms(verdict->all);
}

/* An old verdict of the same text, in the same place counted from the beginning or from the end. */
static struct puzzle_verdict *take_same(struct puzzle_verdict **old, uint32_t old_count,
                                        uint32_t index, uint32_t count, uint64_t hash)
{
  const uint64_t places[] = {index, (uint64_t)index + old_count - count};
  for (int i = 0; i < 2; i++) {
    uint64_t place = places[i];
    if (place < old_count && old[place] && old[place]->hash == hash) {
      struct puzzle_verdict *found = old[place];
      old[place] = NULL;
      return found;
    }
  }
  return NULL;
}

static struct puzzle_verdict *verdict_new(struct verdicts *verdicts)
{
  struct puzzle_verdict *verdict = calloc(1, sizeof *verdict);
  if (verdict)
    verdict->all = verdicts;
  return verdict;
}

/* Puzzles whose text is as it was keep their verdicts; the others follow in the order of their places. */
static int match(struct verdicts *verdicts, struct puzzle_verdict **old, uint32_t old_count)
{
  const struct document *document = verdicts->document;
  for (uint32_t i = 0; i < document->shown_count; i++)
    verdicts->verdict[i] =
        take_same(old, old_count, i, document->shown_count, document->shown[i].hash);
  for (uint32_t i = 0; i < document->shown_count; i++) {
    struct puzzle_verdict *verdict = verdicts->verdict[i];
    if (!verdict) {
      verdict = i < old_count && old[i] ? old[i] : verdict_new(verdicts);
      if (!verdict)
        return -ENOMEM;
      if (i < old_count && old[i] == verdict)
        old[i] = NULL;
      verdicts->verdict[i] = verdict;
      begin_anew(verdict, &document->shown[i]);
    }
    verdict->index = i;
    verdicts->count = i + 1;
  }
  return 0;
}

int verdicts_follow(struct verdicts *verdicts)
{
  uint32_t old_count = verdicts->count, count = verdicts->document->shown_count;
  struct puzzle_verdict **old = verdicts->verdict;
  struct puzzle_verdict **grown = calloc(count ? count : 1, sizeof *grown);
  verdicts->verdict = grown;
  verdicts->count = 0;
  int rc = grown ? match(verdicts, old, old_count) : -ENOMEM;
  for (uint32_t i = verdicts->count; grown && i < count; i++)
    verdict_free(grown[i]);
  for (uint32_t i = 0; i < old_count; i++)
    verdict_free(old[i]);
  free(old);
  begin_pause(verdicts);
  arm(verdicts);
  return rc;
}
