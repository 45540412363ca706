#!/usr/bin/python3
"""VS Code's own libraries: its JSON-RPC client against the real server, and the extension's types.

They come from npm. The tests are skipped where `npm ci` has not been run in editors/vscode.
"""
import json
import os
import shutil
import subprocess
import unittest

import editor  # noqa: F401, it knows where the harness lies
from harness import CMCLIENT, DEADLINE_S, ROOT, Daemon, Folder, main

EXTENSION = ROOT / "editors/vscode"
MODULES = EXTENSION / "node_modules"


@unittest.skipUnless(shutil.which("node") and MODULES.exists(), "npm ci has not been run in editors/vscode")
class VsCode(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.remove)

    def node(self, *arguments, **env):
        done = subprocess.run(["node", *map(str, arguments)], env={**self.folder.env, **env}, cwd=EXTENSION,
                              capture_output=True, text=True, timeout=DEADLINE_S * 2, check=False)
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        return done.stdout

    def test_an_independent_client(self):
        daemon = Daemon(self.folder)
        self.addCleanup(daemon.stop)
        said = json.loads(self.node(ROOT / "tests/lsp/independent_client.js", CMCLIENT=CMCLIENT, NODE_PATH=str(MODULES)))
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
            said,
        )

    def test_the_extension_goes_with_the_types_of_vscode(self):
        self.node(MODULES / "typescript/bin/tsc", "--noEmit")


if __name__ == "__main__":
    main()
