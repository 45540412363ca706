#!/usr/bin/python3
"""Peers that break every rule of conversation, and limits on how long and how much the daemon bears them."""
import contextlib
import itertools
import json
import random
import re
import resource
import select
import socket
import threading
import unittest

import harness
from harness import DEADLINE_S, SMALL, SMALL_START, DaemonTest, FolderTest, wait_until
from wire import ENCODINGS, HELD, Holder, JsonConnection, MsgpackConnection, Refused, corridor

SEED = 1728


class Witness(threading.Thread):
    """A well-behaved client: asks all the time, and notes the first answer that is not as it was."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.connection = MsgpackConnection(path)
        solved = self.connection.call("solve", puzzle=SMALL)["id"]
        self.query = {"id": solved, "state": SMALL_START}
        self.expected = self.connection.call("query", **self.query)
        self.connection.wait_store()
        self.answers, self.wrong = 0, None
        self.leaving = threading.Event()

    def run(self):
        while self.wrong is None and not (self.answers > 0 and self.leaving.is_set()):
            try:
                answer = self.connection.call("query", **self.query)
                self.wrong = None if answer == self.expected else answer
            except Exception as error:  # whatever it is, the test must hear of it
                self.wrong = error
            self.answers += 1

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.leaving.set()
        self.join()
        self.connection.socket.close()
        assert self.wrong is None, f"the well-behaved client was told {self.wrong!r}"


def ask_until_hung_up(connection, data):
    """Sends `data` over and over, reading nothing, until the daemon closes its end."""
    poll = select.poll()
    poll.register(connection.socket, select.POLLOUT | select.POLLHUP | select.POLLERR)
    connection.socket.setblocking(False)
    rest = b""
    while True:
        events = poll.poll(DEADLINE_S * 1000)
        assert events, f"waited {DEADLINE_S} s for the daemon to close"
        if events[0][1] & (select.POLLHUP | select.POLLERR):
            return
        try:
            rest = rest or data
            rest = rest[connection.socket.send(rest) :]
        except (BlockingIOError, BrokenPipeError, ConnectionResetError):
            pass  # the next poll tells which


class BadPeers(DaemonTest):
    arguments = ("--unread-time-max", "500", "--unsent-max", "65536")

    def setUp(self):
        self.witness = Witness(self.folder.socket)
        self.enterContext(self.witness)

    def connect(self, kind=MsgpackConnection):
        connection = kind(self.folder.socket)
        self.addCleanup(connection.socket.close)
        return connection

    def wait_alone(self):
        """Until only the witness and the asker are connected."""
        with MsgpackConnection(self.folder.socket) as control:
            wait_until(lambda: control.call("status")["connections"] == 2, "the others to be gone")
            return self.daemon.open_files()

    def test_never_reads(self):
        for kind in ENCODINGS.values():
            mute = self.connect(kind)
            ask_until_hung_up(mute, mute.encode(1, "query", self.witness.query) * 100)

    def test_one_byte_at_a_time(self):
        for kind in ENCODINGS.values():
            slow = self.connect(kind)
            for byte in slow.encode(1, "query", {"puzzle": SMALL, "state": SMALL_START}):
                slow.send_bytes(bytes([byte]))
            self.assertEqual(self.witness.expected, slow.answer(1))

    def test_half_a_message_and_gone(self):
        rng = random.Random(SEED)
        for _ in range(100):
            for kind in ENCODINGS.values():
                with kind(self.folder.socket) as leaver:
                    message = leaver.encode(1, "solve", {"puzzle": harness.path_puzzle(60)})
                    leaver.send_bytes(message[: rng.randrange(1, len(message))])
        self.wait_alone()

    def test_gone_during_its_own_solve(self):
        control = self.connect()
        for nodes in range(1500, 1520):
            with MsgpackConnection(self.folder.socket) as leaver:
                leaver.send("solve", {"puzzle": harness.path_puzzle(nodes)})
        wait_until(lambda: (status := control.call("status"))["connections"] == 2
                   and status["jobs_running"] + status["jobs_queued"] == 0, "the end of their solves")
        self.assertEqual("pong", control.call("ping"))

    def test_ten_thousand_one_after_another(self):
        before = self.wait_alone()
        for number in range(10_000):
            with JsonConnection(self.folder.socket) as visitor:
                if number % 10 == 0:
                    self.assertEqual("pong", visitor.call("ping"))
        self.assertEqual(before, self.wait_alone())

    def test_a_thousand_at_once(self):
        kinds = list(ENCODINGS.values())
        crowd = [self.connect(kinds[number % len(kinds)]) for number in range(1000)]
        asked = [(visitor, visitor.send("query", self.witness.query)) for visitor in crowd]
        for visitor, request in asked:
            self.assertEqual(self.witness.expected, visitor.answer(request))
        for visitor in crowd:
            visitor.socket.close()
        self.wait_alone()

    def test_garbage(self):
        rng = random.Random(SEED)
        starts = [b"", b"{", b"C", b"\x94\x00", b"Content-Length: 99\r\n\r\n", b"\xdd", b'{"id":1,']
        for _ in range(500):
            with MsgpackConnection(self.folder.socket) as vandal:
                try:
                    vandal.send_bytes(rng.choice(starts) + rng.randbytes(rng.randrange(1, 5000)))
                except (BrokenPipeError, ConnectionResetError):
                    pass
        self.wait_alone()


class Patience(FolderTest):
    """Each limit on time, made short. Nothing is timed here: the daemon's own act is waited for."""

    def connect(self, kind=MsgpackConnection):
        connection = kind(self.folder.socket)
        self.addCleanup(connection.socket.close)
        return connection

    def refused(self, connection):
        connection.keep(connection.receive())
        _, (_, error) = connection.waiting.popitem()
        return error

    def test_half_sent_message(self):
        self.start("--message-time-max", "100")
        for kind in ENCODINGS.values():
            slow = self.connect(kind)
            whole = slow.encode(1, "ping", None)
            slow.send_bytes(whole + whole[:-1])
            self.assertEqual("pong", slow.answer(1))
            error = self.refused(slow)
            self.assertEqual("E_TIMEOUT", error.name)
            self.assertIn("100 ms", error.text)
            self.assertTrue(slow.closed())

    def test_rest_of_a_refused_message(self):
        self.start("--message-time-max", "100", "--message-max", "1000")
        slow = self.connect(JsonConnection)
        slow.send_bytes(b'{"id": 1, "method": "' + b"x" * 2000)
        self.assertEqual("E_LIMIT", self.refused(slow).name)
        self.assertIn("100 ms", self.refused(slow).text)
        self.assertTrue(slow.closed())

    def test_idle_connection(self):
        """Not one that waits for a solve, nor one that has yet to read its answers."""
        daemon = self.start(*Holder.ARGUMENTS, "--idle-time-max", "300", "--unread-time-max", "0", "--no-store")
        with daemon.stopped():
            reader = self.connect(ENCODINGS["content-length"])
            reader.send_bytes(b"".join(reader.encode(id_, "status", None) for id_ in range(700)))
        holder = Holder(self.folder.socket, reader)
        with daemon.stopped():
            busy, idle = self.connect(), self.connect()
            request = busy.send("solve", {"puzzle": HELD})
        self.assertTrue(idle.closed())
        for id_ in range(700):
            self.assertIn("version", reader.answer(id_))
        holder.release()
        self.assertEqual(2000, busy.answer(request)["nodes"])

    def ask_until(self, asker, puzzles, wanted):
        """Until the answer is as wanted: a thread may be held up for longer than a solve may take, or the loop may."""
        for puzzle in puzzles:
            try:
                answer = asker.call("solve", puzzle=puzzle)
            except Refused as refused:
                self.assertEqual("E_TIMEOUT", refused.name)
                self.assertRegex(refused.text, r"\b50 ms\b")
                answer = None
            if wanted(answer):
                return

    def test_solve_that_takes_too_long(self):
        daemon = self.start("--solve-time-max", "50", "--threads", "1")
        for kind in ENCODINGS.values():
            asker = self.connect(kind)
            self.ask_until(asker, map(corridor, itertools.count(12_000)), lambda answer: answer is None)
            self.ask_until(asker, itertools.repeat(SMALL), lambda answer: answer is not None)
        daemon.stop()

    def test_time_without_end(self):
        self.start("--unread-time-max", "20", "--solve-time-max", str(2**64 // 1000 + 1))
        self.assertEqual(4000, self.connect().call("solve", puzzle=harness.path_puzzle(4000))["nodes"])

    def test_half_sent_messages_together(self):
        self.start("--unfinished-max", "1000000")
        crowd = [self.connect(JsonConnection) for _ in range(3)]
        for hoarder in crowd:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                hoarder.send_bytes(b'{"id": 1, "method": "' + b"x" * 400_000)
        closed = 0
        ready, _, _ = select.select([hoarder.socket for hoarder in crowd], [], [], DEADLINE_S)
        for hoarder in crowd:
            if hoarder.socket in ready:
                with contextlib.suppress(ConnectionResetError):  # the rest of it was on its way
                    self.assertEqual("E_BUSY", self.refused(hoarder).name)
                self.assertTrue(hoarder.closed())
                closed += 1
        self.assertEqual(1, closed)

    def test_the_command_line_says_why(self):
        self.start("--unfinished-max", "1000")
        nodes = 400
        puzzle = {"graph": [[v for v in range(nodes) if v != u] for u in range(nodes)]}
        answer = self.folder.client("solve", stdin=json.dumps(puzzle))
        self.assertEqual(1, answer.returncode, answer)
        self.assertRegex(answer.stderr, "^E_BUSY: half-sent messages of all connections")

    def test_limits_are_shown(self):
        self.start("--idle-time-max", "3600000", "--solve-time-max", "7777")
        asker = self.connect()
        for limits in (asker.call("status")["limits"], asker.call("hello")["limits"]):
            self.assertEqual((3600000, 7777), (limits["idle_ms"], limits["solve_ms"]))


def far_grid(number, cols=10_000, jump=1599):
    """A message of ten kilobytes, but tens of millions of moves."""
    cells = ["."] * cols
    for mark, at in zip("MCF", (number, number + 1, cols - 1)):
        cells[at] = mark
    return {"grid": ["".join(cells)], "catJump": jump, "mouseJump": jump}


def peak_bytes(daemon):
    """The most memory that the daemon has had."""
    with open(f"/proc/{daemon.process.pid}/status", encoding="ascii") as status:
        return 1024 * int(re.search(r"VmHWM:\s+(\d+)", status.read())[1])


class Memory(FolderTest):
    """--memory-max holds whatever is asked, and refuses only what could never fit."""

    MAX = 512 << 20

    def connect(self):
        connection = MsgpackConnection(self.folder.socket)
        self.addCleanup(connection.socket.close)
        return connection

    def check_peak(self, daemon):
        if not harness.sanitized():  # a sanitizer takes memory of its own
            self.assertLess(peak_bytes(daemon), self.MAX + (128 << 20))

    def test_solves_that_wait(self):
        daemon = self.start("--no-store", "--memory-max", str(self.MAX), "--threads", "1")
        crowd = [self.connect() for _ in range(10)]
        asked = [(peer, peer.send("solve", {"puzzle": far_grid(4 * number + at), "wait_ms": 0}))
                 for number, peer in enumerate(crowd) for at in range(4)]
        answers = []
        for peer, request in asked:
            try:
                answers.append(peer.answer(request)["status"])
            except Refused as refused:
                answers.append(refused.name)
        self.assertLessEqual(set(answers), {"solving", "E_BUSY", "E_TOO_LARGE"})
        self.assertEqual(6, self.connect().call("solve", puzzle=SMALL)["nodes"])
        self.check_peak(daemon)

    def test_what_could_never_fit_is_refused_before_any_work(self):
        daemon = self.start("--no-store", "--memory-max", str(self.MAX))
        connection = self.connect()
        with self.assertRaises(Refused) as refused:
            connection.call("solve", puzzle=harness.path_puzzle(20_000))
        self.assertRegex(str(refused.exception),
                         r"E_TOO_LARGE: 20000 nodes need at least \d.\d GB to solve, but --memory-max allows 536.9 MB")
        if not harness.sanitized():
            self.assertLess(peak_bytes(daemon), 100 << 20)

    def test_idle_tables_give_way(self):
        """A path's distances are long: its solve outgrows what was foreseen, and begins again with more."""
        daemon = self.start("--no-store", "--memory-max", str(self.MAX))
        connection = self.connect()
        for nodes in range(2000, 2020):
            connection.call("solve", puzzle=harness.path_puzzle(nodes))
        self.assertGreater(connection.call("status")["bytes"], self.MAX // 2)
        self.assertEqual(6500, connection.call("solve", puzzle=harness.path_puzzle(6500))["nodes"])
        self.check_peak(daemon)

    def test_a_large_solve_waits_for_another(self):
        self.start("--no-store", "--memory-max", str(self.MAX))
        one, other = self.connect(), self.connect()
        first = one.send("solve", {"puzzle": harness.path_puzzle(4000)})
        self.assertEqual(6500, other.call("solve", puzzle=harness.path_puzzle(6500))["nodes"])
        self.assertEqual(4000, one.answer(first)["nodes"])

    def test_answers_that_nobody_reads(self):
        daemon = self.start("--no-store", "--unsent-total-max", "4000000")
        reader = self.connect()
        known = reader.call("solve", puzzle=harness.path_puzzle(4000))["id"]
        line = {"id": known, "state": {"mouse": 3999, "cat": 2000, "turn": "mouse"}}
        expected = reader.call("line", **line)
        crowd = [self.connect() for _ in range(20)]
        for hoarder in crowd:
            hoarder.send_bytes(b"".join(hoarder.encode(n, "line", line) for n in range(100)))
        wait_until(lambda: self.assertEqual(expected, reader.call("line", **line)) or
                   reader.call("status")["connections"] < 21, "one of them to be closed")
        self.assertIn("--unsent-total-max", daemon.output())
        self.check_peak(daemon)

    def test_connections_too_many(self):
        daemon = self.start("--no-store", "--connections-max", "2")
        served = [self.connect(), self.connect()]
        self.assertEqual(["pong"] * 2, [peer.call("ping") for peer in served])
        with daemon.stopped():  # so that all come in one round of its loop
            silent = [JsonConnection(self.folder.socket) for _ in range(5)]
            asking = self.connect()
            request = asking.send("ping")
        with self.assertRaises(Refused) as refused:
            asking.answer(request)
        self.assertEqual("E_BUSY", refused.exception.name)
        for peer in silent:
            self.addCleanup(peer.socket.close)
            self.assertEqual("E_BUSY", peer.receive()["error"]["data"]["name"])
            self.assertTrue(peer.closed())
        self.assertEqual(1, daemon.output().count("a connection was refused"))
        served.pop().socket.close()
        wait_until(self.is_served, "the daemon to see that one has gone")

    def is_served(self):
        with JsonConnection(self.folder.socket) as visitor:
            try:
                visitor.send("ping")
                return visitor.receive().get("result") == "pong"
            except (EOFError, ConnectionResetError, BrokenPipeError):
                return False


class Scarcity(FolderTest):
    """Descriptors and memory run out: whoever asks too much is told so, and the others are served."""

    def test_no_descriptor_at_all(self):
        """Not one for connections nor for the store: all goes on when they come back."""
        daemon = self.start("--store-wait", "0")
        witness = Witness(self.folder.socket)
        self.addCleanup(witness.connection.socket.close)
        asker = MsgpackConnection(self.folder.socket)
        self.addCleanup(asker.socket.close)
        asker.wait_store()
        limits = resource.prlimit(daemon.process.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(daemon.process.pid, resource.RLIMIT_NOFILE, (3, limits[1]))
        with witness:
            visitors = [MsgpackConnection(self.folder.socket) for _ in range(20)]
            for visitor in visitors:
                self.addCleanup(visitor.socket.close)
                visitor.send("ping")
            for nodes in range(100, 120):
                self.assertEqual("solved", asker.call("solve", puzzle=harness.path_puzzle(nodes))["source"])
            wait_until(lambda: "no descriptors are left" in daemon.output(), "a line in the log")
            resource.prlimit(daemon.process.pid, resource.RLIMIT_NOFILE, limits)
            for visitor in visitors:
                self.assertEqual("pong", visitor.answer(1))
        kept = asker.call("solve", puzzle=harness.path_puzzle(120))["id"]
        daemon.stop()
        self.start("--store-wait", "0")
        with MsgpackConnection(self.folder.socket) as asker:
            places = {table["id"]: table["where"] for table in asker.call("list")["tables"]}
            self.assertEqual("disk", places.get(kept))

    def test_watchdog_is_kicked_without_descriptors(self):
        daemon = self.start_and_take_all_descriptors(env={"WATCHDOG_USEC": "20000"})
        daemon.renew_notifications()
        for _ in range(2):  # one may have been on its way
            daemon.wait_notified("WATCHDOG=1")

    def test_who_comes_after_the_last_descriptor_waits_for_one(self):
        daemon = self.start_and_take_all_descriptors()
        self.assertNotIn("no descriptors", daemon.output())
        waiting = MsgpackConnection(self.folder.socket)
        self.addCleanup(waiting.socket.close)
        waiting.send("ping")
        wait_until(lambda: self.assertEqual("pong", self.visitor.call("ping")) or
                   "connections must wait: no descriptors are left" in daemon.output(), "a line in the log")
        self.visitor.socket.close()
        self.assertEqual("pong", waiting.answer(1))

    def start_and_take_all_descriptors(self, **options):
        daemon = self.start("--no-store", **options)
        self.visit()  # by then the daemon has opened all that it needs
        most = daemon.open_files() + 5
        resource.prlimit(daemon.process.pid, resource.RLIMIT_NOFILE, (most, most))
        for _ in range(5):
            self.visitor = self.visit()
        return daemon

    def visit(self):
        visitor = MsgpackConnection(self.folder.socket)
        self.addCleanup(visitor.socket.close)
        self.assertEqual("pong", visitor.call("ping"))
        return visitor

    def test_soft_limit_on_descriptors_is_raised(self):
        self.serve_more_than_the_soft_limit("")

    def test_soft_limit_on_descriptors_is_raised_for_any_number(self):
        self.serve_more_than_the_soft_limit(f"--connections-max {2**64 - 1}")

    def serve_more_than_the_soft_limit(self, options):
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.start(command=("/bin/sh", "-c", f'ulimit -Sn 64; exec "{harness.CMDAEMON}" {options}'))
        crowd = [MsgpackConnection(self.folder.socket) for _ in range(min(200, hard // 2))]
        for visitor in crowd:
            self.addCleanup(visitor.socket.close)
            self.assertEqual("pong", visitor.call("ping"))

    def test_one_request_at_a_time(self):
        for most in ("0", "1"):
            daemon = self.start("--waiting-max", most)
            with MsgpackConnection(self.folder.socket) as asker:
                asked = [asker.send("solve", {"puzzle": harness.path_puzzle(nodes)}) for nodes in (50, 60)]
                self.assertEqual([50, 60], [asker.answer(request)["nodes"] for request in asked])
            daemon.stop()

    def test_one_connection_too_many(self):
        daemon = self.start("--connections-max", "2")
        kept = [MsgpackConnection(self.folder.socket) for _ in range(2)]
        for connection in kept:
            self.addCleanup(connection.socket.close)
            self.assertEqual("pong", connection.call("ping"))
        with daemon.stopped():
            third = MsgpackConnection(self.folder.socket)
            request = third.send("ping")
        with third:
            with self.assertRaises(Refused) as refused:
                third.answer(request)
            self.assertEqual("E_BUSY", refused.exception.name)
            self.assertTrue(third.closed())

    def test_memory(self):
        daemon = self.start()
        self.limit_memory(daemon, 96 << 20)
        with Witness(self.folder.socket):
            names = set()
            for nodes in (300, 4000, 7000, 1000, 6000):
                with MsgpackConnection(self.folder.socket) as asker:
                    try:
                        asker.call("solve", puzzle=harness.path_puzzle(nodes))
                    except Refused as refusal:
                        names.add(refusal.name)
            self.assertEqual({"E_NO_MEMORY"}, names)
            with JsonConnection(self.folder.socket) as hoarder:
                self.flood(hoarder)
        daemon.stop()

    def limit_memory(self, daemon, spare):
        """Leaves the daemon so many bytes more of address space than it has taken; None: no limit."""
        with open(f"/proc/{daemon.process.pid}/statm", encoding="ascii") as statm:
            pages = int(statm.read().split()[0])
        if pages > 1 << 30:
            raise unittest.SkipTest("address space cannot be limited under the address sanitizer")
        most = resource.RLIM_INFINITY if spare is None else pages * resource.getpagesize() + spare
        resource.prlimit(daemon.process.pid, resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))

    def test_memory_that_runs_out_at_every_step(self):
        """Whatever is asked when memory runs out: a right answer, E_NO_MEMORY or a closed connection."""
        daemon = self.start()
        witness = Witness(self.folder.socket)
        self.addCleanup(witness.connection.socket.close)
        refused = 0
        for step in range(48):
            puzzle = harness.path_puzzle(200 + 37 * step)
            kind = list(ENCODINGS.values())[step % len(ENCODINGS)]
            self.limit_memory(daemon, step * 32768)
            for method, params in (
                ("solve", {"puzzle": puzzle}),
                ("query", {"puzzle": puzzle, "state": SMALL_START}),
                ("line", {"puzzle": puzzle, "state": SMALL_START}),
                ("stats", {"puzzle": puzzle}),
                ("verify", {"puzzle": puzzle}),
                ("list", {}),
                ("status", {}),
                ("hello", {}),
            ):
                refused += self.is_refused(kind, method, params)
            self.limit_memory(daemon, None)
            answer = witness.connection.call("query", **witness.query)
            self.assertEqual(witness.expected, answer)
            self.assertEqual(len(puzzle["graph"]), witness.connection.call("solve", puzzle=puzzle)["nodes"])
        self.assertGreater(refused, 0)
        daemon.stop()

    def is_refused(self, kind, method, params):
        try:
            with kind(self.folder.socket) as asker:
                asker.call(method, **params)
        except Refused as refusal:
            self.assertEqual("E_NO_MEMORY", refusal.name, f"{method}: {refusal}")
            return True
        except (EOFError, ConnectionResetError, BrokenPipeError):
            return True
        return False

    def flood(self, hoarder):
        """A message that doesn't fit: refused, or the connection goes."""
        try:
            hoarder.send_bytes(b'{"id": 1, "method": "solve", "params": {"puzzle": [[1' + b",1" * (30 << 20))
            hoarder.send_bytes(b"]]}}\n")
            hoarder.keep(hoarder.receive())
        except (EOFError, ConnectionResetError, BrokenPipeError):
            return
        _, (_, error) = hoarder.waiting.popitem()
        self.assertEqual("E_NO_MEMORY", error.name)


if __name__ == "__main__":
    harness.main()
