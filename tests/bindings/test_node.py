#!/usr/bin/python3
"""The Node package against the real daemon, which it has cmclient start: the tests of node.js, and its documentation."""
import json
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/e2e"))
import harness
from harness import CMCLIENT, DEADLINE_S, FolderTest
from wire import Holder

PACKAGE = ROOT / "bindings/node"
TESTS = pathlib.Path(__file__).with_name("node.js")
HELD = ("cancelling", "a_lost_daemon_is_started_again", "closing")  # want a solve that does not end


class Package(FolderTest):
    def setUp(self):
        super().setUp()
        modules = self.folder.path / "node_modules"
        modules.mkdir()
        (modules / "catmouse").symlink_to(PACKAGE)
        self.addCleanup(self.folder.end_daemon)

    def run_node(self, *arguments):
        """What it printed; it must end by itself, whatever connections are open."""
        env = {**self.folder.env, "NODE_PATH": str(self.folder.path / "node_modules"),
               "PATH": f"{pathlib.Path(CMCLIENT).parent}:{self.folder.env['PATH']}"}
        done = subprocess.run(["node", "--unhandled-rejections=strict", *arguments], env=env, capture_output=True,
                              text=True, timeout=DEADLINE_S, check=False)
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        return done.stdout

    def test_example(self):
        """That of its README prints what is said there."""
        code, printed = re.findall(r"```(?:js|text)\n(.*?)```", (PACKAGE / "README.md").read_text(encoding="utf-8"), re.S)
        script = self.folder.path / "example.js"
        script.write_text(code, encoding="utf-8")
        self.assertEqual(printed, self.run_node(str(script)))

    def test_version(self):
        said = json.loads((PACKAGE / "package.json").read_text(encoding="utf-8"))["version"]
        self.assertEqual(f"cmclient {said}\n", self.folder.client("--version").stdout)

    def test_types_know_every_method(self):
        types = (PACKAGE / "index.d.ts").read_text(encoding="utf-8")
        methods = self.run_node("-p", "Object.getOwnPropertyNames(require('catmouse').Client.prototype).join(' ')")
        for method in methods.split():
            if not method.startswith("_"):
                self.assertRegex(types, rf"\n  {method}\(")

    def run_test(self, name):
        if name in HELD:
            self.start(*Holder.ARGUMENTS)
            self.addCleanup(Holder(self.folder.socket).release)
        self.run_node(str(TESTS), name)


def add_tests():
    for name in re.findall(r"^  async (\w+)\(\) \{$", TESTS.read_text(encoding="utf-8"), re.MULTILINE):
        setattr(Package, f"test_{name}", lambda self, name=name: self.run_test(name))


add_tests()

if __name__ == "__main__":
    harness.main()
