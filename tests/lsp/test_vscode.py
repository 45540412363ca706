#!/usr/bin/python3
"""VS Code's own libraries: its JSON-RPC client against the real server, the packed extension in a stub of VS Code, and
the declarations of the protocol's types, which all messages of the other tests are checked against.

They come from npm: `./dev test vscode` fetches them.
"""
import json
import os
import pathlib
import subprocess
import unittest
import zipfile

import test_features
import test_protocol
import test_transcripts
from editor import Editor
from harness import CMCLIENT, DEADLINE_S, ROOT, Daemon, Folder, main

EXTENSION = ROOT / "editors/vscode"
MODULES = EXTENSION / "node_modules"
PACKED = next(EXTENSION.glob("catmouse-*.vsix"), None)
HERE = pathlib.Path(__file__).parent

# Notes its own process, and becomes the server.
STARTER = 'echo $$ >"$0"; exec "$@"'


@unittest.skipUnless(PACKED, "editors/vscode is not packed: `./dev test vscode` does it")
class VsCode(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.remove)
        daemon = Daemon(self.folder)
        self.addCleanup(daemon.stop)

    def node(self, script, *arguments, stdin=""):
        env = {**self.folder.env, "CMCLIENT": CMCLIENT, "NODE_PATH": str(MODULES)}
        done = subprocess.run(["node", HERE / script, *map(str, arguments)], env=env, input=stdin,
                              capture_output=True, text=True, timeout=DEADLINE_S * 2, check=False)
        self.assertEqual((0, ""), (done.returncode, done.stderr), done.stdout)
        return json.loads(done.stdout)

    def test_an_independent_client(self):
        self.assertEqual(
            {
                "encoding": "utf-16",
                "faults": ["missing-mirror", "out-of-range"],
                "mended": True,
                "lenses": ["Mouse wins in 1 ply · best: to 0"],
                "hover": "Mouse at 1, cat at 2, mouse to move: **Mouse wins in 1 ply**",
                "hints": 3,
                "symbols": 1,
                "cancelled": -32800,
                "status": 0,
            },
            self.node("independent_client.js"),
        )

    def test_the_packed_extension(self):
        with zipfile.ZipFile(PACKED) as packed:
            packed.extractall(self.folder.path / "packed")
        noted = self.folder.path / "server"
        said = self.node("extension_client.js", self.folder.path / "packed/extension",
                         "sh", "-c", STARTER, noted, CMCLIENT, "lsp")
        self.assertEqual(
            {
                "missing": ["catmouse: there is no program /nowhere/cmclient; the setting catmouse.command can name another"],
                "trouble": [],
                "faults": [["missing-mirror", 10]],
                "repair": ["Add 1 to the list of 2", 0],
                "left": 0,
                "text": "[[1,2],[0,2],[0,1]]",
                "lenses": ["Mouse wins in 1 ply · best: to 0", "picture"],
                "hover": "Mouse at 1, cat at 2, mouse to move: **Mouse wins in 1 ply**",
                "verdict": "The mouse wins in 1 ply.",
                "picture": [1, True],
            },
            said,
        )
        self.assertFalse(os.path.exists(f"/proc/{noted.read_text().strip()}"), "the server outlived its extension")

    def check(self, heard):
        return self.node("check_messages.js", stdin=json.dumps(heard))

    def test_messages_are_of_the_protocols_types(self):
        Editor.heard = []
        self.addCleanup(setattr, Editor, "heard", None)
        result = unittest.TestResult()
        for module in (test_transcripts, test_features, test_protocol):
            unittest.defaultTestLoader.loadTestsFromModule(module).run(result)
        self.assertEqual([], result.errors + result.failures)
        self.assertEqual({"complaints": [], "unsaid": []}, self.check(Editor.heard))

    def test_messages_of_other_types_are_seen(self):
        said = {"jsonrpc": "2.0", "id": 1}
        for asked, more, complaint in (
            ("textDocument/hover", {"result": {"contents": "x", "rang": 1}}, "must NOT have additional properties"),
            ("textDocument/hover", {"error": {"code": 1}}, "must have required property 'message'"),
            (None, {"method": "window/blink"}, "not in messages.ts"),
        ):
            self.assertIn(complaint, self.check([{"asked": asked, "message": {**said, **more}}])["complaints"][0])


if __name__ == "__main__":
    main()
