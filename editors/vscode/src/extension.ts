// Starts catmouse's language server, and shows its pictures. Everything else the server does for all editors.
import * as vscode from 'vscode';
import { ExecuteCommandRequest, LanguageClient } from 'vscode-languageclient/node';

let client: LanguageClient | undefined;

// A puzzle, as the server's commands take it.
interface Where {
  uri: string;
  puzzle?: number;
  position?: { line: number; character: number };
}

interface Solved {
  start: { outcome: 'mouse' | 'cat' | 'draw'; plies: number | null };
}

function here(): Where {
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    throw new Error('put the cursor on a puzzle first');
  }
  const { line, character } = editor.selection.active;
  return { uri: editor.document.uri.toString(), position: { line, character } };
}

async function ask<Result>(command: string, where: Where): Promise<Result> {
  if (!client) {
    throw new Error('the language server does not run');
  }
  return client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [where] });
}

// A command of ours whose failures are told to the user.
function register(context: vscode.ExtensionContext, name: string, run: (given?: Where) => Promise<void>): () => Promise<void> {
  const command = async (given?: Where): Promise<void> => {
    try {
      await run(given);
    } catch (error) {
      void vscode.window.showWarningMessage(`catmouse: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  context.subscriptions.push(vscode.commands.registerCommand(name, command));
  return command;
}

async function showVerdict(given?: Where): Promise<void> {
  const { outcome, plies } = (await ask<Solved>('catmouse.solve', given ?? here())).start;
  const winner = outcome === 'mouse' ? 'The mouse wins' : 'The cat wins';
  const end = plies === null ? ': the game has no end' : ` in ${plies} ${plies === 1 ? 'ply' : 'plies'}`;
  const words = outcome === 'draw' ? 'A draw' : winner + end;
  void vscode.window.showInformationMessage(`${words}.`);
}

// The picture beside the text, drawn again when the text has changed and is a puzzle.
class Picture {
  private panel: vscode.WebviewPanel | undefined;
  private where: Where | undefined;
  private timer: NodeJS.Timeout | undefined;

  async show(where: Where): Promise<void> {
    this.where = where;
    if (!this.panel) {
      const beside = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      this.panel = vscode.window.createWebviewPanel('catmouse.picture', 'Cat and Mouse', beside, {});
      this.panel.onDidDispose(() => (this.panel = undefined));
    }
    await this.draw();
  }

  edited(uri: string): void {
    if (!this.panel || this.where?.uri !== uri) {
      return;
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.draw().catch(() => undefined); // a puzzle with faults keeps its last picture
    }, 300);
  }

  private async draw(): Promise<void> {
    if (!this.panel || !this.where) {
      return;
    }
    const { svg } = await ask<{ svg: string }>('catmouse.picture', this.where);
    const policy = "default-src 'none'; style-src 'unsafe-inline'";
    this.panel.webview.html =
      `<!DOCTYPE html><html><head><meta http-equiv="Content-Security-Policy" content="${policy}">` +
      `<style>body{background:white} svg{max-width:100%;height:auto}</style></head><body>${svg}</body></html>`;
  }
}

function makeClient(command: string, args: string[]): LanguageClient {
  const documentSelector = ['catmouse', 'json', 'jsonc', 'markdown'].flatMap((language) => [
    { language, scheme: 'file' },
    { language, scheme: 'untitled' },
  ]);
  return new LanguageClient('catmouse', 'catmouse', { command, args }, {
    documentSelector,
    initializationOptions: { picture: true },
  });
}

// One that did not start cannot be stopped.
async function stop(): Promise<void> {
  const old = client;
  client = undefined;
  await old?.stop().catch(() => undefined);
}

async function restart(): Promise<void> {
  const [program, ...args] = vscode.workspace.getConfiguration('catmouse').get<string[]>('command', ['cmclient', 'lsp']);
  await stop();
  const started = makeClient(program, args);
  try {
    await started.start();
  } catch (error) {
    const missing = `there is no program ${program}; the setting catmouse.command can name another`;
    throw new Error(String(error).includes('ENOENT') ? missing : `the language server does not start: ${String(error)}`);
  }
  client = started;
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const picture = new Picture();
  register(context, 'catmouse.showVerdict', showVerdict);
  register(context, 'catmouse.showPicture', async (given) => picture.show(given ?? here()));
  const start = register(context, 'catmouse.restart', restart);
  context.subscriptions.push(
    vscode.workspace.onDidChangeTextDocument((event) => picture.edited(event.document.uri.toString())),
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('catmouse.command') && void start()),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await stop();
}
