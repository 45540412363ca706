/* cmlsp [CMCLIENT]: what `cmclient lsp` becomes, with its options in the environment. */
#include "lsp/lsp.h"

int main(int argc, char **argv)
{
  return lsp_run(argc > 1 ? argv[1] : "cmclient");
}
