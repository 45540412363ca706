/*
 * Adapters lie beside cmclient in the build folder, or where it was installed, in share/catmouse/judge. The name of the
 * file says which language it is, and its text which of the two games.
 */
#include "client/judge/solution.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client/batch/whole_file.h"
#include "client/search_path.h"
#include "client/system.h"

enum { SOURCE_BYTES_MAX = 4 << 20 };

struct language {
  const char *name, *endings; /* separated by spaces */
  const char *adapter;
  enum solution_result (*prepare)(struct solution *solution);
};

static bool refuse(struct solution *solution, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(solution->sentence, sizeof solution->sentence, format, arguments);
  va_end(arguments);
  return false;
}

static const char *game_word(const struct solution *solution)
{
  return solution->game == GAME_GRAPH ? "graph" : "grid";
}

static const char *in_scratch(const struct solution *solution, const char *name,
                              char path[static PATH_MAX])
{
  if (snprintf(path, PATH_MAX, "%s/%s", solution->scratch, name) >= PATH_MAX)
    path[0] = '\0';
  return path;
}

static void set_argv(struct solution *solution, const char *const *words)
{
  size_t count = 0;
  for (; words[count]; count++)
    solution->argv[count] = words[count];
  solution->argv[count] = NULL;
}

static void read_log(struct solution *solution, const char *path)
{
  struct buffer text;
  buffer_init(&text);
  if (whole_file_read(path, SOURCE_BYTES_MAX, &text) == 0 && text.length > 0)
    refuse(solution, "%.*s", (int)(text.length < 3000 ? text.length : 3000), text.data);
  buffer_deinit(&text);
}

/* Runs a compiler; what it says becomes the sentence where it fails. */
static enum solution_result compile(struct solution *solution, const char *const *words)
{
  posix_spawn_file_actions_t actions;
  char log[PATH_MAX];
  pid_t pid;
  int status = 0;
  in_scratch(solution, "compiler.log", log);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC,
                                   0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  int error = posix_spawnp(&pid, words[0], &actions, NULL, (char *const *)words, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error) {
    refuse(solution, "%s is needed for %s: %s", words[0], solution->language, strerror(error));
    return SOLUTION_UNUSABLE;
  }
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
    ;
  if (status == 0)
    return SOLUTION_READY;
  refuse(solution, "%s failed", words[0]);
  read_log(solution, log);
  return SOLUTION_DOES_NOT_COMPILE;
}

static enum solution_result prepare_python(struct solution *solution)
{
  const char *const words[] = {"python3",           "-B", solution->adapter, solution->file,
                               game_word(solution), NULL};
  set_argv(solution, words);
  return SOLUTION_READY;
}

static void run_node(struct solution *solution, const char *file)
{
  const char *const words[] = {"node", "--stack-size=60000", solution->adapter,
                               file,   game_word(solution),  NULL};
  set_argv(solution, words);
}

static enum solution_result prepare_javascript(struct solution *solution)
{
  run_node(solution, solution->file);
  return SOLUTION_READY;
}

/* The adapter takes the types off, where node can, or tells why it cannot. */
static enum solution_result prepare_typescript(struct solution *solution)
{
  in_scratch(solution, "solution.js", solution->more);
  const char *const able[] = {"node", solution->adapter, "--types", NULL};
  const char *const words[] = {"node",         solution->adapter, "--types",
                               solution->file, solution->more,    NULL};
  if (compile(solution, able) != SOLUTION_READY)
    return SOLUTION_UNUSABLE;
  run_node(solution, solution->more);
  return compile(solution, words);
}

static enum solution_result compile_native(struct solution *solution, const char *compiler,
                                           const char *standard)
{
  char define[PATH_MAX + 32];
  snprintf(define, sizeof define, "-DJUDGE_SOLUTION=\"%s\"", solution->file);
  in_scratch(solution, "solution", solution->program);
  const char *const words[] = {compiler,
                               standard,
                               "-O2",
                               "-w",
                               define,
                               solution->game == GAME_GRAPH ? "-DJUDGE_GRAPH" : "-DJUDGE_GRID",
                               solution->adapter,
                               "-o",
                               solution->program,
                               "-lm",
                               NULL};
  const char *const run[] = {solution->program, NULL};
  set_argv(solution, run);
  return compile(solution, words);
}

static enum solution_result prepare_cpp(struct solution *solution)
{
  return compile_native(solution, "g++", "-std=gnu++17");
}

static enum solution_result prepare_c(struct solution *solution)
{
  return compile_native(solution, "gcc", "-std=gnu11");
}

/* LeetCode imports what a class may need; on its first line, so that line numbers stay. */
static bool write_java(struct solution *solution, const char *path)
{
  struct buffer text;
  buffer_init(&text);
  bool done = whole_file_read(solution->file, SOURCE_BYTES_MAX, &text) == 0;
  FILE *file = done ? fopen(path, "w") : NULL;
  if (file) {
    fprintf(file, "import java.util.*; import java.util.function.*; import java.util.stream.*; ");
    fwrite(text.data, 1, text.length, file);
    done = fclose(file) == 0;
  }
  buffer_deinit(&text);
  return file && done ? true : refuse(solution, "cannot write %s: %s", path, strerror(errno));
}

static enum solution_result prepare_java(struct solution *solution)
{
  if (!write_java(solution, in_scratch(solution, "Solution.java", solution->more)))
    return SOLUTION_UNUSABLE;
  const char *const words[] = {"javac",           "-nowarn",      "-d", solution->scratch,
                               solution->adapter, solution->more, NULL};
  const char *const run[] = {"java",
                             "-XX:+UseSerialGC",
                             "-XX:TieredStopAtLevel=1",
                             "-Xmx512m",
                             "-cp",
                             solution->scratch,
                             "Main",
                             game_word(solution),
                             NULL};
  set_argv(solution, run);
  return compile(solution, words);
}

static const struct language languages[] = {
    {"Python", "py", "python.py", prepare_python},
    {"C++", "cpp cc cxx", "cpp.cpp", prepare_cpp},
    {"Java", "java", "Main.java", prepare_java},
    {"JavaScript", "js", "node.js", prepare_javascript},
    {"TypeScript", "ts", "node.js", prepare_typescript},
    {"C", "c", "c.c", prepare_c},
};

/* What cannot be started would look like a crash. */
static enum solution_result find_program(struct solution *solution)
{
  char path[PATH_MAX];
  if (search_path_find(solution->argv[0], path))
    return SOLUTION_READY;
  refuse(solution, "cannot run %s: it is no program, or not there", solution->argv[0]);
  return SOLUTION_UNUSABLE;
}

/* Is this one of the words? */
static bool has_word(const char *words, const char *word)
{
  size_t length = strlen(word);
  for (const char *at = words; (at = strstr(at, word)); at += length) {
    if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
      return true;
  }
  return false;
}

static const struct language *language_of(const char *path)
{
  const char *ending = strrchr(path, '.');
  for (size_t i = 0; ending && ending[1] && i < sizeof languages / sizeof *languages; i++) {
    if (has_word(languages[i].endings, ending + 1))
      return &languages[i];
  }
  return NULL;
}

static bool find_adapter(struct solution *solution, const char *name)
{
  char program[PATH_MAX];
  int folder_length = program_path(program);
  static const char *const places[] = {"judge", "../share/catmouse/judge"};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    snprintf(solution->adapter, sizeof solution->adapter, "%.*s/%s/%s", folder_length, program,
             places[i], name);
    if (access(solution->adapter, R_OK) == 0)
      return true;
  }
  return refuse(solution, "the adapter %s is not where cmclient was installed", name);
}

/* A comment may name the other game; the method that comes first is meant. */
static bool find_game(struct solution *solution)
{
  struct buffer text;
  buffer_init(&text);
  int error = whole_file_read(solution->file, SOURCE_BYTES_MAX, &text);
  buffer_append(&text, "", 1);
  const char *graph = error || text.failed ? NULL : strstr(text.data, "catMouseGame");
  const char *grid = error || text.failed ? NULL : strstr(text.data, "canMouseWin");
  bool found = graph || grid;
  solution->game = graph && (!grid || graph < grid) ? GAME_GRAPH : GAME_GRID;
  buffer_deinit(&text);
  if (error)
    return refuse(solution, "cannot read %s: %s", solution->file, strerror(-error));
  return found ? true
               : refuse(solution, "%s has neither catMouseGame nor canMouseWin", solution->file);
}

static bool make_scratch(struct solution *solution)
{
  const char *folder = getenv("TMPDIR");
  snprintf(solution->scratch, sizeof solution->scratch, "%s/catmouse-judge-XXXXXX",
           folder && *folder ? folder : "/tmp");
  if (mkdtemp(solution->scratch))
    return true;
  refuse(solution, "cannot make the folder %s: %s", solution->scratch, strerror(errno));
  solution->scratch[0] = '\0';
  return false;
}

enum solution_result solution_open(const char *path, struct solution *solution)
{
  *solution = (struct solution){.way = SOLUTION_TALKS};
  const struct language *language = language_of(path);
  if (!realpath(path, solution->file)) {
    refuse(solution, "cannot read %s: %s", path, strerror(errno));
    return SOLUTION_UNUSABLE;
  }
  if (!language) {
    refuse(solution,
           "%s ends in none of .py .cpp .java .js .ts .c; for a program, write -- before it", path);
    return SOLUTION_UNUSABLE;
  }
  solution->language = language->name;
  if (!find_game(solution) || !find_adapter(solution, language->adapter) || !make_scratch(solution))
    return SOLUTION_UNUSABLE;
  const enum solution_result result = language->prepare(solution);
  return result == SOLUTION_READY ? find_program(solution) : result;
}

enum solution_result solution_of_program(const char *const *argv, enum game game, bool stream,
                                         struct solution *solution)
{
  *solution = (struct solution){
      .game = game, .way = stream ? SOLUTION_STREAM : SOLUTION_ONCE, .language = "program"};
  size_t count = 0;
  while (argv[count])
    count++;
  if (count > SOLUTION_WORDS_MOST) {
    refuse(solution, "a program may have at most %d arguments", SOLUTION_WORDS_MOST - 1);
    return SOLUTION_UNUSABLE;
  }
  set_argv(solution, argv);
  /* It runs in its scratch folder, but is named from here. */
  if (count > 0 && strchr(argv[0], '/')) {
    if (!realpath(argv[0], solution->program)) {
      refuse(solution, "cannot run %s: %s", argv[0], strerror(errno));
      return SOLUTION_UNUSABLE;
    }
    solution->argv[0] = solution->program;
  }
  return make_scratch(solution) ? find_program(solution) : SOLUTION_UNUSABLE;
}

static int on_entry(const char *path, const struct stat *about, int kind, struct FTW *place)
{
  (void)about;
  (void)kind;
  (void)place;
  remove(path);
  return 0;
}

void solution_deinit(struct solution *solution)
{
  if (solution->scratch[0])
    nftw(solution->scratch, on_entry, 16, FTW_DEPTH | FTW_PHYS);
  solution->scratch[0] = '\0';
}
