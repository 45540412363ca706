/* Puzzles as a stream: a line for each, or a summary of all. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/batch/checkpoint.h"
#include "client/batch/pace.h"
#include "client/batch/summary.h"
#include "client/commands/task.h"

enum {
  EXIT_INTERRUPTED = 130,
  THREADS_MAX = 1024,
  DAEMON_THREADS = 2, /* one reads and writes while the daemon answers the other */
  CHECKPOINT_MS = 1000,
  LONGEST_MAX = 1000000,
};

struct batch_options {
  int from; /* enum record_form */
  const char *roles;
  int only; /* enum line_sort */
  bool leetcode, best, summary, strict;
  uint32_t longest;
  uint32_t threads;
  bool daemon;
  const char *checkpoint;
  bool resume;
  const char *part;
};

#define FIELD(name) .field = offsetof(struct batch_options, name)

static const struct option_kind own_options[] = {
    {.name = "from",
     .argument = "FORM",
     .take = take_choice,
     FIELD(from),
     .choices = record_form_names,
     .meaning = "auto, json, leetcode, graph6, sparse6, edges or dimacs"},
    {.name = "roles",
     .argument = "H,M,C",
     .take = take_text,
     FIELD(roles),
     .meaning = "other nodes than 0,1,2 as hole, mouse and cat; all: every choice"},
    {.name = "only",
     .argument = "WHICH",
     .take = take_choice,
     FIELD(only),
     .choices = line_sort_names,
     .meaning = "lines for these alone: mouse, cat, draw or bad"},
    {.name = "best", .take = take_flag, FIELD(best), .meaning = "print the best move too"},
    {.name = "leetcode",
     .take = take_flag,
     FIELD(leetcode),
     .meaning = "print what LeetCode asks for: 0, 1, 2 or true, false"},
    {.name = "summary",
     .take = take_flag,
     FIELD(summary),
     .meaning = "print counts and the longest wins at the end, and no lines"},
    {.name = "longest",
     .argument = "K",
     .take = take_number,
     FIELD(longest),
     .meaning = "print the K puzzles with the longest wins at the end, and no lines"},
    {.name = "strict", .take = take_flag, FIELD(strict), .meaning = "stop at the first bad record"},
    {.name = "threads",
     .argument = "N",
     .take = take_number,
     FIELD(threads),
     .meaning = "solve on so many threads; 0, as without it, for one a processor"},
    {.name = "daemon",
     .take = take_flag,
     FIELD(daemon),
     .meaning = "ask the daemon instead of solving here"},
    {.name = "checkpoint",
     .argument = "FILE",
     .take = take_text,
     FIELD(checkpoint),
     .meaning = "keep in FILE how far the run has come"},
    {.name = "resume",
     .take = take_flag,
     FIELD(resume),
     .meaning = "go on where the checkpoint says, if there is one"},
    {.name = "part",
     .argument = "PART",
     .take = take_text,
     FIELD(part),
     .meaning = "note in the summary which part of a larger stream this is: RES/MOD"},
    {0}};

/* One run of the command. */
struct batch {
  struct task *task;
  const struct batch_options *own;
  struct input *input;
  struct stream_options options;
  struct stream stream;
  struct cm_options client;
  struct pace pace;
  struct part part;
  char asked[256];
  uint64_t kept_ms; /* when the checkpoint was written last */
  int keep_error;
};

/* What the signal handler sets; handlers take no argument of ours. */
static volatile sig_atomic_t interrupted;

static void on_interrupt(int number)
{
  (void)number;
  interrupted = 1;
}

/* The second Ctrl-C ends the program, should the first not. */
static void catch_interrupt(void)
{
  struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESETHAND};
  sigaction(SIGINT, &action, NULL);
}

static bool parse_roles(const char *text, struct question *question)
{
  struct roles *roles = &question->roles;
  char rest;
  *roles = (struct roles){0, 1, 2};
  question->roles_given = text != NULL;
  question->all_roles = text && strcmp(text, "all") == 0;
  if (!text || question->all_roles)
    return true;
  return sscanf(text, "%9u,%9u,%9u%c", &roles->hole, &roles->mouse, &roles->cat, &rest) == 3 &&
         roles->hole != roles->mouse && roles->hole != roles->cat && roles->mouse != roles->cat;
}

/* Half of the machine's memory, shared by the threads. */
static uint64_t bytes_for_a_solve(unsigned threads)
{
  uint64_t bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
  return bytes / 2 / threads;
}

static unsigned threads_of(const struct batch_options *own)
{
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  if (own->threads)
    return own->threads;
  if (own->daemon)
    return DAEMON_THREADS;
  return processors > 0 ? (unsigned)processors : 1;
}

static int check_options(struct task *task)
{
  const struct batch_options *own = task->own;
  if (own->leetcode && task->options->json)
    return task_misuse(task, "give --json or --leetcode, not both");
  if (own->threads > THREADS_MAX)
    return task_misuse(task, "--threads is %u, but may be at most %d", own->threads, THREADS_MAX);
  if (own->longest > LONGEST_MAX)
    return task_misuse(task, "--longest is %u, but may be at most %d", own->longest, LONGEST_MAX);
  if (own->resume && !own->checkpoint)
    return task_misuse(task, "--resume needs --checkpoint FILE");
  if (own->part && !(own->summary && task->options->json))
    return task_misuse(task, "--part goes with --summary --json");
  return 0;
}

static void describe_asked(struct batch *batch)
{
  const struct batch_options *own = batch->own;
  snprintf(batch->asked, sizeof batch->asked, "from %s, roles %s%s%s%s, lines %s, longest %u",
           record_form_names[own->from], own->roles ? own->roles : "0,1,2",
           own->best ? ", best" : "", own->leetcode ? ", leetcode" : "",
           batch->task->options->json ? ", json" : "",
           batch->options.how.lines ? line_sort_names[own->only] : "none", own->longest);
}

static void set_options(struct batch *batch, void (*on_tick)(void *, const struct stream *))
{
  const struct batch_options *own = batch->own;
  struct stream_options *options = &batch->options;
  struct answering *how = &options->how;
  how->from = (enum record_form)own->from;
  how->question.best = own->best;
  how->lines = !own->summary && own->longest == 0;
  how->strict = own->strict;
  options->longest = own->longest;
  options->threads = threads_of(own);
  how->question.max_bytes = bytes_for_a_solve(options->threads);
  how->style = (struct line_style){.form = own->leetcode                ? LINE_LEETCODE
                                           : batch->task->options->json ? LINE_JSON
                                                                        : LINE_TABS,
                                   .only = (enum line_sort)own->only,
                                   .best = own->best,
                                   .roles = how->question.all_roles};
  options->interrupted = &interrupted;
  options->on_tick = on_tick;
  options->context = batch;
  if (!own->daemon)
    return;
  batch->client = (struct cm_options){.socket = batch->task->options->socket,
                                      .no_autostart = batch->task->options->no_autostart,
                                      .timeout_ms = batch->task->options->timeout_ms};
  how->daemon = &batch->client;
}

static void keep(struct batch *batch, const struct stream *stream)
{
  batch->kept_ms = pace_now_ms();
  int error = checkpoint_write(batch->own->checkpoint, batch->asked, stream);
  if (error && !batch->keep_error)
    fprintf(stderr, "cannot write %s: %s\n", batch->own->checkpoint, strerror(-error));
  batch->keep_error = error;
}

static void on_tick(void *context, const struct stream *stream)
{
  struct batch *batch = context;
  pace_tell(&batch->pace, stream->tally.records, input_taken(batch->input),
            input_total(batch->input));
  if (batch->own->checkpoint && pace_now_ms() - batch->kept_ms >= CHECKPOINT_MS)
    keep(batch, stream);
}

/* Lines that were written after the checkpoint are written again, so they are cut off first. */
static int cut_output(struct batch *batch)
{
  struct stat about;
  if (fstat(STDOUT_FILENO, &about) < 0 || !S_ISREG(about.st_mode))
    return task_misuse(
        batch->task,
        "a run with --checkpoint writes its lines to a file, so that it can go on there");
  if ((uint64_t)about.st_size < batch->stream.bytes_out)
    return task_misuse(
        batch->task,
        "standard output has %llu bytes, but the checkpoint knows of %llu: go on with >>",
        (unsigned long long)about.st_size, (unsigned long long)batch->stream.bytes_out);
  if (ftruncate(STDOUT_FILENO, (off_t)batch->stream.bytes_out) < 0 ||
      lseek(STDOUT_FILENO, 0, SEEK_END) < 0)
    return task_misuse(batch->task, "cannot cut standard output: %s", strerror(errno));
  return 0;
}

static int resume(struct batch *batch)
{
  const char *path = batch->own->checkpoint;
  int error = checkpoint_read(path, batch->asked, &batch->stream);
  if (error == -EEXIST)
    return task_misuse(batch->task, "%s is of a run that asked something else than %s", path,
                       batch->asked);
  if (error == -EINVAL)
    return task_misuse(batch->task, "%s is no checkpoint", path);
  if (error && error != -ENOENT)
    return task_misuse(batch->task, "cannot read %s: %s", path, strerror(-error));
  return 0;
}

static int prepare_checkpoint(struct batch *batch)
{
  int status = 0;
  if (!batch->own->checkpoint)
    return 0;
  if (batch->own->resume)
    status = resume(batch);
  if (status == 0 && batch->options.how.lines)
    status = cut_output(batch);
  return status;
}

static int tell_failure(struct batch *batch, int error)
{
  if (input_error(batch->input)[0])
    return task_misuse(batch->task, "%s", input_error(batch->input));
  if (error == -ESTALE)
    return task_misuse(batch->task, "the input does not begin with what the checkpoint has read");
  if (error == -ENOMEM)
    return task_misuse(batch->task, "out of memory");
  if (error == -EREMOTEIO) {
    task_misuse(batch->task, "%s", batch->stream.why);
    return EXIT_UNREACHABLE;
  }
  return task_misuse(batch->task, "cannot write: %s", strerror(-error));
}

static void write_out(const struct buffer *out, FILE *file)
{
  if (out->length > 0)
    fwrite(out->data, 1, out->length, file);
}

/* To stdout where it was asked for; else an interrupted run tells how far it came on stderr. */
static void print_end(struct batch *batch, bool complete)
{
  struct buffer out;
  const struct batch_options *own = batch->own;
  struct summary summary = {.part = batch->part,
                            .complete = complete,
                            .bytes_read = batch->stream.bytes_read,
                            .checksum = batch->stream.checksum,
                            .tally = batch->stream.tally};
  snprintf(summary.asked, sizeof summary.asked, "%s", batch->asked);
  buffer_init(&out);
  if (own->longest && !(own->summary && batch->task->options->json))
    tally_print_list(&batch->stream.tally, &out);
  if (own->summary && batch->task->options->json)
    summary_write(&summary, &out);
  else if (own->summary)
    tally_print(&batch->stream.tally, &out);
  write_out(&out, stdout);
  buffer_clear(&out);
  if (!own->summary && interrupted)
    tally_print(&batch->stream.tally, &out);
  write_out(&out, stderr);
  buffer_deinit(&out);
}

static bool is_typed(const struct task *task)
{
  bool reads_standard_input = task->arguments_count == 0;
  for (int i = 0; i < task->arguments_count; i++)
    reads_standard_input |= strcmp(task->arguments[i], "-") == 0;
  return reads_standard_input && isatty(STDIN_FILENO);
}

static int run_stream(struct batch *batch)
{
  const bool typed = is_typed(batch->task);
  const bool lines_are_seen = batch->options.how.lines && isatty(STDOUT_FILENO);
  if (typed)
    fputs("Type or paste puzzles, one a line; Ctrl-D ends them.\n", stderr);
  pace_begin(&batch->pace, !typed && !lines_are_seen, batch->stream.tally.records);
  catch_interrupt();
  int error = stream_run(batch->input, &batch->options, &batch->stream);
  signal(SIGINT, SIG_DFL);
  pace_end(&batch->pace);
  if (error == -EPIPE)
    raise(SIGPIPE); /* silently, as other programs end */
  bool complete = error == 0 && !batch->stream.stopped;
  if (complete && batch->own->checkpoint)
    keep(batch, &batch->stream);
  if (error != -ESTALE)
    print_end(batch, complete);
  if (error && !(error == -EINTR && interrupted))
    return tell_failure(batch, error);
  if (interrupted)
    return EXIT_INTERRUPTED;
  if (batch->own->strict && batch->stream.bad[0] && !batch->options.how.lines)
    fprintf(stderr, "bad: %s\n", batch->stream.bad);
  if (batch->keep_error)
    return EXIT_USAGE;
  return batch->stream.tally.bad ? EXIT_REFUSED : EXIT_ANSWERED;
}

static int run_batch(struct batch *batch)
{
  const struct batch_options *own = batch->own;
  if (own->part && part_read(own->part, &batch->part))
    return task_misuse(batch->task, "--part is %s, not RES/MOD such as 3/8", own->part);
  if (!parse_roles(own->roles, &batch->options.how.question))
    return task_misuse(
        batch->task, "--roles is %s, not three different nodes such as 0,1,2, or all", own->roles);
  set_options(batch, on_tick);
  describe_asked(batch);
  if (tally_init(&batch->stream.tally, own->longest))
    return task_misuse(batch->task, "out of memory");
  batch->input = input_new(batch->task->arguments, batch->task->arguments_count);
  int status = batch->input ? prepare_checkpoint(batch) : task_misuse(batch->task, "out of memory");
  if (status == 0)
    status = run_stream(batch);
  input_free(batch->input);
  tally_deinit(&batch->stream.tally);
  return status;
}

static int run(struct task *task)
{
  int status = check_options(task);
  struct batch batch = {.task = task, .own = task->own};
  return status ? status : run_batch(&batch);
}

const struct command command_batch = {
    .name = "batch",
    .arguments = "[FILE|-]...",
    .arguments_max = INT_MAX,
    .meaning = "solve a stream of puzzles, a line for each",
    .details = "Reads JSON lines, LeetCode's test-case box, graph6, sparse6, edge lists and "
               "DIMACS, each record in a\n"
               "form of its own if need be, packed with gzip or zstd or not. Without FILE it reads "
               "standard input.\n"
               "A line is: nodes, outcome, plies. A bad record is a line that says why, and the "
               "exit status is 1 then.",
    .example =
        "$ cat examples/puzzles/graph.json examples/puzzles/graph-list.json | cmclient batch\n"
        "6	draw	-\n"
        "13	mouse	7\n",
    .needs = NEEDS_NO_CLIENT,
    .shared = OPTION(JSON) | OPTIONS_OF_CLIENT,
    .own = own_options,
    .own_bytes = sizeof(struct batch_options),
    .run = run,
};
