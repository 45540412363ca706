#!/usr/bin/python3
"""What `meson install` leaves, and a C program built against it with nothing but pkg-config."""
import os
import re
import shlex
import shutil
import subprocess
import unittest

import harness
from harness import BUILD, DEADLINE_S, ROOT, DaemonTest

SANITIZE = os.environ["SANITIZE"]
INSTALL = shlex.split(os.environ["INSTALL"])  # the command, but for where to
COMPILE = shlex.split(os.environ["COMPILE"])


class Installed(DaemonTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.root = cls.folder.path / "root"
        cls.run_command(*INSTALL, "--no-rebuild", "--quiet", "-C", BUILD, "--destdir", cls.root)

    @classmethod
    def run_command(cls, *command, env=None, **options):
        done = subprocess.run(list(map(str, command)), env={**os.environ, **(env or {})}, capture_output=True,
                              text=True, timeout=DEADLINE_S, check=False, **options)
        if done.returncode != 0:
            raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def find(self, name):
        found = list(self.root.rglob(name))
        self.assertEqual(1, len(found), f"{name}: {found}")
        return found[0]

    def pkg_config(self, *wanted):
        env = {"PKG_CONFIG_PATH": str(self.find("libcmclient.pc").parent), "PKG_CONFIG_SYSROOT_DIR": str(self.root)}
        return shlex.split(self.run_command("pkg-config", *wanted, "libcmclient", env=env))

    def compile(self, *arguments):
        return self.run_command(*COMPILE, *([f"-fsanitize={SANITIZE}"] if SANITIZE != "none" else []), *arguments)

    def test_program(self):
        program = self.folder.path / "hint"
        self.compile("-std=c11", "-Wall", "-Wextra", "-Werror", ROOT / "examples/hint.c", "-o", program,
                     *self.pkg_config("--cflags", "--libs"))
        env = {**self.folder.env, "LD_LIBRARY_PATH": str(self.find("libcmclient.so").parent)}
        said = self.run_command(program, ROOT / "examples/puzzles/graph-list.json", env=env)
        self.assertEqual("mouse in 7 plies; the mouse should go to 4\n", said)
        said = self.run_command(program, ROOT / "examples/puzzles/grid-leetcode.txt", env=env)
        self.assertEqual("mouse in 5 plies; the mouse should go to 12\n", said)

    @unittest.skipIf(" " in str(BUILD), "a shell cuts at spaces what pkg-config says")
    def test_uninstalled(self):
        """What the manual page says of a tree that is not installed, typed in a tree of that shape."""
        page = (ROOT / "docs/libcmclient.3.scd").read_text(encoding="utf-8")
        commands, = re.findall(r"```\n(export PKG_CONFIG_PATH.*?)```", page, re.S)
        tree = self.folder.path / "tree"
        tree.mkdir()
        (tree / "build").symlink_to(BUILD)
        (tree / "examples").symlink_to(ROOT / "examples")
        sanitize = "" if SANITIZE == "none" else f"-fsanitize={SANITIZE}"
        compiler = f'cc() {{ command {shlex.join(COMPILE)} {sanitize} "$@"; }}\n'
        said = self.run_command("sh", "-e", "-c", compiler + commands, env=self.folder.env, cwd=tree)
        self.assertEqual("mouse in 7 plies; the mouse should go to 4\n", said)

    def test_header_stands_alone(self):
        flags = ("-fsyntax-only", "-Wall", "-Wextra", "-Werror", self.find("cmclient.h"))
        self.compile("-x", "c", *flags)
        if shutil.which("clang"):
            self.run_command("clang", "-x", "c++", *flags)

    def test_version(self):
        self.assertEqual(self.run_command(self.find("bin/cmclient"), "--version").split()[1],
                         self.pkg_config("--modversion")[0])

    @unittest.skipUnless(SANITIZE == "none", "a sanitizer adds names of its own")
    def test_nothing_but_cm_names_is_exported(self):
        """Each function of the header, and no other."""
        listed = self.run_command("nm", "-D", "--defined-only", self.find("libcmclient.so"))
        names = {line.split()[-1] for line in listed.splitlines()}
        header = self.find("cmclient.h").read_text(encoding="utf-8")
        self.assertEqual(set(), {name for name in names if f"{name}(" not in header})
        self.assertIn("cm_solve", names)

    def test_everything_is_there(self):
        for name in ("bin/cmdaemon", "bin/cmclient", "libcmclient.so.0", "catmouse.socket", "catmouse.service",
                     "PROTOCOL.md", "hint.c"):
            self.find(name)

    def test_manuals(self):
        """Each page is where man looks for it."""
        for source in (ROOT / "docs").glob("*.scd"):
            page = self.find(source.stem)
            self.assertEqual(f"man{page.suffix[1:]}", page.parent.name)
            text = page.read_text(encoding="utf-8")
            self.assertIn(f'.TH "{page.stem}" "{page.suffix[1:]}"', text)
            for folder in re.findall(r"/[\w/]+/share/doc/catmouse", text):
                self.assertTrue((self.root / folder[1:]).is_dir(), f"{page.name} names {folder}")


if __name__ == "__main__":
    harness.main()
