#!/usr/bin/python3
"""How long one peer waits for a pong while others ask for what takes long. Prints; asserts no time.

Only where $CATMOUSE_PAUSES is set, since it takes a while and wants a quiet machine. $CATMOUSE_PAUSES_TABLES
says how many small tables there are (300000). The loop's own time is what its thread has computed from one
pong to the next, so that what else the machine does hardly counts.
"""
import gc
import json
import multiprocessing
import os
import pathlib
import time
import unittest

import msgpack

import harness
from harness import SMALL, FolderTest
from wire import MsgpackConnection

TABLES = int(os.environ.get("CATMOUSE_PAUSES_TABLES", "300000"))
AT_ONCE = 200  # requests sent before their answers are read


def loop_us(pid):
    """What the daemon's first thread, the loop's, has computed so far."""
    text = pathlib.Path(f"/proc/{pid}/task/{pid}/schedstat").read_text(encoding="ascii")
    return int(text.split()[0]) / 1000


def ping_all_the_time(path, pid, stop, results):
    """A process of its own. The longest wait for a pong, and the most the loop computed meanwhile, in us."""
    gc.disable()
    worst_us = worst_loop_us = pings = 0
    with MsgpackConnection(path) as connection:
        request = msgpack.packb([0, 1, "ping", []])
        before_us = loop_us(pid)
        while not stop.is_set():
            began_ns = time.monotonic_ns()
            connection.socket.sendall(request)
            connection.socket.recv(100)
            ended_ns, now_us = time.monotonic_ns(), loop_us(pid)
            worst_us = max(worst_us, (ended_ns - began_ns) / 1000)
            worst_loop_us = max(worst_loop_us, now_us - before_us)
            before_us = now_us
            pings += 1
    results.put((pings, worst_us, worst_loop_us))


class Pinger:
    """Pings as long as the block lasts, then prints how that went."""

    def __init__(self, daemon, path, what):
        self.what = what
        self.stop, self.results = multiprocessing.Event(), multiprocessing.Queue()
        arguments = (path, daemon.process.pid, self.stop, self.results)
        self.process = multiprocessing.Process(target=ping_all_the_time, args=arguments)

    def __enter__(self):
        self.process.start()
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
    """Every node joined to half of all: few plies, a large message."""
    return {"graph": [[v for v in range(nodes) if v != u] for u in range(nodes)]}


@unittest.skipUnless(os.environ.get("CATMOUSE_PAUSES"), "$CATMOUSE_PAUSES is not set")
class Pauses(FolderTest):
    def start_daemon(self, *arguments):
        daemon = self.start(*arguments)
        connection = MsgpackConnection(self.folder.socket)
        self.addCleanup(connection.socket.close)
        return daemon, connection

    def solve_small(self, connection, count=TABLES):
        encoded = [connection.encode(number, "solve", {"puzzle": small_puzzle(number)}) for number in range(count)]
        for begin in range(0, count, AT_ONCE):
            connection.send_bytes(b"".join(encoded[begin : begin + AT_ONCE]))
            for number in range(begin, min(begin + AT_ONCE, count)):
                connection.answer(number)

    def bytes_held(self, connection):
        return connection.call("status")["bytes"]

    def ping_during(self, daemon, what, act):
        with Pinger(daemon, self.folder.socket, what):
            act()

    def test_nothing(self):
        daemon, _ = self.start_daemon("--no-store")
        self.ping_during(daemon, "nothing else", lambda: time.sleep(1))

    def test_many_tables_arrive(self):
        daemon, connection = self.start_daemon("--no-store")
        self.ping_during(daemon, f"{TABLES} small tables are solved", lambda: self.solve_small(connection))
        self.ping_during(daemon, "a list", lambda: connection.call("list"))
        self.ping_during(daemon, "they are cleared", lambda: (connection.call("clear"), time.sleep(0.3)))

    def test_many_tables_on_disk(self):
        daemon, connection = self.start_daemon()
        self.ping_during(daemon, f"{TABLES} puzzles are kept", lambda: self.solve_small(connection))
        self.ping_during(daemon, "a list of these", lambda: connection.call("list"))
        self.ping_during(daemon, "these are cleared", lambda: (connection.call("clear"), time.sleep(0.3)))

    def test_many_tables_are_evicted(self):
        daemon, connection = self.start_daemon("--no-store")
        self.solve_small(connection)
        ids = []

        def evict():
            for _ in range(5):
                ids[:] = [table["id"] for table in connection.call("list")["tables"]]
                asked = [connection.send("evict", {"id": id_}) for id_ in ids]
                for request in asked:
                    connection.answer(request)

        self.ping_during(daemon, "ten thousand are evicted", evict)

    def test_a_large_table_displaces_many(self):
        most = 2000 * TABLES  # about what they take
        for limit, share in (("--memory-max", 0.2), ("--cache-max", 0.8)):
            daemon, connection = self.start_daemon("--no-store", limit, str(most))
            self.solve_small(connection)
            puzzle = quick_puzzle(int((most * share / 2) ** 0.5))

            def displace(puzzle=puzzle):
                before = connection.call("status")["tables"]
                self.assertEqual("solved", connection.call("solve", puzzle=puzzle)["source"])
                while connection.call("status")["bytes"] > most:
                    pass
                self.assertLess(connection.call("status")["tables"], before / 2)

            self.ping_during(daemon, f"a table displaces many within {limit}", displace)
            connection.socket.close()
            daemon.stop()

    def test_large_puzzles(self):
        daemon, connection = self.start_daemon("--no-store")
        sparse, dense = harness.path_puzzle(4_000_000), dense_puzzle(4000)
        for what, puzzle in (("4000000 nodes, refused", sparse), ("16000000 edges", dense), ("these again", dense)):
            message = connection.encode(7, "solve", {"puzzle": puzzle})

            def ask(message=message):
                connection.send_bytes(message)
                connection.keep(connection.receive())

            self.ping_during(daemon, what, ask)

    def test_large_answers(self):
        daemon, connection = self.start_daemon("--no-store")
        star = {"graph": [list(range(1, 8000))] + [[0]] * 7999}
        connection.call("solve", puzzle=star)
        self.ping_during(daemon, "every move of a node with 8000 neighbours", lambda: [
            connection.call("query", state={"mouse": 3, "cat": 4, "turn": turn}) for turn in ("mouse", "cat")])
        puzzle = harness.path_puzzle(5000)
        connection.call("solve", puzzle=puzzle)
        for method in ("line", "stats", "verify", "query"):
            params = {} if method in ("stats", "verify") else {"state": {"mouse": 4999, "cat": 2500, "turn": "mouse"}}
            self.ping_during(daemon, method, lambda method=method, params=params: [
                connection.call(method, **params) for _ in range(20)])


if __name__ == "__main__":
    harness.main()
