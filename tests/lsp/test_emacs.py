#!/usr/bin/python3
"""The mode in a real Emacs with eglot: compiled without a warning, and its ERT tests."""
import os
import shutil
import subprocess
import unittest

import editor  # noqa: F401, it knows where the harness lies
from harness import CMCLIENT, DEADLINE_S, ROOT, Daemon, Folder, main

MODE = ROOT / "editors/emacs/catmouse.el"


def emacs(*arguments, **options):
    return subprocess.run(
        ["emacs", "-q", "--no-site-file", "--batch", "--eval", "(package-initialize)", *map(str, arguments)],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        timeout=DEADLINE_S * 4, check=False, **options,
    )


def has(library):
    return shutil.which("emacs") and emacs("-l", library).returncode == 0


@unittest.skipUnless(has("eglot"), "there is no Emacs with eglot")
class Emacs(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.remove)

    def test_it_compiles_without_a_warning(self):
        copy = shutil.copy(MODE, self.folder.path)
        done = emacs("--eval", "(setq byte-compile-error-on-warn t)", "-f", "batch-byte-compile", copy)
        self.assertEqual(0, done.returncode, done.stdout)

    @unittest.skipUnless(has("package-lint"), "there is no package-lint")
    def test_package_lint_has_nothing_to_say(self):
        lint = "(setq package-lint-main-file %s)" % str(MODE).join('""')
        done = emacs("-l", "package-lint", "--eval", lint, "-f", "package-lint-batch-and-exit", MODE)
        self.assertEqual(0, done.returncode, done.stdout)

    def test_ert(self):
        daemon = Daemon(self.folder)
        self.addCleanup(daemon.stop)
        env = {**self.folder.env, "PATH": os.path.dirname(CMCLIENT) + ":" + os.environ["PATH"]}
        done = emacs("-L", MODE.parent, "-l", ROOT / "tests/lsp/catmouse-tests.el",
                     "-f", "ert-run-tests-batch-and-exit", env=env)
        self.assertEqual(0, done.returncode, done.stdout)
        self.assertIn("0 unexpected", done.stdout)


if __name__ == "__main__":
    main()
