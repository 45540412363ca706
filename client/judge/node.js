// Runs LeetCode's JavaScript and TypeScript: cases of the test-case box on standard input, an answer a line.
// Called with the solution's path and "graph" or "grid". What the solution prints itself goes to standard error.
// With --types, a path and another, it writes the first without its types to the other; without paths it only says
// whether it can.
"use strict";
const fs = require("fs");
const vm = require("vm");

const [path, game] = process.argv.slice(2);
let rest = "";
let ended = false;

function nextLine() {
  const bytes = Buffer.alloc(65536);
  while (!ended && !rest.includes("\n")) {
    const count = fs.readSync(0, bytes, 0, bytes.length, null);
    ended = count === 0;
    rest += bytes.toString("latin1", 0, count);
  }
  const end = rest.indexOf("\n");
  const line = end < 0 ? rest : rest.slice(0, end);
  rest = end < 0 ? "" : rest.slice(end + 1);
  return line;
}

// Where a program finds the package typescript: beside it, or installed by Debian or npm.
const typescriptPlaces = ["typescript", "/usr/share/nodejs/typescript", "/usr/lib/node_modules/typescript",
  "/usr/local/lib/node_modules/typescript"];

function findTypescript() {
  for (const place of typescriptPlaces) {
    try {
      return require(place);
    } catch {
      continue;
    }
  }
  return null;
}

function stripWith(typescript, source) {
  const made = typescript.transpileModule(source, { reportDiagnostics: true, compilerOptions: { target: "ES2020" } });
  for (const fault of made.diagnostics) {
    console.error(typescript.flattenDiagnosticMessageText(fault.messageText, "\n"));
    process.exitCode = 1;
  }
  return made.outputText;
}

function takeTypesOff(from, to) {
  const own = require("module").stripTypeScriptTypes;
  const typescript = own ? null : findTypescript();
  if (!own && !typescript) {
    fs.writeSync(2, `node ${process.version} cannot read TypeScript: node 22.13 and later can, or any node with the package typescript`);
    process.exitCode = 1;
  } else if (from) {
    const source = fs.readFileSync(from, "utf8");
    fs.writeFileSync(to, own ? own(source) : stripWith(typescript, source));
  }
}

function load() {
  const source = fs.readFileSync(path, "utf8");
  const name = game === "graph" ? "catMouseGame" : "canMouseWin";
  vm.runInThisContext(source, path);
  return vm.runInThisContext(name);
}

function answerCases() {
  console.log = console.info = console.debug = console.error;
  process.stdout.write = process.stderr.write.bind(process.stderr);
  const solve = load();
  fs.writeSync(1, "ready\n");
  for (let line = nextLine(); line !== ""; line = nextLine()) {
    const answer = game === "graph"
      ? solve(JSON.parse(line))
      : solve(JSON.parse(line), Number(nextLine()), Number(nextLine()));
    fs.writeSync(1, `${answer}\n`);
  }
}

if (path === "--types") {
  takeTypesOff(game, process.argv[4]);
} else {
  answerCases();
}
