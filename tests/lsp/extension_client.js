// The packed extension against a stub of VS Code: loads it where there is no server, then where there is, breaks a puzzle, mends it, looks at the picture, leaves.
// Prints what came of it. Arguments: the extension's folder, the command that starts the server.
'use strict';
const Module = require('module');
const path = require('path');
const vscode = require('./vscode_stub.js');

const load = Module._load;
Module._load = (name, ...more) => (name === 'vscode' ? vscode : load(name, ...more));

const [folder, ...command] = process.argv.slice(2);
const { stub } = vscode;
const token = new vscode.CancellationTokenSource().token;
const whole = new vscode.Range(0, 0, 99, 0);

function next_diagnostics() {
  return new Promise((resolve) => {
    const listening = stub.diagnosticsSet.event(({ diagnostics }) => {
      listening.dispose();
      resolve(diagnostics);
    });
  });
}

// The lenses once all is solved, which takes longer on a slow machine.
async function lenses_of(document) {
  const lenses = await stub.providers.CodeLensProvider.provideCodeLenses(document, token);
  return lenses.some((lens) => lens.command.title.startsWith('solving, ')) ? lenses_of(document) : lenses;
}

async function main() {
  stub.settings.command = ['/nowhere/cmclient', 'lsp'];
  const extension = require(path.resolve(folder, require(path.resolve(folder, 'package.json')).main));
  await extension.activate({ subscriptions: [] });
  const said = { missing: stub.messages.splice(0).filter((text) => text.startsWith('catmouse: ')), trouble: stub.messages };
  stub.settings.command = command;
  await stub.commands.get('catmouse.restart')();

  let diagnostics = next_diagnostics();
  const document = stub.open_document('file:///puzzle.catmouse', 'catmouse', '[[1,2],[0,2],[0]]');
  const found = await diagnostics;
  said.faults = found.map(({ code, range }) => [code, range.start.character]);

  const context = { diagnostics: found, triggerKind: 1, only: undefined };
  const actions = await stub.providers.CodeActionsProvider.provideCodeActions(document, whole, context, token);
  const [mend, ...others] = actions.filter((action) => action.isPreferred);
  said.repair = [mend.title, others.length];
  diagnostics = next_diagnostics();
  await vscode.workspace.applyEdit(mend.edit);
  said.left = (await diagnostics).length;
  said.text = document.getText();

  const lenses = await lenses_of(document);
  said.lenses = lenses.map((lens) => lens.command.title);
  const hover = await stub.providers.HoverProvider.provideHover(document, new vscode.Position(0, 2), token);
  said.hover = hover.contents.value.split('\n')[0];

  await stub.commands.get('catmouse.showVerdict')(...lenses[0].command.arguments);
  said.verdict = stub.messages.pop();

  const grid = stub.open_document('file:///grid.catmouse', 'catmouse', '["####F","#C...","M...."] 1 2');
  const buttons = await lenses_of(grid);
  const button = buttons.find((lens) => lens.command.command === 'catmouse.showPicture').command;
  await stub.commands.get(button.command)(...button.arguments);
  said.picture = [stub.panels.length, /<body><svg .*<\/svg>\s*<\/body>/s.test(stub.panels[0].webview.html)];
  await extension.deactivate();
  console.log(JSON.stringify(said));
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
