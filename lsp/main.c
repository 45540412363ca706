/* cmlsp: `cmclient lsp` becomes it, with its options in the environment. */
#include "lsp/lsp.h"

int main(void)
{
  return lsp_run();
}
