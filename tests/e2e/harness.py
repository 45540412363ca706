"""What the end-to-end tests share: the real daemon on a socket of its own, and a TAP runner.

The programs under test come from $CMDAEMON and $CMCLIENT, so that any build can be tested. Nothing here
sleeps: every wait is for an event, and fails at a deadline.
"""
import contextlib
import fcntl
import json
import os
import pathlib
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

CMDAEMON = os.environ["CMDAEMON"]
CMCLIENT = os.environ["CMCLIENT"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ["BUILD_FOLDER"])
DEADLINE_S = 300  # for anything that should take milliseconds, on a machine as busy and as slow as may be

# What a shell starts in the background ignores Ctrl-C, and so would the programs under test.
signal.signal(signal.SIGINT, signal.default_int_handler)

SANITIZER = re.compile(rb"runtime error:|Sanitizer")


def cases():
    """Every puzzle of tests/data/cases with its outcome and plies: (puzzle, outcome, plies)."""
    for name in ("graph", "grid"):
        with open(ROOT / "tests/data/cases" / f"{name}.jsonl", encoding="utf-8") as file:
            for case in map(json.loads, file):
                yield case, case.pop("outcome"), case.pop("plies")


def path_puzzle(nodes):
    """Nodes in a row, hole at one end: as slow to solve as puzzles of that size get."""
    return {"graph": [[v for v in (u - 1, u + 1) if 0 <= v < nodes] for u in range(nodes)]}


SMALL = {"graph": [[2, 5], [3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]]}
SMALL_START = {"mouse": 1, "cat": 2, "turn": "mouse"}


def sanitized():
    """Is the daemon built with a sanitizer, which takes memory and time of its own?"""
    return b"__asan_init" in (code := pathlib.Path(CMDAEMON).read_bytes()) or b"__tsan_init" in code


def wait_readable(descriptor, event):
    ready, _, _ = select.select([descriptor], [], [], DEADLINE_S)
    assert ready, f"waited {DEADLINE_S} s for {event}"


def wait_until(condition, event):
    """Looks again and again, until `condition` is true of what it sees; what it saw."""
    deadline = time.monotonic() + DEADLINE_S
    while not (seen := condition()):
        assert time.monotonic() < deadline, f"waited {DEADLINE_S} s for {event}"
    return seen


class Folder:
    """A folder of its own for sockets, cache and files, and the environment that points there."""

    def __init__(self):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="catmouse-test-"))
        self.runtime = self.path / "catmouse"
        self.runtime.mkdir(mode=0o700)
        self.socket = self.runtime / "daemon.sock"
        self.env = {k: v for k, v in os.environ.items() if not k.startswith("CATMOUSE_")}
        self.env.pop("NOTIFY_SOCKET", None)
        self.env.update(
            HOME=str(self.path),
            XDG_RUNTIME_DIR=str(self.path),
            XDG_CACHE_HOME=str(self.path / "cache"),
            XDG_STATE_HOME=str(self.path / "state"),
            CATMOUSE_DAEMON=CMDAEMON,
        )

    def remove(self):
        """A daemon that a client has started may still be closing its database."""
        deadline = time.monotonic() + DEADLINE_S
        while self.path.exists():
            try:
                shutil.rmtree(self.path)
            except OSError:
                if time.monotonic() > deadline:
                    raise

    def client(self, *arguments, stdin="", env=None, **options):
        """Runs cmclient to its end."""
        return subprocess.run(
            [CMCLIENT, *map(str, arguments)],
            input=stdin,
            env={**self.env, **(env or {})},
            capture_output=True,
            text=True,
            timeout=DEADLINE_S * 5,
            check=False,
            **options,
        )

    def end_daemon(self):
        """Ends the daemon that a client has started; returns when it has let go of its files."""
        self.client("--no-autostart", "stop")
        with open(f"{self.socket}.lock", "a", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)


class Daemon:
    """A running cmdaemon that has said READY=1."""

    def __init__(self, folder, *arguments, command=(CMDAEMON,), env=None, pass_fds=()):
        self.log = tempfile.TemporaryFile()
        self.notify_path = folder.path / "notify"
        self.notifications = self.notify_socket()
        self.process = subprocess.Popen(
            [*command, *arguments],
            env={**folder.env, "NOTIFY_SOCKET": str(self.notify_path), **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=self.log,
            pass_fds=pass_fds,
        )
        self.exited = os.pidfd_open(self.process.pid)
        try:
            self.wait_notified("READY=1")
        except AssertionError:
            self.kill()
            raise

    def notify_socket(self):
        notifications = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
        self.notify_path.unlink(missing_ok=True)
        notifications.bind(str(self.notify_path))
        return notifications

    def renew_notifications(self):
        """What a manager that starts again does: nothing said before is to be heard any longer."""
        self.notifications.close()
        self.notifications = self.notify_socket()

    def wait_notified(self, message):
        """Waits until systemd would have been told `message`."""
        deadline = time.monotonic() + DEADLINE_S
        while True:
            ready, _, _ = select.select(
                [self.notifications, self.exited], [], [], max(0, deadline - time.monotonic())
            )
            if self.notifications in ready:
                if message in self.notifications.recv(4096).decode().splitlines():
                    return
            elif ready:
                raise AssertionError(f"the daemon ended before {message}:\n{self.output()}")
            else:
                raise AssertionError(f"no {message} from the daemon:\n{self.output()}")

    def output(self):
        self.log.seek(0)
        return self.log.read().decode(errors="replace")

    def wait(self):
        """Waits for the daemon to end by itself, well."""
        try:
            status = self.process.wait(DEADLINE_S)
            assert status == 0, f"the daemon ended with {status}:\n{self.output()}"
            assert not SANITIZER.search(self.output().encode()), self.output()
        finally:
            self.kill()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.wait()

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.exited >= 0:
            os.close(self.exited)
            self.exited = -1
            self.notifications.close()

    @contextlib.contextmanager
    def stopped(self):
        """Meanwhile it does nothing: whatever comes is there at once when it goes on."""
        self.process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, self.process.pid, os.WSTOPPED)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def open_files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


class DaemonTest(unittest.TestCase):
    """A test case whose tests share one daemon, which must end well when they are done."""

    arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.folder = Folder()
        cls.addClassCleanup(cls.folder.remove)
        cls.daemon = Daemon(cls.folder, *cls.arguments)
        cls.addClassCleanup(cls.daemon.stop)


class FolderTest(unittest.TestCase):
    """A test case whose tests each have a fresh folder, and no daemon yet."""

    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.remove)

    def start(self, *arguments, **options):
        daemon = Daemon(self.folder, *arguments, **options)
        self.addCleanup(daemon.kill)
        return daemon


class TapResult(unittest.TestResult):
    """One TAP line a test; what went wrong as its diagnostics."""

    count = 0

    def line(self, status, test, remark=""):
        self.count += 1
        print(f"{status} {self.count} - {test.id().removeprefix('__main__.')}{remark}", flush=True)

    def broken(self, test, error):
        self.line("not ok", test)
        for text in self._exc_info_to_string(error, test).splitlines():
            print("#", text, flush=True)

    def addSuccess(self, test):
        self.line("ok", test)

    def addSkip(self, test, reason):
        self.line("ok", test, f" # SKIP {reason}")

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self.broken(test, error)

    def addError(self, test, error):
        super().addError(test, error)
        self.broken(test, error)

    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        if error:
            self.broken(subtest, error)


def main():
    """Runs the tests of the calling script, or those named on its command line."""
    loader = unittest.TestLoader()
    module = sys.modules["__main__"]
    names = sys.argv[1:]
    suite = loader.loadTestsFromNames(names, module) if names else loader.loadTestsFromModule(module)
    result = TapResult()
    suite.run(result)
    print(f"1..{result.count}")
    sys.exit(not result.wasSuccessful())
