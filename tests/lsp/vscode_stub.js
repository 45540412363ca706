// As much of VS Code as its language client and the extension touch, without a window: documents that can be edited,
// providers that can be asked, webviews that keep what they are given. Any class that is not here is a plain record of
// what it was made with, any provider that can be registered is kept, and any other event never comes.
'use strict';

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}

class Range {
  constructor(...ends) {
    const [start, end] = ends.length === 4 ? [new Position(ends[0], ends[1]), new Position(ends[2], ends[3])] : ends;
    Object.assign(this, { start, end });
  }
}

class Uri {
  constructor(text) {
    const url = new URL(text);
    Object.assign(this, { text, scheme: url.protocol.slice(0, -1), path: url.pathname, fsPath: url.pathname });
  }
  static parse(text) {
    return new Uri(text);
  }
  static file(path) {
    return new Uri(`file://${path}`);
  }
  toString() {
    return this.text;
  }
}

class Disposable {
  constructor(run) {
    this.dispose = run ?? (() => {});
  }
  static from(...all) {
    return new Disposable(() => all.forEach((one) => one.dispose()));
  }
}

class EventEmitter {
  listeners = new Set();
  event = (listener, self) => {
    const bound = (...values) => listener.apply(self, values);
    this.listeners.add(bound);
    return new Disposable(() => this.listeners.delete(bound));
  };
  fire(value) {
    this.listeners.forEach((listener) => listener(value));
  }
  dispose() {
    this.listeners.clear();
  }
}

class CancellationTokenSource {
  token = { isCancellationRequested: false, onCancellationRequested: () => new Disposable() };
  dispose() {}
}

class WorkspaceEdit {
  edits = [];
  replace(uri, range, newText) {
    this.edits.push({ uri, range, newText });
  }
}

class CodeActionKind {
  constructor(value) {
    this.value = value;
  }
  append(part) {
    return new CodeActionKind(this.value ? `${this.value}.${part}` : part);
  }
}
CodeActionKind.Empty = new CodeActionKind('');

class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity });
  }
}

class CodeLens {
  constructor(range, command) {
    Object.assign(this, { range, command });
  }
}

class CodeAction {
  constructor(title, kind) {
    Object.assign(this, { title, kind });
  }
}

class Hover {
  constructor(contents, range) {
    Object.assign(this, { contents, range });
  }
}

class MarkdownString {
  constructor(value) {
    this.value = value;
  }
}

const classes = {
  Position, Range, Uri, Disposable, EventEmitter, CancellationTokenSource, WorkspaceEdit, CodeActionKind, Diagnostic,
  CodeLens, CodeAction, Hover, MarkdownString,
};

const opened = new EventEmitter();
const changed = new EventEmitter();
const diagnosticsSet = new EventEmitter();
const documents = [];
const providers = {};
const commands = new Map();
const panels = [];
const messages = [];
const never = () => new Disposable();

// A name that is not `known` is what `other` makes of it.
function open_ended(known, other) {
  return new Proxy(known, { get: (target, name) => (name in target ? target[name] : other(String(name))) });
}

function open_document(uri, languageId, text) {
  const document = {
    uri: Uri.parse(uri), languageId, text, version: 1, isClosed: false, isDirty: false,
    getText: () => document.text,
    offset: ({ line, character }) => document.text.split('\n').slice(0, line).join('\n').length + (line ? 1 : 0) + character,
  };
  documents.push(document);
  opened.fire(document);
  return document;
}

function edit_document(document, range, newText) {
  const [begin, end] = [document.offset(range.start), document.offset(range.end)];
  document.text = document.text.slice(0, begin) + newText + document.text.slice(end);
  document.version++;
  changed.fire({ document, contentChanges: [{ range, rangeOffset: begin, rangeLength: end - begin, text: newText }] });
}

const languages = open_ended(
  {
    match: (selector, document) =>
      selector.some(({ language, scheme }) => language === document.languageId && scheme === document.uri.scheme) ? 10 : 0,
    createDiagnosticCollection: () => ({
      set: (uri, diagnostics) => diagnosticsSet.fire({ uri: uri.toString(), diagnostics }),
      delete: () => {},
      dispose: () => {},
    }),
  },
  (name) => (selector, provider) => {
    providers[name.replace(/^register/, '')] = provider;
    return new Disposable();
  },
);

const workspace = open_ended(
  {
    textDocuments: documents,
    notebookDocuments: [],
    onDidOpenTextDocument: opened.event,
    onDidChangeTextDocument: changed.event,
    getConfiguration: () => open_ended({ get: (name, otherwise) => vscode.stub.settings[name] ?? otherwise }, () => undefined),
    applyEdit: async (edit) => {
      for (const { uri, range, newText } of edit.edits) {
        edit_document(documents.find((document) => document.uri.text === uri.text), range, newText);
      }
      return true;
    },
  },
  (name) => (/^on(Did|Will)/.test(name) ? never : undefined),
);

const window = open_ended(
  {
    tabGroups: { all: [], onDidChangeTabs: never, onDidChangeTabGroups: never },
    createOutputChannel: () => open_ended({}, () => () => {}),
    createWebviewPanel: (id, title) => {
      const panel = { id, title, webview: { html: '' }, onDidDispose: never };
      panels.push(panel);
      return panel;
    },
  },
  (name) => {
    if (/^show.*Message$/.test(name)) {
      return async (text) => void messages.push(text);
    }
    return /^on(Did|Will)/.test(name) ? never : undefined;
  },
);

const vscode = open_ended(
  {
    ...classes, languages, workspace, window,
    version: '1.82.0',
    ViewColumn: { Beside: -2 },
    env: { appName: 'stub', language: 'en' },
    commands: {
      registerCommand: (name, run) => {
        commands.set(name, run);
        return new Disposable(() => commands.delete(name));
      },
    },
    // What a test sees and does.
    stub: { settings: {}, providers, commands, panels, messages, diagnosticsSet, open_document, edit_document },
  },
  (name) =>
    class {
      constructor(...values) {
        this.values = values;
      }
    },
);

module.exports = vscode;
