#!/usr/bin/python3
"""Replays tests/lsp/*.jsonl against the real server and daemon.

A transcript has one message a line. Those of the editor are sent as they stand; a line that begins with `--` is what
the server says next, of which it may leave members out: what it does say must be there. `"..."` stands for anything.
Every message of the server's is checked against the shapes below as well.
"""
import json
import pathlib
import unittest

from editor import Editor
from harness import Daemon, Folder, main

HERE = pathlib.Path(__file__).parent

POSITION = {"line": int, "character": int}
RANGE = {"start": POSITION, "end": POSITION}
DIAGNOSTIC = {"range": RANGE, "severity?": int, "code?": str, "source?": str, "message": str,
              "relatedInformation?": [{"location": {"uri": str, "range": RANGE}, "message": str}]}
TEXT_EDIT = {"range": RANGE, "newText": str}
COMMAND = {"title": str, "command": str, "arguments?": list}
SHAPES = {
    "textDocument/publishDiagnostics": {"uri": str, "version?": int, "diagnostics": [DIAGNOSTIC]},
    "window/showMessage": {"type": int, "message": str},
    "$/progress": {"token": str, "value": dict},
    "window/workDoneProgress/create": {"token": str},
    "workspace/codeLens/refresh": None,
    "textDocument/codeLens": [{"range": RANGE, "command": COMMAND}],
    "textDocument/hover": {"contents": {"kind": str, "value": str}, "range?": RANGE},
    "textDocument/inlayHint": [{"position": POSITION, "label": str, "paddingRight?": bool}],
    "textDocument/completion": [{"label": str, "kind?": int, "sortText?": str, "detail?": str, "filterText?": str,
                                 "textEdit?": TEXT_EDIT}],
    "textDocument/foldingRange": [{"startLine": int, "endLine": int}],
    "textDocument/codeAction": [{
        "title": str, "kind?": str, "isPreferred?": bool, "diagnostics?": [DIAGNOSTIC],
        "edit?": {"changes?": dict,
                  "documentChanges?": [{"textDocument": {"uri": str, "version": int}, "edits": [TEXT_EDIT]}]},
    }],
}


def complain(shape, value, where):
    """What is wrong with a value, or None. A key with a question mark may be missing; no others may be there."""
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            return f"{where} is no map"
        known = {key.rstrip("?"): key for key in shape}
        for key in value:
            if key not in known:
                return f"{where} has an unknown {key}"
        for key, written in known.items():
            if key not in value and not written.endswith("?"):
                return f"{where} lacks {key}"
            if key in value and (wrong := complain(shape[written], value[key], f"{where}.{key}")):
                return wrong
        return None
    if isinstance(shape, list):
        if not isinstance(value, list):
            return f"{where} is no list"
        return next(filter(None, (complain(shape[0], item, f"{where}[{i}]") for i, item in enumerate(value))), None)
    good = isinstance(value, shape) and not (shape is int and isinstance(value, bool))
    return None if good else f"{where} is {value!r}"


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

    def check_shape(self, message, asked):
        method = message.get("method") or asked.get(message.get("id"))
        value = message.get("params") if "method" in message else message.get("result")
        if "error" in message:
            self.assertIsNone(complain({"code": int, "message": str}, message["error"], "error"))
        elif SHAPES.get(method) and value is not None:
            self.assertIsNone(complain(SHAPES[method], value, method))

    def replay(self, path):
        started = Editor(self.folder)
        self.addCleanup(started.kill)
        asked = {}
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.startswith("--"):
                message = started.receive()
                self.check_shape(message, asked)
                wanted = json.loads(line[2:])
                self.assertTrue(matches(wanted, message), f"{path.name}:{number}: {message}")
            elif line and not line.startswith("//"):
                message = json.loads(line)
                if "id" in message and "method" in message:
                    asked[message["id"]] = message["method"]
                started.send(message)
        self.assertEqual(0, started.process.wait(60))
        self.assertEqual(b"", started.process.stdout.read())
        self.assertEqual(b"", started.process.stderr.read())

    def test_a_shape_that_is_wrong_is_seen(self):
        self.assertEqual("x.start lacks line", complain(RANGE, {"start": {"character": 1}, "end": {}}, "x"))
        self.assertEqual("x has an unknown y", complain(POSITION, {"line": 1, "character": 1, "y": 1}, "x"))
        self.assertFalse(matches({"a": [1, 2]}, {"a": [1]}))


def add_test(path):
    setattr(Transcripts, f"test_{path.stem}", lambda self: self.replay(path))


for transcript in sorted(HERE.glob("*.jsonl")):
    add_test(transcript)

if __name__ == "__main__":
    main()
