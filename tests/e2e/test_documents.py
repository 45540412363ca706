#!/usr/bin/python3
"""The documents say what the programs do: options, names and files that exist, sessions as they go."""
import os
import re
import subprocess
import textwrap
import unittest

import harness
from harness import BUILD, CMCLIENT, CMDAEMON, DEADLINE_S, ROOT, DaemonTest

TEXTS = ["README.md", "CHANGELOG.md", "docs/HACKING.md", "docs/JUDGE.md", "docs/SERVICE.md", "docs/SPEED.md",
         "examples/README.md", "proto/PROTOCOL.md"]
ROOMS = ["solver", "proto", "daemon", "client", "docs", "tests"]
SYSTEM = ["PATH", "TERM", "HOME", "JOURNAL_STREAM", "LISTEN_PID", "WATCHDOG_PID"]  # no page need explain these
ABOUT_ONE = ["evict", "clear", "list", "status"]  # their examples are of a daemon that has solved one puzzle
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def manual(name):
    """A page without its marks: what its reader sees."""
    return re.sub(r"\\(.)", r"\1", read(f"docs/{name}.scd"))


def help_of(*command):
    return subprocess.run([*command, "--help"], capture_output=True, text=True, timeout=DEADLINE_S,
                          check=True).stdout


def commands_in_help():
    listed = help_of(CMCLIENT).split("\n\n")[2]
    return set(re.findall(r"^  ([a-z]+)", listed, re.MULTILINE))


def rows_of_options(program):
    """The left columns of --help, of each command too: (name, argument or empty)."""
    helps = [help_of(program)]
    if program == CMCLIENT:
        helps += [help_of(program, command) for command in commands_in_help()]
    return {row for said in helps for row in re.findall(r"^  (?:-\w, )?(--[a-z-]+) ?([A-Z,]*)", said, re.MULTILINE)}


def options_in_help(program):
    return {name for name, _ in rows_of_options(program)}


def timeless(said):
    """Without what differs from run to run, and the number of cases, which grows."""
    said = re.sub(r"case \d+ of \d+", "case N of N", said)
    said = re.sub(r"Limits: \w+ a case", "Limits: T a case", said)
    said = re.sub(r"solved in [\d.]+ (?:µs|ms|s|minutes?)|known already|solved just now|solved \d+ \w+ ago", "solved", said)
    said = re.sub(r"^([0-9a-f]{6} .*) (?:now|\d+ (?:s|min|h))$", r"\1 used", said, flags=re.MULTILINE)
    said = re.sub(r"process \d+, up for .*", "process N", said)
    return re.sub(r"\d+\.\d+ kB", "N kB", said).rstrip("\n")


class Manuals(unittest.TestCase):
    def test_options(self):
        """Each option of --help has its paragraph, and no page tells of one that is not there."""
        for program, page in ((CMCLIENT, "cmclient.1"), (CMDAEMON, "cmdaemon.1")):
            explained = set(re.findall(r"^\*(--[a-z-]+)\*", manual(page), re.MULTILINE))
            self.assertEqual(options_in_help(program), explained, page)
            ours = re.sub(r"^system(ctl |d-).*", "", manual(page), flags=re.MULTILINE)
            mentioned = set(OPTION.findall(ours))
            self.assertEqual(set(), mentioned - explained, page)

    def test_arguments(self):
        """An option takes what --help says."""
        for program, page in ((CMCLIENT, "cmclient.1"), (CMDAEMON, "cmdaemon.1")):
            for option, argument in rows_of_options(program):
                self.assertIn(f"*{option}*" + (f" _{argument}_" if argument else ""), manual(page))

    def test_commands(self):
        page = manual("cmclient.1")
        explained = re.findall(r"^\*([a-z]+)\*", page[page.index("# COMMANDS"):page.index("# OPTIONS")], re.MULTILINE)
        self.assertEqual(commands_in_help(), set(explained))

    def test_environment(self):
        """What the sources ask of the environment, a page explains."""
        pages = manual("cmclient.1") + manual("cmdaemon.1")
        for room in ("client", "daemon", "proto"):
            for source in (ROOT / room).rglob("*.c"):
                for name in re.findall(r'(?:getenv|environment)\("([A-Z_]+)"\)', source.read_text(encoding="utf-8")):
                    if name not in SYSTEM:
                        self.assertIn(name, pages, source)

    def test_library(self):
        """Every function and error of the header, and nothing else."""
        header, page = read("client/cmclient.h"), manual("libcmclient.3")
        declared = set(re.findall(r"\b(cm_\w+)\(", header))
        self.assertEqual(declared, set(re.findall(r"\b(cm_\w+)\*?\(", page)))
        errors = set(re.findall(r"^ \*   (-E[A-Z]+)", header, re.MULTILINE))
        self.assertEqual(errors, set(re.findall(r"^\*(-E[A-Z]+)\*", page, re.MULTILINE)))


    def test_pages_of_commands(self):
        """Each command has its page, with each option that it takes and no other."""
        if not (BUILD / "docs/cmclient-solve.1").exists():
            self.skipTest("scdoc is not there")
        for command in commands_in_help():
            page = re.sub(r"\\\\(.)", r"\1", (BUILD / f"docs/cmclient-{command}.1.scd").read_text(encoding="utf-8"))
            taken = re.findall(r"^  (?:-\w, )?(--[a-z-]+)", help_of(CMCLIENT, command), re.MULTILINE)
            self.assertEqual(taken, re.findall(r"^\*(--[a-z-]+)\*", page, re.MULTILINE), command)
            self.assertIn(".TH", (BUILD / f"docs/cmclient-{command}.1").read_text(encoding="utf-8"))


class Texts(unittest.TestCase):
    def test_files_exist(self):
        """Paths in backquotes, from the root or from where the document lies; bare names, in any room. Builds make more."""
        for text in TEXTS:
            for path in re.findall(r"`([\w./-]*\w(?:/|\.(?:md|c|h|py|sh|lua|json|txt)))`", read(text)):
                if not path.startswith(("/", "./", "build-")):
                    places = [ROOT / path, (ROOT / text).parent / path]
                    in_a_room = any(next((ROOT / room).rglob(path), None) for room in ROOMS)
                    self.assertTrue(in_a_room or any(place.exists() for place in places), f"{text}: {path}")

    def test_options_exist(self):
        known = options_in_help(CMCLIENT) | options_in_help(CMDAEMON)
        for text in TEXTS:
            words = re.findall(r"`[^`\n]*`", read(text))
            named = {option for word in words if not re.match(r"`(meson|systemctl|git|ninja|\./dev bench)", word)
                     for option in OPTION.findall(word)}
            self.assertEqual(set(), named - known, text)

    def test_limits_of_the_daemon(self):
        """Each has its row in PROTOCOL.md, with its option."""
        limits = re.findall(r'X\((\w+), "([\w-]+)"', read("daemon/config.h"))
        rows = re.findall(r"^\| `(\w+)` \| `--([\w-]+)` \|$", read("proto/PROTOCOL.md"), re.MULTILINE)
        self.assertTrue(limits)
        self.assertEqual(limits, rows)

    def test_commands_of_dev_exist(self):
        known = set(re.findall(r"^\./dev (\w+)", read("dev"), re.MULTILINE))
        for text in TEXTS:
            self.assertEqual(set(), set(re.findall(r"\./dev (\w+)", read(text))) - known, text)

    def test_commands_of_cmclient_exist(self):
        known = commands_in_help()
        for text in TEXTS:
            named = set(re.findall(r"`cmclient ([a-z]+)", read(text)))
            self.assertEqual(set(), named - known, text)


class Sessions(DaemonTest):
    def run_line(self, line, folder=None):
        env = (folder or self.folder).env
        line = line.replace("cmclient judge ", "cmclient judge --time 10min ")  # as slow as a machine may be
        done = subprocess.run(["bash", "-c", line], cwd=ROOT, capture_output=True, stdin=subprocess.DEVNULL, text=True,
                              env={**env, "PATH": f"{os.path.dirname(CMCLIENT)}:{env['PATH']}"}, timeout=DEADLINE_S,
                              check=False)
        return done.stdout + done.stderr

    def sessions(self, text):
        """Each command behind a $ in an indented block or a page's, and what is shown below it, empty lines as well."""
        block = []
        indented = re.sub(r"^```\n(.*?)^```$", lambda found: textwrap.indent(found[1], "    "), read(text), flags=re.S | re.M)
        for line in indented.splitlines() + ["-"]:
            if line.startswith("    ") or (block and not line):
                block.append(line[4:])
            elif block:
                yield from re.findall(r"^\$ (cmclient .*)\n((?:(?!\$ ).*\n)*)", "\n".join(block) + "\n", re.MULTILINE)
                block = []

    def test_shown_answers(self):
        pages = [f"docs/{path.name}" for path in (ROOT / "docs").glob("*.scd")]
        shown = [pair for text in TEXTS + pages for pair in self.sessions(text)]
        self.assertGreaterEqual(len(shown), 16)
        for command, answer in shown:
            self.assertEqual(timeless(answer), timeless(self.run_line(command)), command)

    def test_examples_of_commands(self):
        """What --help and the manual page of each command show, typed in the project's folder."""
        for command in sorted(commands_in_help() - {"lsp"}):  # which an editor talks with
            line, answer = help_of(CMCLIENT, command).partition("\n$ ")[2].split("\n", 1)
            folder = harness.Folder()
            self.addCleanup(folder.remove)
            self.addCleanup(folder.end_daemon)
            folder.client(*(["solve", ROOT / "examples/puzzles/graph-list.json"] if command in ABOUT_ONE else ["ping"]))
            same = [timeless(said).replace(str(folder.path), "/run/user/1000")
                    for said in (answer, self.run_line(line, folder))]
            self.assertEqual(*same, line)

    def test_table_of_examples(self):
        """The README of the examples names each puzzle, and in how many plies it ends."""
        rows = re.findall(r"^\| `(puzzles/[^`]+)` \|.*\| (.*) \|$", read("examples/README.md"), re.MULTILINE)
        self.assertEqual({f"puzzles/{path.name}" for path in (ROOT / "examples/puzzles").iterdir()},
                         {path for path, _ in rows})
        for path, happens in rows:
            verdict = self.run_line(f"cmclient solve examples/{path}").splitlines()[0]
            plies = re.findall(r"\d+ pl(?:y|ies)", happens)
            self.assertEqual(plies, re.findall(r"\d+ pl(?:y|ies)", verdict), path)


if __name__ == "__main__":
    harness.main()
