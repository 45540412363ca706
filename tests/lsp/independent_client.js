// A client that nobody here wrote, vscode-jsonrpc, opens, edits, hovers, cancels and closes. Prints what came of it.
'use strict';
const { spawn } = require('child_process');
const rpc = require('vscode-jsonrpc/node');
const lsp = require('vscode-languageserver-protocol');

const uri = 'file:///puzzle.catmouse';

// What is answered once all is solved, which takes longer on a slow machine.
async function solved(ask) {
  const said = await ask();
  return JSON.stringify(said).includes('solving, ') ? solved(ask) : said;
}

async function main() {
  const server = spawn(process.env.CMCLIENT, ['lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => server.on('exit', resolve));
  const connection = rpc.createMessageConnection(
    new rpc.StreamMessageReader(server.stdout),
    new rpc.StreamMessageWriter(server.stdin),
  );
  const said = {};
  const published = [];
  let wake = () => {};
  connection.onNotification(lsp.PublishDiagnosticsNotification.type, (params) => {
    published.push(params);
    wake();
  });
  async function diagnostics(version) {
    for (;;) {
      const found = published.find((params) => params.version === version);
      if (found) {
        return found.diagnostics;
      }
      await new Promise((resolve) => (wake = resolve));
    }
  }
  connection.listen();
  const capabilities = { textDocument: { codeLens: {} } };
  const about = await connection.sendRequest(lsp.InitializeRequest.type, { processId: process.pid, rootUri: null, capabilities });
  said.encoding = about.capabilities.positionEncoding;
  await connection.sendNotification(lsp.InitializedNotification.type, {});

  const textDocument = { uri, languageId: 'catmouse', version: 1, text: '[[1,2],[0,2],[0,9]]' };
  await connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, { textDocument });
  said.faults = (await diagnostics(1)).map((d) => d.code);
  const range = lsp.Range.create(0, 16, 0, 17);
  const contentChanges = [{ range, text: '1' }];
  await connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, { textDocument: { uri, version: 2 }, contentChanges });
  said.mended = (await diagnostics(2)).length === 0;
  const lenses = await solved(() => connection.sendRequest(lsp.CodeLensRequest.type, { textDocument: { uri } }));
  said.lenses = lenses.every(lsp.CodeLens.is) && lenses.map((lens) => lens.command.title);
  const hover = await connection.sendRequest(lsp.HoverRequest.type, { textDocument: { uri }, position: lsp.Position.create(0, 2) });
  said.hover = lsp.Hover.is(hover) && hover.contents.value.split('\n')[0];
  const hints = await connection.sendRequest(lsp.InlayHintRequest.type, { textDocument: { uri }, range: lsp.Range.create(0, 0, 1, 0) });
  said.hints = hints.every(lsp.InlayHint.is) && hints.length;
  const symbols = await connection.sendRequest(lsp.DocumentSymbolRequest.type, { textDocument: { uri } });
  said.symbols = symbols.length;

  const path = Array.from({ length: 20000 }, (_, node) => [node - 1, node + 1].filter((v) => v >= 0 && v < 20000));
  const source = new rpc.CancellationTokenSource();
  const slow = connection.sendRequest(
    lsp.ExecuteCommandRequest.type,
    { command: 'catmouse.solve', arguments: [{ text: JSON.stringify(path) }] },
    source.token,
  );
  source.cancel();
  said.cancelled = await slow.then(() => 'answered', (error) => error.code);

  await connection.sendNotification(lsp.DidCloseTextDocumentNotification.type, { textDocument: { uri } });
  await connection.sendRequest(lsp.ShutdownRequest.type);
  await connection.sendNotification(lsp.ExitNotification.type);
  said.status = await ended;
  console.log(JSON.stringify(said));
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
