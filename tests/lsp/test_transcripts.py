#!/usr/bin/python3
"""Replays tests/lsp/*.jsonl against the real server and daemon.

A transcript has one message a line. Those of the editor are sent as they stand; a line that begins with `--` is what
the server says next, of which it may leave members out: what it does say must be there. `"..."` stands for anything.
test_vscode.py checks every message of the server's against the protocol's own types as well.
"""
import json
import pathlib
import unittest

from editor import Editor, is_solving
from harness import DEADLINE_S, Daemon, Folder, main

HERE = pathlib.Path(__file__).parent


def matches(wanted, got):
    if wanted == "...":
        return True
    if isinstance(wanted, dict) and isinstance(got, dict):
        return all(key in got and matches(value, got[key]) for key, value in wanted.items())
    if isinstance(wanted, list) and isinstance(got, list):
        return len(wanted) == len(got) and all(map(matches, wanted, got))
    return wanted == got


class Transcripts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Folder()
        cls.addClassCleanup(cls.folder.remove)
        cls.daemon = Daemon(cls.folder)
        cls.addClassCleanup(cls.daemon.stop)

    def replay(self, path):
        started = Editor(self.folder)
        self.addCleanup(started.kill)
        asked = {}
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.startswith("--"):
                message = started.receive()
                while is_solving(message):  # on a slow machine: it is asked again
                    started.send(asked[message["id"]])
                    message = started.receive()
                wanted = json.loads(line[2:])
                self.assertTrue(matches(wanted, message), f"{path.name}:{number}: {message}")
            elif line and not line.startswith("//"):
                sent = json.loads(line)
                asked[sent.get("id")] = sent
                started.send(sent)
        self.assertEqual(0, started.process.wait(DEADLINE_S))
        self.assertEqual(b"", started.process.stdout.read())
        self.assertEqual(b"", started.process.stderr.read())

    def test_what_is_missing_is_seen(self):
        self.assertFalse(matches({"a": [1, 2]}, {"a": [1]}))
        self.assertFalse(matches({"a": None}, {}))


def add_test(path):
    setattr(Transcripts, f"test_{path.stem}", lambda self: self.replay(path))


for transcript in sorted(HERE.glob("*.jsonl")):
    add_test(transcript)

if __name__ == "__main__":
    main()
