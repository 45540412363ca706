#include "lsp/commands.h"

json_t *command_names(void)
{
  return json_array();
}
