// Runs LeetCode's JavaScript and TypeScript: cases of the test-case box on standard input, an answer a line.
// Called with the solution's path and "graph" or "grid". What the solution prints itself goes to standard error.
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

function load() {
  let source = fs.readFileSync(path, "utf8");
  if (path.endsWith(".ts")) {
    const strip = require("module").stripTypeScriptTypes;
    if (!strip) {
      console.error(`node ${process.version} cannot run TypeScript; node 22.13 and later can`);
      process.exit(3);
    }
    source = strip(source);
  }
  const name = game === "graph" ? "catMouseGame" : "canMouseWin";
  vm.runInThisContext(source, path);
  return vm.runInThisContext(name);
}

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
