#!/usr/bin/python3
"""The Debian packages of `./dev deb` in a fresh Debian 12: installed, used by a user, removed; then in a container.

The root is made once, by debootstrap, from the mirror that this machine's apt uses.
"""
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "e2e"))
import harness
from harness import BUILD, ROOT

PACKAGES = sorted(map(str, BUILD.glob("*.deb")))
DEADLINE_S = 900  # for what downloads
EXAMPLE = "/usr/share/doc/catmouse/examples/puzzles/graph-list.json"
PASSING = ("var/lib/apt", "var/lib/dpkg", "var/cache", "var/log", "proc", "tmp")  # files of other programs


def run(*command, **options):
    """What it says, on either stream; it must end well."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=DEADLINE_S, check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


class Root:
    """A fresh Debian 12 with one user."""

    def __init__(self):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="catmouse-root-"))
        self.path.chmod(0o755)
        mirror = run("apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages",
                     "Codename: bookworm", "Origin: Debian").split()
        try:
            run("debootstrap", "--variant=minbase", "bookworm", self.path, *mirror[:1])
        except AssertionError as error:
            shutil.rmtree(self.path)
            raise unittest.SkipTest(f"no mirror answers: {str(error).splitlines()[-1]}")
        # How this machine reaches its mirror.
        (self.path / "etc/apt/apt.conf.d/99acquire").write_text(run("apt-config", "dump", "Acquire"), encoding="utf-8")
        self.run("apt-get", "-qq", "update")
        self.install("bash-completion", "man-db")
        self.run("useradd", "--create-home", "me")
        self.run("install", "-d", "-m", "0700", "-o", "me", "/run/me")

    def run(self, *command):
        return run("unshare", "--mount", "sh", "-c", 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"', self.path,
                   *command, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive"})

    def install(self, *packages):
        self.run("apt-get", "-q", "-y", "install", "--no-install-recommends", *packages)

    def as_user(self, *command):
        return self.run("runuser", "-u", "me", "--", "env", "HOME=/home/me", "XDG_RUNTIME_DIR=/run/me", *command)

    def files(self):
        """Every path but those that package tools change as they go."""
        found = set()
        for folder, folders, files in os.walk(self.path):
            here = pathlib.Path(folder).relative_to(self.path)
            folders[:] = [name for name in folders if str(here / name) not in PASSING]
            found.update(str(here / name) for name in folders + files)
        return found


def setUpModule():
    if not PACKAGES:
        raise unittest.SkipTest("no packages: ./dev test deb makes them")
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        raise unittest.SkipTest("a fresh Debian takes root and debootstrap")
    global root, before
    root = Root()
    unittest.addModuleCleanup(shutil.rmtree, root.path)
    before = root.files()
    for package in PACKAGES:
        shutil.copy(package, root.path / "tmp")
    root.install(*(f"/tmp/{pathlib.Path(package).name}" for package in PACKAGES))


class Installed(unittest.TestCase):
    def test_solves_and_starts_the_daemon(self):
        self.assertIn("The mouse wins in 7 plies.", root.as_user("cmclient", "solve", EXAMPLE))
        self.assertIn("1. to 4", root.as_user("cmclient", "query"))
        self.assertIn("pong", root.as_user("cmclient", "--no-autostart", "ping"))

    def test_completes(self):
        said = root.as_user("bash", "-c", "source /usr/share/bash-completion/bash_completion; "
                            "_completion_loader cmclient; COMP_WORDS=(cmclient so) COMP_CWORD=1; _cmclient; "
                            "echo ${COMPREPLY[*]}")
        self.assertEqual(["sockname", "solve"], sorted(said.split()))

    def test_manual(self):
        for page, words in (("cmclient", "cmdaemon(1)"), ("cmclient-solve", "--leetcode"), ("libcmclient", "cm_solve"),
                            ("catmouse", "1728")):
            self.assertIn(words, root.as_user("man", page))

    def test_manuals_name_what_is_there(self):
        for page in ("cmclient", "cmdaemon", "libcmclient", "catmouse"):
            named = re.findall(r"/usr/[\w./-]*\w", root.as_user("env", "MANWIDTH=200", "man", page))
            self.assertTrue(named, page)
            for path in named:
                self.assertTrue((root.path / path[1:]).exists(), f"{page} names {path}")

    def test_language_server(self):
        asked = '{"jsonrpc":"2.0","id":1,"method":"shutdown"}'
        said = root.as_user("sh", "-c", f"printf 'Content-Length: {len(asked)}\r\n\r\n{asked}' | cmclient lsp || true")
        self.assertIn('"jsonrpc"', said)

    def test_python(self):
        ask = "import catmouse; print(catmouse.Client().solve([[2], [2], [0, 1]]))"
        self.assertIn(": cat in", root.as_user("python3", "-c", ask))

    def test_units_are_systemd_s(self):
        for unit in ("catmouse.socket", "catmouse.service"):
            self.assertTrue((root.path / "usr/lib/systemd/user" / unit).exists())

    @unittest.skipUnless(shutil.which("nvim"), "neovim is not there")
    def test_neovim_finds_its_plugin(self):
        said = run("nvim", "--headless", "-u", "NORC", "-i", "NONE", "+echo exists(':Catmouse')", "+qa",
                   env={**os.environ, "XDG_DATA_DIRS": f"{root.path}/usr/share"})
        self.assertEqual("2", said.strip())

    @unittest.skipUnless(shutil.which("emacs"), "emacs is not there")
    def test_emacs_looks_where_its_plugin_is(self):
        said = run("emacs", "--batch", "--eval", "(princ load-path)")
        places = [place for place in said.strip("()\n").split() if (root.path / place[1:] / "catmouse.el").exists()]
        self.assertEqual(["/usr/share/emacs/site-lisp"], places)


class Removed(unittest.TestCase):
    """Runs behind Installed, by its name."""

    def test_leaves_what_is_the_user_s(self):
        root.as_user("cmclient", "solve", EXAMPLE)
        root.as_user("cmclient", "stop")
        names = [run("dpkg-deb", "--field", package, "Package").strip() for package in PACKAGES]
        root.run("apt-get", "-q", "-y", "purge", *names)
        root.run("apt-get", "-q", "-y", "autoremove", "--purge")
        left = root.files() - before
        mine = ("home/me/.cache", "home/me/.local", "run/me")
        self.assertEqual([], sorted(path for path in left if not path.startswith(mine)))
        self.assertIn("home/me/.cache/catmouse/puzzles.db", left)
        self.assertEqual(set(), before - root.files())


@unittest.skipUnless(shutil.which("podman"), "podman is not there")
class Container(unittest.TestCase):
    """The Containerfile, on the fresh root in place of an image from afar."""

    runtime = ("--runtime", "runc") if shutil.which("runc") else ()
    # A container's usual limits may be past this machine's.
    limits = ("--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1024:1024")

    @classmethod
    def setUpClass(cls):
        cls.folder = harness.Folder()
        cls.addClassCleanup(cls.folder.remove)
        subprocess.run(f"tar -C '{root.path}' -c . | podman import - catmouse-test-base", shell=True, check=True,
                       capture_output=True)
        cls.addClassCleanup(run, "podman", "rmi", "--force", "catmouse-test-base")
        try:
            run(*cls.command("catmouse-test-base", "true"))
        except AssertionError as error:
            raise unittest.SkipTest(f"podman cannot run here: {str(error).splitlines()[-1]}")
        run("podman", "build", "--isolation=chroot", "--ulimit", "nofile=1024:1024", "--tag", "catmouse-test",
            "--build-arg", "BASE=localhost/catmouse-test-base", "--file", ROOT / "Containerfile", ROOT)
        cls.addClassCleanup(run, "podman", "rmi", "--force", "catmouse-test")

    @classmethod
    def command(cls, *arguments):
        return ("podman", *cls.runtime, "run", "--rm", "--network=none", *cls.limits, *arguments)

    def test_answers_on_the_mounted_folder(self):
        with subprocess.Popen(self.command("--volume", f"{self.folder.runtime}:/run/catmouse", "catmouse-test"),
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as daemon:
            try:
                said = []
                for line in daemon.stdout:
                    said.append(line)
                    if "listening on" in line:
                        break
                else:
                    self.fail("".join(said))
                with socket.socket(socket.AF_UNIX) as connection:
                    connection.settimeout(DEADLINE_S)
                    connection.connect(str(self.folder.socket))
                    connection.sendall(b'{"id":1,"method":"solve","params":{"puzzle":[[2],[2],[0,1]]}}\n')
                    answer = json.loads(connection.makefile().readline())
                self.assertEqual("cat", answer["result"]["start"]["outcome"], answer)
            finally:
                daemon.terminate()
                daemon.wait()


if __name__ == "__main__":
    harness.main()
