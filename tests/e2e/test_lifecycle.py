#!/usr/bin/python3
"""How daemons begin and end: autostart, one of many, stale sockets, activation, draining, idling."""
import contextlib
import json
import os
import random
import signal
import socket
import stat
import subprocess
import sys
import unittest

import harness
from harness import CMCLIENT, CMDAEMON, DEADLINE_S, SMALL, FolderTest
from wire import ENCODINGS, HELD, Holder, MsgpackConnection, Refused, corridor

SEED = 913


class Autostart(FolderTest):
    """cmclient starts the daemon where none runs."""

    def tearDown(self):
        """Its store may write in the folder until it is gone."""
        try:
            daemon = os.pidfd_open(self.pid())
        except OSError:
            return
        self.folder.client("--no-autostart", "stop")
        harness.wait_readable(daemon, "the end of the daemon")
        os.close(daemon)

    def pid(self):
        with MsgpackConnection(self.folder.socket) as connection:
            return connection.call("status")["pid"]

    def test_ping_starts_a_daemon_and_finds_it_again(self):
        self.assertEqual(0, self.folder.client("ping").returncode)
        first = self.pid()
        self.assertEqual(0, self.folder.client("ping").returncode)
        self.assertEqual(first, self.pid())

    def test_stop_ends_it(self):
        self.folder.client("ping")
        pidfd = os.pidfd_open(self.pid())
        self.assertEqual(0, self.folder.client("stop").returncode)
        harness.wait_readable(pidfd, "the end of the daemon")
        os.close(pidfd)
        self.assertEqual(3, self.folder.client("--no-autostart", "ping").returncode)

    def test_folder_it_was_started_in_is_left(self):
        self.folder.client("ping", cwd=self.folder.path)
        self.assertEqual("/", os.readlink(f"/proc/{self.pid()}/cwd"))

    def test_relative_socket_is_meant_from_here(self):
        for _ in range(2):
            done = self.folder.client("--socket", "catmouse/daemon.sock", "ping", cwd=self.folder.path)
            self.assertEqual("pong\n", done.stdout, done.stderr)
        self.assertEqual(str(self.folder.path), os.readlink(f"/proc/{self.pid()}/cwd"))

    def turned_away(self, *arguments):
        """What cmclient says where a daemon that is leaving, its socket gone, takes nothing new."""
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(self.folder.socket))
            listener.listen()
            client = subprocess.Popen([CMCLIENT, *arguments, "ping"], env=self.folder.env, text=True,
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            harness.wait_readable(listener, "a connection")
            leaving, _ = listener.accept()
            self.folder.socket.unlink()
            with leaving:
                leaving.recv(4096)
                leaving.sendall(b"\x94\x01\x01\x92\x00\xb4E_DRAINING: too late\xc0")
                return client.communicate(timeout=DEADLINE_S)

    def test_successor_of_a_daemon_that_is_leaving(self):
        self.assertEqual(("", "E_DRAINING: too late\n"), self.turned_away("--no-autostart"))
        self.assertEqual(("pong\n", ""), self.turned_away())

    def test_no_autostart_says_so(self):
        for arguments, env in ((["--no-autostart"], {}), ([], {"CATMOUSE_AUTOSTART": "0"})):
            done = self.folder.client(*arguments, "ping", env=env)
            self.assertEqual(3, done.returncode)
            self.assertIn(str(self.folder.socket), done.stderr)
        self.assertFalse(self.folder.socket.exists())

    def test_many_at_once_start_one(self):
        clients = [
            subprocess.Popen([CMCLIENT, "ping"], env=self.folder.env, stdout=subprocess.PIPE, text=True)
            for _ in range(100)
        ]
        for client in clients:
            said, _ = client.communicate(timeout=DEADLINE_S * 2)
            self.assertEqual((0, "pong\n"), (client.returncode, said))
        status = json.loads(self.folder.client("status", "--json").stdout)
        self.assertGreaterEqual(status["requests"], 100)

    def test_daemon_that_cannot_start(self):
        done = self.folder.client("ping", env={"CATMOUSE_DAEMON": "/nonexistent/cmdaemon"})
        self.assertEqual(3, done.returncode)
        self.assertIn("cmdaemon", done.stderr)

    def test_socket_and_folder_are_private(self):
        self.folder.client("ping")
        self.assertEqual(0o600, stat.S_IMODE(self.folder.socket.stat().st_mode))
        self.assertEqual(0o700, stat.S_IMODE(self.folder.runtime.stat().st_mode))

    def test_folder_open_to_others_is_refused(self):
        self.folder.runtime.chmod(0o755)
        done = self.folder.client("ping")
        self.assertEqual(3, done.returncode)
        self.assertIn(str(self.folder.runtime), done.stderr)

    def test_folder_that_is_a_link_is_refused(self):
        self.folder.runtime.rmdir()
        (self.folder.path / "elsewhere").mkdir(mode=0o700)
        self.folder.runtime.symlink_to("elsewhere")
        self.assertEqual(3, self.folder.client("ping").returncode)


class Start(FolderTest):
    def run_daemon(self, *arguments, env=None):
        return subprocess.run(
            [CMDAEMON, *arguments],
            env={**self.folder.env, **(env or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=DEADLINE_S,
            check=False,
        )

    def test_folder_is_made(self):
        self.folder.runtime.rmdir()
        daemon = self.start()
        self.assertEqual(0o700, stat.S_IMODE(self.folder.runtime.stat().st_mode))
        daemon.stop()

    def test_clients_are_named_in_the_log(self):
        daemon = self.start("--log-level", "debug")
        with MsgpackConnection(self.folder.socket) as connection:
            for who in ({"client": "an editor\n\033[2J", "version": "7"}, {"client": "a script"}, {}):
                connection.call("hello", **who)
        lines = daemon.output().splitlines()
        for line in ("an editor??[2J 7", "a script", "somebody"):
            self.assertIn(f"cmdaemon: debug: hello from {line}", lines)
        daemon.stop()

    def test_second_start_says_who_runs_and_succeeds(self):
        daemon = self.start()
        second = self.run_daemon()
        self.assertEqual(0, second.returncode, second.stderr)
        self.assertIn(str(daemon.process.pid), second.stderr + second.stdout)
        with MsgpackConnection(self.folder.socket) as connection:
            self.assertEqual(daemon.process.pid, connection.call("status")["pid"])
        daemon.stop()

    def test_amounts_that_are_none(self):
        for option, value, form in (("--threads", 2**32, "a number from 0 to 1024"),
                                    ("--threads", 1025, "a number from 0 to 1024"),
                                    ("--ready-fd", 2**32 + 1, f"a number from 0 to {2**31 - 1}"),
                                    ("--queue-max", "1k", f"a number from 0 to {2**64 - 1}"),
                                    ("--queue-max", 2**64, f"a number from 0 to {2**64 - 1}"),
                                    ("--memory-max", "5x", "a size such as 4096, 500M or 8G"),
                                    ("--drain-max", "8G", "a time such as 500ms, 2s or 10min"),
                                    ("--log-level", "loud", "error, warn, info or debug")):
            done = self.run_daemon(option, str(value))
            self.assertEqual((2, f"cmdaemon: {option} is {value}, not {form}\n"), (done.returncode, done.stderr))

    def test_mistyped_options(self):
        """The nearest is named; part of a name is taken where one option alone begins so."""
        for words, said in ((["--memroy-max", "8G"], "no option is called --memroy-max; did you mean --memory-max?"),
                            (["--memory", "8G"], "no option is called --memory; see cmdaemon --help"),
                            (["--xyzzy"], "no option is called --xyzzy; see cmdaemon --help"),
                            (["-x"], "no option is called -x; see cmdaemon --help"),
                            (["--no-store=3"], "--no-store takes no argument"),
                            (["--socket"], "--socket needs an argument; see cmdaemon --help")):
            done = self.run_daemon(*words)
            self.assertEqual((2, f"cmdaemon: {said}\n"), (done.returncode, done.stderr))

    def test_sizes_and_times_have_units(self):
        self.start("--memory-max", "8G", "--unsent-max", "64K", "--message-max", "5000",
                   "--drain-max", "2s", "--solve-time-max", "10min", "--idle-exit-ms", "1h")
        with MsgpackConnection(self.folder.socket) as connection:
            limits = connection.call("status")["limits"]
        self.assertEqual((8 << 30, 64 << 10, 5000, 2000, 600000),
                         tuple(limits[name] for name in ("memory_bytes", "unsent_bytes", "message_bytes",
                                                         "drain_ms", "solve_ms")))

    def test_too_few_descriptors(self):
        """Whoever started it is told what it lacks; with a few more it serves."""
        for most, expected in ((5, "Too many open files"), (128, "Too many open files"), (129, "ready")):
            command = f'ulimit -n {most}; exec "{CMDAEMON}" --no-store --ready-fd 1'
            with subprocess.Popen(["/bin/sh", "-c", command], env=self.folder.env, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
                self.assertIn(expected, process.stdout.readline())
                process.terminate()

    def test_stale_socket_is_replaced(self):
        stale = self.start()
        stale.process.kill()
        stale.process.wait()
        self.assertTrue(self.folder.socket.exists())
        daemon = self.start()
        with MsgpackConnection(self.folder.socket) as connection:
            self.assertEqual("pong", connection.call("ping"))
        daemon.stop()
        self.assertFalse(self.folder.socket.exists())

    def test_long_path_is_refused(self):
        path = self.folder.runtime / ("x" * 120)
        done = self.run_daemon("--socket", str(path))
        self.assertNotEqual(0, done.returncode)
        self.assertIn("107", done.stderr)
        self.assertEqual([], list(self.folder.runtime.iterdir()))

    def test_file_in_the_way_is_left(self):
        self.folder.socket.write_text("precious")
        self.assertNotEqual(0, self.run_daemon().returncode)
        self.assertEqual("precious", self.folder.socket.read_text())

    def test_bad_options(self):
        for arguments in (["--colour"], ["extra"], ["--socket"]):
            done = self.run_daemon(*arguments)
            self.assertNotEqual(0, done.returncode, arguments)
            self.assertNotEqual("", done.stderr, arguments)

    def test_help_and_version(self):
        help_ = self.run_daemon("--help").stdout
        self.assertIn("--socket", help_)
        self.start()
        with MsgpackConnection(self.folder.socket) as connection:
            limits = connection.call("hello")["limits"]
        for option, limit, factor, unit in (("message-max SIZE", "message_bytes", 1 << 20, "M"),
                                            ("queue-max N", "queued_solves", 1, ""),
                                            ("drain-max TIME", "drain_ms", 1000, "s")):
            self.assertRegex(help_, rf"(?m)^  --{option} .*\({limits[limit] // factor}{unit}\)$")
        self.assertRegex(self.run_daemon("--version").stdout, r"\d+\.\d+\.\d+")


class Drain(FolderTest):
    """SIGTERM, SIGINT and `shutdown`: what was asked is answered, nothing new is taken."""

    def check(self, end):
        daemon = self.start(*Holder.ARGUMENTS, "--drain-max", "1h")
        with MsgpackConnection(self.folder.socket) as connection, Holder(self.folder.socket):
            request = connection.send("solve", {"puzzle": HELD})
            self.assertEqual("pong", connection.call("ping"))  # so the solve was read, too
            end(daemon)  # which gives up what the holder has sent half of
            self.assertEqual(2000, connection.answer(request)["nodes"])
        daemon.wait()
        self.assertFalse(self.folder.socket.exists())

    def test_sigterm(self):
        self.check(lambda daemon: daemon.process.send_signal(signal.SIGTERM))

    def test_sigint(self):
        self.check(lambda daemon: daemon.process.send_signal(signal.SIGINT))

    def test_shutdown(self):
        def shutdown(_):
            with MsgpackConnection(self.folder.socket) as other:
                other.call("shutdown")

        self.check(shutdown)

    def test_systemd_is_told(self):
        daemon = self.start()
        daemon.process.send_signal(signal.SIGTERM)
        daemon.wait_notified("STOPPING=1")
        daemon.wait()

    def test_new_requests_are_refused_while_draining(self):
        daemon = self.start(*Holder.ARGUMENTS, "--drain-max", "1h")
        with MsgpackConnection(self.folder.socket) as connection, Holder(self.folder.socket):
            request = connection.send("solve", {"puzzle": HELD})
            connection.call("ping")
            stop = connection.encode(50, "shutdown", None)
            solve = connection.encode(51, "solve", {"puzzle": SMALL})
            connection.send_bytes(stop + solve)
            connection.answer(50)
            with self.assertRaises(Refused) as refused:
                connection.answer(51)
            self.assertEqual("E_DRAINING", refused.exception.name)
            self.assertEqual(2000, connection.answer(request)["nodes"])
        daemon.wait()


class DrainEnds(FolderTest):
    """A drain ends while solves run, requests wait and connections close: all is given up, once."""

    def setUp(self):
        super().setUp()
        self.chance = random.Random(SEED)
        self.large = harness.path_puzzle(200_000)

    def start_busy(self, *arguments):
        """A daemon with a solved table, and connections that wait for everything one can wait for."""
        daemon = self.start("--threads", "1", *arguments)
        with MsgpackConnection(self.folder.socket) as first:
            solved = first.call("solve", puzzle=harness.path_puzzle(1200))["id"]
        crowd = [kind(self.folder.socket) for kind in ENCODINGS.values() for _ in range(4)]
        for number, peer in enumerate(crowd):
            self.addCleanup(peer.socket.close)
            self.ask_much(peer, solved, number)
        for cells in range(6000, 6300):  # so that no machine is done before it has to leave
            crowd[0].send("solve", {"puzzle": corridor(cells)})
        for peer in crowd:
            self.assertEqual("pong", peer.call("ping"))  # so all of it was read
        crowd[-1].send_bytes(crowd[-1].encode(99, "solve", {"puzzle": harness.path_puzzle(4000)})[:-1])
        large = crowd[0].encode(98, "solve", {"puzzle": self.large})
        for peer in crowd[:4]:
            peer.send("query", {"id": "abcdef", "state": harness.SMALL_START})  # the store must look
            peer.send_bytes(large)  # and a helper must read
        return daemon, crowd

    def ask_much(self, peer, solved, number):
        asked = [
            ("solve", {"puzzle": harness.path_puzzle(4000), "progress": True}),
            ("solve", {"puzzle": harness.path_puzzle(5000 + number)}),
            ("solve", {"puzzle": harness.path_puzzle(5100 + number), "wait_ms": 100_000}),
            ("solve", {"puzzle": harness.path_puzzle(5200 + number), "wait_ms": 0}),
            ("query", {"puzzle": harness.path_puzzle(4000), "state": harness.SMALL_START}),
            ("stats", {"id": solved}),
            ("verify", {"id": solved}),
            ("line", {"id": solved, "state": {"mouse": 1199, "cat": 1, "turn": "mouse"}}),
        ]
        self.chance.shuffle(asked)
        for method, params in asked:
            peer.send(method, params)

    def shut_down(self, daemon):
        with MsgpackConnection(self.folder.socket) as last:
            self.assertGreater(last.call("shutdown")["pending"], 0)

    def test_when_its_time_is_over(self):
        for drain_ms in (0, 1, 30):
            daemon, crowd = self.start_busy("--drain-max", str(drain_ms))
            self.shut_down(daemon)
            for peer in crowd:
                with contextlib.suppress(EOFError, ConnectionResetError):
                    while True:
                        peer.keep(peer.receive())
            daemon.wait()
            self.assertIn("requests were given up", daemon.output())

    def test_when_all_have_gone(self):
        for _ in range(3):
            daemon, crowd = self.start_busy("--drain-max", str(DEADLINE_S * 10_000))
            self.shut_down(daemon)
            self.chance.shuffle(crowd)
            for peer in crowd:
                peer.socket.close()
            daemon.wait()
            self.assertNotIn("given up", daemon.output())

    def test_when_some_cancel_and_some_go(self):
        daemon, crowd = self.start_busy("--drain-max", "50")
        self.shut_down(daemon)
        for peer in crowd:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                peer.send("cancel", {"id": self.chance.randrange(1, 9)})
            if self.chance.random() < 0.5:
                peer.socket.close()
        daemon.wait()


class Replaced(FolderTest):
    """The socket goes, or becomes another's, under a running daemon: it leaves, and makes room."""

    def test_removed(self):
        daemon = self.start(*Holder.ARGUMENTS, "--drain-max", "1h")
        with MsgpackConnection(self.folder.socket) as connection, Holder(self.folder.socket):
            request = connection.send("solve", {"puzzle": HELD})
            self.assertEqual("pong", connection.call("ping"))
            self.folder.socket.unlink()
            daemon.wait_notified("STOPPING=1")
            self.assertEqual(2000, connection.answer(request)["nodes"])
        daemon.wait()
        self.assertIn(str(self.folder.socket) + " is gone", daemon.output())
        self.start().stop()

    def test_replaced(self):
        daemon = self.start()
        with socket.socket(socket.AF_UNIX) as other:
            path = self.folder.runtime / "other.sock"
            other.bind(str(path))
            other.listen()
            path.rename(self.folder.socket)
            daemon.wait()
            self.assertTrue(self.folder.socket.exists(), "the socket is another's")

    def test_other_files_may_come_and_go(self):
        daemon = self.start()
        for number in range(100):
            (self.folder.runtime / f"{number}").write_text("")
            (self.folder.runtime / f"{number}").unlink()
        with MsgpackConnection(self.folder.socket) as connection:
            self.assertEqual("pong", connection.call("ping"))
        daemon.stop()


class Supervised(FolderTest):
    """Under systemd, or what looks like it to the daemon."""

    def test_watchdog_is_kicked(self):
        daemon = self.start(env={"WATCHDOG_USEC": "200000"})
        daemon.wait_notified("WATCHDOG=1")
        daemon.wait_notified("WATCHDOG=1")
        daemon.renew_notifications()
        daemon.wait_notified("WATCHDOG=1")
        daemon.stop()

    def test_socket_is_taken_over(self):
        """LISTEN_FDS: connections made before the daemon ran are answered by it."""
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(self.folder.socket))
            self.folder.socket.chmod(0o600)
            listener.listen()
            early = MsgpackConnection(self.folder.socket)
            asked = early.send("ping")
            activated = (
                "import os, sys; os.dup2(int(sys.argv[1]), 3); os.set_inheritable(3, True);"
                "os.environ.update(LISTEN_FDS='1', LISTEN_PID=str(os.getpid()));"
                "os.execv(sys.argv[2], sys.argv[2:])"
            )
            os.set_inheritable(listener.fileno(), True)
            daemon = self.start_activated(activated, listener.fileno())
        self.assertEqual("pong", early.answer(asked))
        early.socket.close()
        daemon.stop()
        self.assertTrue(self.folder.socket.exists(), "the socket is systemd's")

    def start_activated(self, code, descriptor):
        command = (sys.executable, "-c", code, str(descriptor), CMDAEMON)
        daemon = harness.Daemon(self.folder, command=command, pass_fds=(descriptor,))
        self.addCleanup(daemon.kill)
        return daemon

    @unittest.skipUnless(os.path.exists("/usr/bin/systemd-socket-activate"), "no systemd here")
    def test_systemd_socket_activate(self):
        command = ["systemd-socket-activate", "-l", str(self.folder.socket), CMDAEMON]
        env = {**self.folder.env, "CATMOUSE_SOCKET": str(self.folder.socket)}
        with subprocess.Popen(
            command, env=env, umask=0o177, stderr=subprocess.PIPE, text=True
        ) as activator:
            self.addCleanup(activator.kill)
            self.assertIn("Listening on", activator.stderr.readline())
            with MsgpackConnection(self.folder.socket) as connection:
                self.assertEqual(activator.pid, connection.call("status")["pid"])
                connection.call("shutdown")
            activator.stderr.read()
            self.assertEqual(0, activator.wait(DEADLINE_S))


if __name__ == "__main__":
    harness.main()
