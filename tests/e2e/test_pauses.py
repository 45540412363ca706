#!/usr/bin/python3
"""How long one peer waits for a pong while others ask for what takes long. Prints; asserts no time.

Only where $CATMOUSE_PAUSES is set, since it takes a while and wants a quiet machine. $CATMOUSE_PAUSES_TABLES
says how many small tables there are (300000). The loop's own time is what its thread has computed from one
pong to the next, in which what else the machine does hardly counts; least where root runs the test.
"""
import contextlib
import gc
import multiprocessing
import os
import pathlib
import time
import unittest

import harness
from harness import FolderTest
from wire import MsgpackConnection, Refused

TABLES = int(os.environ.get("CATMOUSE_PAUSES_TABLES", "300000"))
PAUSE_S = 0.0002  # from one ping to the next
AT_ONCE = 200  # requests sent before their answers are read


def loop_us(pid):
    """What the daemon's first thread, the loop's, has computed so far."""
    text = pathlib.Path(f"/proc/{pid}/task/{pid}/schedstat").read_text(encoding="ascii")
    return int(text.split()[0]) / 1000


def ping_all_the_time(path, pid, begun, stop, results):
    """A process of its own. The longest wait for a pong, and the most the loop computed meanwhile, in us."""
    gc.disable()
    with contextlib.suppress(PermissionError):  # what it is made to wait itself would count, too
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    worst_us = worst_loop_us = pings = 0
    with MsgpackConnection(path) as connection:
        request = connection.encode(1, "ping", None)
        connection.call("ping")
        before_us = loop_us(pid)
        begun.set()
        while not stop.is_set():
            began_ns = time.monotonic_ns()
            connection.socket.sendall(request)
            connection.socket.recv(100)
            ended_ns, now_us = time.monotonic_ns(), loop_us(pid)
            worst_us = max(worst_us, (ended_ns - began_ns) / 1000)
            worst_loop_us = max(worst_loop_us, now_us - before_us)
            before_us = now_us
            pings += 1
            time.sleep(PAUSE_S)
    results.put((pings, worst_us, worst_loop_us))


class Pinger:
    """Pings as long as the block lasts, then prints how that went."""

    def __init__(self, daemon, path, what):
        self.what = what
        self.begun, self.stop = multiprocessing.Event(), multiprocessing.Event()
        self.results = multiprocessing.Queue()
        arguments = (path, daemon.process.pid, self.begun, self.stop, self.results)
        self.process = multiprocessing.Process(target=ping_all_the_time, args=arguments)

    def __enter__(self):
        self.process.start()
        assert self.begun.wait(harness.DEADLINE_S)
        return self

    def __exit__(self, *_):
        self.stop.set()
        pings, worst_us, worst_loop_us = self.results.get(timeout=harness.DEADLINE_S)
        self.process.join()
        print(f"# {self.what}: {pings} pings, the longest {worst_us / 1000:.2f} ms, "
              f"the loop at most {worst_loop_us / 1000:.2f} ms", flush=True)


def small_puzzle(number):
    """Puzzle `number` of a million: a thousand bytes of table."""
    walls = f"{number:020b}".replace("0", ".").replace("1", "#")
    return {"grid": ["MCF" + walls], "catJump": 1, "mouseJump": 1}


def quick_puzzle(nodes):
    """Everywhere is near: the narrowest table there is of so many nodes."""
    lists = [{(node - 1) % nodes, (node + 1) % nodes} for node in range(nodes)]
    for node in range(nodes):
        for other in {5 * node % nodes, 7 * node % nodes} - {node}:
            lists[node].add(other)
            lists[other].add(node)
    return {"graph": [sorted(list_) for list_ in lists]}


def dense_puzzle(nodes):
    """Every node joined to every other: few plies, a large message."""
    return {"graph": [[v for v in range(nodes) if v != u] for u in range(nodes)]}


def far_grid(rows, cols, jump, food):
    """Ten kilobytes, and from each cell a jump to most of its row or column."""
    cells = ["."] * (rows * cols)
    for mark, at in zip("MCF", (0, 1, 2 + food)):
        cells[at] = mark
    text = "".join(cells)
    return {"grid": [text[at : at + cols] for at in range(0, len(text), cols)], "catJump": jump, "mouseJump": jump}


def busy_hall():
    """The mouse and the cat in the middle of many rooms: every move of a state is a long list."""
    return {"graph": [[1], [0, *range(2, 8000)], *([1] for _ in range(2, 8000))]}


@unittest.skipUnless(os.environ.get("CATMOUSE_PAUSES"), "$CATMOUSE_PAUSES is not set")
class Pauses(FolderTest):
    def start_daemon(self, *arguments):
        daemon = self.start(*arguments)
        connection = MsgpackConnection(self.folder.socket)
        self.addCleanup(connection.socket.close)
        return daemon, connection

    def solve_small(self, connection, count=TABLES):
        for begin in range(0, count, AT_ONCE):
            asked = range(begin, min(begin + AT_ONCE, count))
            connection.send_bytes(b"".join(
                connection.encode(number, "solve", {"puzzle": small_puzzle(number)}) for number in asked))
            for number in asked:
                connection.answer(number)

    def ping_during(self, daemon, what, act):
        with Pinger(daemon, self.folder.socket, what):
            act()

    def clear(self, connection):
        connection.call("clear")
        connection.call("solve", puzzle=quick_puzzle(20_000))  # a helper reads it, once all is given back

    def test_nothing(self):
        daemon, connection = self.start_daemon("--no-store")
        self.ping_during(daemon, "ten thousand pings of another", lambda: [
            connection.call("ping") for _ in range(10_000)])

    def test_many_tables(self):
        for where, arguments in (("in memory", ("--no-store",)), ("on disk, too", ())):
            daemon, connection = self.start_daemon(*arguments)
            self.ping_during(daemon, f"{TABLES} solves, kept {where}", lambda connection=connection:
                             self.solve_small(connection))
            self.ping_during(daemon, f"list, kept {where}", lambda connection=connection: [
                connection.call("list") for _ in range(20)])
            self.ping_during(daemon, f"clear, kept {where}", lambda connection=connection:
                             self.clear(connection))
            connection.socket.close()
            daemon.stop()

    def test_many_are_evicted(self):
        daemon, connection = self.start_daemon("--no-store")
        self.solve_small(connection, 20_000)

        def evict():
            for _ in range(5):
                ids = [table["id"] for table in connection.call("list")["tables"]]
                for request in [connection.send("evict", {"id": id_}) for id_ in ids]:
                    connection.answer(request)

        self.ping_during(daemon, "ten thousand are evicted", evict)

    def test_a_large_table_displaces_many(self):
        most = 2000 * TABLES  # about what they take
        for limit, share in (("--memory-max", 0.2), ("--cache-max", 0.8)):
            daemon, connection = self.start_daemon("--no-store", limit, str(most))
            self.solve_small(connection)
            puzzle = quick_puzzle(int((most * share / 2) ** 0.5))

            def displace(connection=connection, puzzle=puzzle):
                before = connection.call("status")["tables"]
                self.assertEqual("solved", connection.call("solve", puzzle=puzzle)["source"])
                while connection.call("status")["bytes"] > most:
                    pass
                self.assertLess(connection.call("status")["tables"], before * 0.7)

            self.ping_during(daemon, f"a table displaces many within {limit}", displace)
            connection.socket.close()
            daemon.stop()

    def test_large_puzzles(self):
        daemon, connection = self.start_daemon("--no-store")
        large, dense = harness.path_puzzle(4_000_000), dense_puzzle(4000)
        for what, puzzle in (("a puzzle of 4000000 nodes", large), ("one of 16000000 edges", dense),
                             ("the same again", dense)):
            message = connection.encode(7, "solve", {"puzzle": puzzle})

            def ask(message=message):
                connection.send_bytes(message)
                connection.keep(connection.receive())

            self.ping_during(daemon, what, ask)

    def test_short_messages_of_many_moves(self):
        for rows, cols, jump in ((1, 10_000, 1599), (100, 100, 99), (5000, 2, 1500)):
            daemon, connection = self.start_daemon("--no-store")

            def ask(connection=connection, shape=(rows, cols, jump)):
                asked = [connection.send("solve", {"puzzle": far_grid(*shape, food), "wait_ms": 0}) for food in range(6)]
                for request in asked:
                    with contextlib.suppress(Refused):  # where there is no room for so many
                        connection.answer(request)

            self.ping_during(daemon, f"six grids of {rows} x {cols} with jumps of {jump}", ask)
            connection.socket.close()
            daemon.stop()

    def test_large_answers(self):
        daemon, connection = self.start_daemon("--no-store")
        for puzzle, methods in ((busy_hall(), ("query", "stats", "verify")), (harness.path_puzzle(5000), ("line",))):
            connection.call("solve", puzzle=puzzle)
            nodes = len(puzzle["graph"])
            state = {"mouse": 1 if "query" in methods else nodes - 1, "cat": nodes // 2, "turn": "mouse"}
            for method in methods:
                params = {"state": state} if method in ("query", "line") else {}
                self.ping_during(daemon, f"{method} of {nodes} nodes", lambda method=method, params=params: [
                    connection.call(method, **params) for _ in range(20)])

    def test_a_flood(self):
        daemon, connection = self.start_daemon("--no-store")
        known = connection.call("solve", puzzle=harness.SMALL)["id"]
        question = {"id": known, "state": harness.SMALL_START}
        questions = b"".join(connection.encode(number, "query", question) for number in range(5000))

        def flood():
            for _ in range(20):
                connection.send_bytes(questions)
                for number in range(5000):
                    connection.answer(number)

        self.ping_during(daemon, "a hundred thousand questions", flood)


    def test_a_crowd_solves_at_once(self):
        for where, arguments in (("in memory", ("--no-store",)), ("on disk, too", ())):
            daemon, _ = self.start_daemon(*arguments)
            crowd = [MsgpackConnection(self.folder.socket) for _ in range(40)]
            for peer in crowd:
                self.addCleanup(peer.socket.close)

            def ask(crowd=crowd):
                for at, peer in enumerate(crowd):
                    peer.send_bytes(b"".join(
                        peer.encode(number, "solve", {"puzzle": small_puzzle(375 * at + number)}) for number in range(375)))
                for peer in crowd:
                    for number in range(375):
                        with contextlib.suppress(Refused):  # more than --queue-max
                            peer.answer(number)

            self.ping_during(daemon, f"15000 solves on 40 connections, kept {where}", ask)
            daemon.stop()


if __name__ == "__main__":
    harness.main()
