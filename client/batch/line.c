#include "client/batch/line.h"

#include "client/batch/append.h"
#include "client/words.h"

static const char *const outcome_names[] = {"mouse", "cat", "draw"};

const char *const line_sort_names[] = {
#define X(constant, name) name,
    LINE_SORTS(X)
#undef X
        NULL,
};

static bool wants(const struct line_style *style, enum outcome outcome)
{
  return style->only == LINES_ALL || style->only == LINES_MOUSE + (enum line_sort)outcome;
}

static void append_place(struct buffer *out, const struct answer *answer, uint32_t node)
{
  char words[WORDS_MAX];
  if (node == NO_MOVE) {
    append(out, "-");
    return;
  }
  place_words(answer->cols, node, words);
  append(out, words);
}

static void append_tabs(const struct line_style *style, const struct answer *answer,
                        struct buffer *out)
{
  append_number(out, answer->nodes);
  append(out, "\t");
  append(out, outcome_names[answer->outcome]);
  append(out, "\t");
  if (answer->plies == PLIES_NONE)
    append(out, "-");
  else
    append_number(out, answer->plies);
  if (style->best) {
    append(out, "\t");
    append_place(out, answer, answer->best);
  }
  if (style->roles)
    append_format(out, "\t%u\t%u\t%u", answer->roles.hole, answer->roles.mouse, answer->roles.cat);
  append(out, "\n");
}

static void append_json_number(struct buffer *out, const char *key, uint32_t number, uint32_t none)
{
  append_format(out, ",\"%s\":", key);
  if (number == none)
    append(out, "null");
  else
    append_number(out, number);
}

static void append_tag(const struct origin *origin, struct buffer *out)
{
  if (origin->tag) {
    append(out, ",\"tag\":");
    buffer_append(out, origin->tag, origin->tag_length);
  }
  append(out, "}\n");
}

static void append_json(const struct line_style *style, const struct origin *origin,
                        const struct answer *answer, struct buffer *out)
{
  append(out, "{\"record\":");
  append_number(out, origin->number);
  append_format(out, ",\"nodes\":%u,\"outcome\":\"%s\"", answer->nodes,
                outcome_names[answer->outcome]);
  append_json_number(out, "plies", answer->plies, PLIES_NONE);
  if (style->best)
    append_json_number(out, "best", answer->best, NO_MOVE);
  if (style->roles)
    append_format(out, ",\"hole\":%u,\"mouse\":%u,\"cat\":%u", answer->roles.hole,
                  answer->roles.mouse, answer->roles.cat);
  append_tag(origin, out);
}

static const char *leetcode_word(const struct answer *answer)
{
  static const char *const numbers[] = {"1\n", "2\n", "0\n"};
  if (answer->game == GAME_GRID)
    return answer->outcome == OUTCOME_MOUSE ? "true\n" : "false\n";
  return numbers[answer->outcome];
}

void line_answer(const struct line_style *style, const struct origin *origin,
                 const struct answer *answer, struct buffer *out)
{
  if (!wants(style, answer->outcome))
    return;
  switch (style->form) {
  case LINE_TABS: append_tabs(style, answer, out); break;
  case LINE_JSON: append_json(style, origin, answer, out); break;
  case LINE_LEETCODE: append(out, leetcode_word(answer)); break;
  }
}

void line_bad(const struct line_style *style, const struct origin *origin, const char *why,
              struct buffer *out)
{
  if (style->only != LINES_ALL && style->only != LINES_BAD)
    return;
  if (style->form != LINE_JSON) {
    append_format(out, "bad: record %llu: %s\n", (unsigned long long)origin->number, why);
    return;
  }
  append_format(out, "{\"record\":%llu,\"bad\":", (unsigned long long)origin->number);
  append_json_text(out, why, strlen(why));
  append_tag(origin, out);
}
