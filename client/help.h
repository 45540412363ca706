/* What --help prints, from the tables of commands and options. */
#ifndef CATMOUSE_CLIENT_HELP_H
#define CATMOUSE_CLIENT_HELP_H

struct command;

/* How to begin, in five lines. */
void help_print_beginning(void);

void help_print(void);
void help_print_command(const struct command *command);

#endif
