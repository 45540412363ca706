#!/usr/bin/python3
"""Completion as its shells do it: bash by its function, fish by its own question, zsh on a terminal."""
import os
import pathlib
import pty
import re
import shutil
import subprocess
import unittest

import harness
from harness import CMCLIENT, DEADLINE_S, ROOT, DaemonTest

# What is typed, and what may come of its last word; ID stands for the id of a solved puzzle.
CASES = [
    ("so", {"solve", "sockname"}),
    ("quer", {"query"}),
    ("query --lim", {"--limit"}),
    ("solve --color al", {"always"}),
    ("query --id zz", set()),
    ("query --id ID", {"ID"}),
    ("evict ID", {"ID"}),
    ("evict README", {"README.md"}),
    ("completion z", {"zsh"}),
    ("solve examples/puzzles/grid.", {"examples/puzzles/grid.json"}),
]


class Completion(DaemonTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        solved = cls.folder.client("solve", "--json", ROOT / "examples/puzzles/graph.json").stdout
        cls.solved_id = re.search(r'"id":"(\w{12})', solved)[1]
        cls.env = {**cls.folder.env, "TERM": "dumb",
                   "PATH": f"{pathlib.Path(CMCLIENT).parent}:{cls.folder.env['PATH']}"}

    def script(self, shell, name):
        path = self.folder.path / shell / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(self.folder.client("completion", shell).stdout, encoding="utf-8")
        return path

    def cases(self):
        for typed, wanted in CASES:
            yield (f"cmclient {typed.replace('ID', self.solved_id[:4])}",
                   {word.replace("ID", self.solved_id) for word in wanted})

    def run_shell(self, *command):
        return subprocess.run(command, env=self.env, cwd=ROOT, capture_output=True, text=True, timeout=DEADLINE_S,
                              check=True).stdout

    def test_bash(self):
        script = self.script("bash", "cmclient")
        for typed, wanted in self.cases():
            said = self.run_shell("bash", "-c", f"source {script}; COMP_WORDS=({typed}) COMP_CWORD="
                                  f"{len(typed.split()) - 1}; _cmclient; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
            self.assertEqual(wanted, set(said.split()), typed)

    def test_bash_alone(self):
        """It cuts words at =, and offers files where a command takes some."""
        script = self.script("bash", "cmclient")
        for typed, wanted in (("solve --color = al", "always"), ("solve --color =", "auto always never"),
                              ("help sol", "solve"), ("completion README", ""), ("list README", "")):
            said = self.run_shell("bash", "-c", f"source {script}; COMP_WORDS=(cmclient {typed}) COMP_CWORD="
                                  f"{len(typed.split())}; _cmclient; echo ${{COMPREPLY[*]}}")
            self.assertEqual(wanted, said.strip(), typed)

    @unittest.skipUnless(shutil.which("fish"), "fish is not there")
    def test_fish(self):
        script = self.script("fish", "cmclient.fish")
        for typed, wanted in self.cases():
            said = self.run_shell("fish", "--no-config", "-c", f"source {script}; complete -C '{typed}'")
            self.assertEqual(wanted, {line.split("\t")[0] for line in said.splitlines()}, typed)

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not there")
    def test_zsh(self):
        folder = self.script("zsh", "_cmclient").parent
        process, terminal = pty.fork()
        if process == 0:
            os.chdir(ROOT)
            os.execvpe("zsh", ["zsh", "-f", "-i"], self.env)
        self.addCleanup(os.waitpid, process, 0)
        self.addCleanup(os.close, terminal)
        # Ctrl-G shows the line as it has become, and forgets it.
        os.write(terminal, f"""PROMPT=; fpath=({folder} $fpath); autoload -U compinit; compinit -u -D
            show() {{ print -r -- "<$BUFFER>"; BUFFER=; zle accept-line }}; zle -N show; bindkey '^G' show
            print READY $((1 + 1))\n""".encode())
        self.read_until(terminal, rb"READY 2")
        for typed, wanted in self.cases():
            if len(wanted) == 1:  # of several it would wait for a choice
                os.write(terminal, typed.encode() + b"\t\x07")
                became = self.read_until(terminal, rb"<(cmclient[^>]*)>").decode()
                self.assertEqual(wanted, {became.split()[-1]}, typed)

    def read_until(self, terminal, pattern):
        said = b""
        while not (found := re.search(pattern, said)):
            harness.wait_readable(terminal, f"{pattern} from zsh, which said {said}")
            said += os.read(terminal, 65536)
        return found[found.re.groups]

    def test_another_shell(self):
        done = self.folder.client("completion", "tcsh")
        self.assertEqual(2, done.returncode)
        self.assertIn("there is completion for bash, zsh and fish, not for tcsh", done.stderr)


if __name__ == "__main__":
    harness.main()
