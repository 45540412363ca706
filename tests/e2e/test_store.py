#!/usr/bin/python3
"""What lasts: puzzles on disk across restarts and kill -9, faults of the disk, shared folders."""
import contextlib
import json
import random
import resource
import signal
import sqlite3
import subprocess
import time
import unittest

import harness
from harness import CMDAEMON, DEADLINE_S, SMALL, SMALL_START, Daemon, FolderTest
from wire import MsgpackConnection, Refused

MEDIUM = harness.path_puzzle(300)


def random_graph(seed, nodes=12):
    """A legal graph game: mirrored, every node with a neighbour."""
    chance = random.Random(seed)
    lists = [set() for _ in range(nodes)]
    for node in range(1, nodes):
        other = chance.randrange(node)
        lists[node].add(other)
        lists[other].add(node)
    for _ in range(nodes):
        a, b = chance.sample(range(nodes), 2)
        lists[a].add(b)
        lists[b].add(a)
    return {"graph": [sorted(list_) for list_ in lists]}


class StoreTest(FolderTest):
    def setUp(self):
        super().setUp()
        self.store = self.folder.path / "cache" / "catmouse"

    def start(self, *arguments, **more):
        """With answers that wait for the disk, however long it takes on a busy machine."""
        return super().start("--store-wait", "0", *arguments, **more)

    def connect(self, socket=None):
        connection = MsgpackConnection(socket or self.folder.socket)
        self.addCleanup(connection.socket.close)
        return connection

    def restart(self, daemon, *arguments, hard=False):
        if hard:
            daemon.process.send_signal(signal.SIGKILL)
            daemon.process.wait()
            daemon.kill()
        else:
            daemon.stop()
        daemon = self.start(*arguments)
        return daemon, self.connect()

    def refused(self, name, connection, method, **params):
        with self.assertRaises(Refused) as refused:
            connection.call(method, **params)
        self.assertEqual(name, refused.exception.name, refused.exception)
        return refused.exception.text

    def wait_status(self, connection, holds, what):
        """Asks for the status until `holds` says so of its store."""
        deadline = time.monotonic() + DEADLINE_S
        while not holds(store := connection.call("status")["store"]):
            self.assertLess(time.monotonic(), deadline, f"waited for {what}: {store}")
        return store


class Lasting(StoreTest):
    def check_cases(self, hard):
        daemon = self.start()
        connection = self.connect()
        known = []
        for puzzle, outcome, plies in harness.cases():
            solved = connection.call("solve", puzzle=puzzle)
            known.append((solved["id"], solved["start"]["state"], outcome, plies))
        daemon, connection = self.restart(daemon, hard=hard)
        listed = {table["id"] for table in connection.call("list")["tables"]}
        self.assertEqual({id_ for id_, *_ in known}, listed)
        for id_, state, outcome, plies in known:
            answer = connection.call("query", id=id_[:16], state=state)
            self.assertEqual((id_, outcome, plies), (answer["id"], answer["outcome"], answer["plies"]))
            self.assertTrue(connection.call("verify", id=id_)["correct"])
        daemon.stop()

    def test_every_case_after_a_restart(self):
        self.check_cases(hard=False)

    def test_every_case_after_kill_9(self):
        self.check_cases(hard=True)

    def test_every_method_by_id_after_a_restart(self):
        daemon = self.start()
        id_ = self.connect().call("solve", puzzle=SMALL)["id"]
        for call in (
            lambda c: c.call("query", id=id_, state=SMALL_START)["outcome"] == "draw",
            lambda c: c.call("line", id=id_, state=SMALL_START)["end"] == "repeats",
            lambda c: c.call("stats", id=id_)["nodes"] == 6,
            lambda c: c.call("verify", id=id_)["checked"] == 60,
            lambda c: c.call("evict", id=id_)["evicted"] == 1,
        ):
            daemon, connection = self.restart(daemon)
            self.assertTrue(call(connection))
        daemon.stop()

    def test_tables_are_solved_again(self):
        daemon = self.start()
        solved = self.connect().call("solve", puzzle=MEDIUM)
        self.assertEqual("solved", solved["source"])
        daemon, connection = self.restart(daemon)
        (entry,) = connection.call("list")["tables"]
        self.assertEqual(("disk", 0), (entry["where"], entry["bytes"]))
        self.assertGreater(entry["disk_bytes"], 0)
        again = connection.call("solve", puzzle=MEDIUM)
        self.assertEqual({**solved, "solve_us": 0}, {**again, "solve_us": 0})
        self.assertEqual("memory", connection.call("solve", puzzle=MEDIUM)["source"])
        daemon.stop()

    def test_what_was_asked_for_last_is_listed_first(self):
        daemon = self.start()
        connection = self.connect()
        ids = [connection.call("solve", puzzle=random_graph(seed))["id"] for seed in range(300)]
        daemon, connection = self.restart(daemon)
        listed = connection.call("list")
        self.assertEqual((set(ids), 300), ({table["id"] for table in listed["tables"]}, listed["total"]))
        self.assertEqual({"disk"}, {table["where"] for table in listed["tables"]})
        connection.call("query", id=ids[7], state=SMALL_START)
        first, *others = connection.call("list")["tables"]
        self.assertEqual((ids[7], "memory"), (first["id"], first["where"]))
        self.assertEqual(set(ids) - {ids[7]}, {table["id"] for table in others})
        daemon.stop()

    def test_an_id_that_was_answered_is_known_to_another_process(self):
        """The schema is a document: sqlite3 shows what is kept, while the daemon runs."""
        daemon = self.start()
        id_ = self.connect().call("solve", puzzle=SMALL)["id"]
        with contextlib.closing(sqlite3.connect(self.store / "puzzles.db")) as database:
            rows = database.execute("select id, game, nodes from list").fetchall()
        self.assertEqual([(id_, "graph", 6)], rows)
        daemon.stop()

    def test_many_requests_before_the_folder_was_looked_at(self):
        daemon = self.start()
        connection = self.connect()
        ids = [connection.call("solve", puzzle=random_graph(seed))["id"] for seed in range(500)]
        daemon, connection = self.restart(daemon)
        asked = [connection.send("query", {"id": id_, "state": SMALL_START}) for id_ in ids[:200]]
        listed = connection.send("list")
        for request, id_ in zip(asked, ids):
            self.assertEqual(id_, connection.answer(request)["id"])
        self.assertEqual(500, connection.answer(listed)["total"])
        daemon.stop()

    def test_shown_to_people(self):
        daemon = self.start()
        self.folder.client("solve", stdin=json.dumps(SMALL))
        self.assertRegex(self.folder.client("list").stdout, r"(?m)^[0-9a-f]{6} .* draw +now$")
        daemon, _ = self.restart(daemon)
        self.assertRegex(self.folder.client("list").stdout, r"(?m)^[0-9a-f]{6} .* draw +\S")
        self.assertIn(str(self.store), self.folder.client("status").stdout)
        daemon.stop()


class Forgetting(StoreTest):
    def test_evict_reaches_the_disk(self):
        daemon = self.start()
        connection = self.connect()
        ids = [connection.call("solve", puzzle=puzzle)["id"] for puzzle in (SMALL, MEDIUM)]
        self.assertEqual(1, connection.call("evict", id=ids[0])["evicted"])
        self.refused("E_UNKNOWN_ID", connection, "query", id=ids[0], state=SMALL_START)
        daemon, connection = self.restart(daemon, hard=True)
        self.refused("E_UNKNOWN_ID", connection, "query", id=ids[0], state=SMALL_START)
        self.assertEqual(1, connection.call("evict", id=ids[1])["evicted"], "one that is on disk only")
        self.refused("E_UNKNOWN_ID", connection, "evict", id=ids[1])
        self.refused("E_NO_PUZZLE", connection, "query", state=SMALL_START)
        daemon.stop()

    def test_clear_reaches_the_disk(self):
        daemon = self.start()
        connection = self.connect()
        for seed in range(20):
            connection.call("solve", puzzle=random_graph(seed))
        daemon, connection = self.restart(daemon)
        connection.call("solve", puzzle=SMALL)
        self.assertEqual(21, connection.call("clear")["evicted"])
        self.assertEqual(0, connection.call("list")["total"])
        daemon, connection = self.restart(daemon, hard=True)
        self.assertEqual([], connection.call("list")["tables"])
        self.refused("E_NO_PUZZLE", connection, "stats")
        connection.call("solve", puzzle=SMALL)
        daemon, connection = self.restart(daemon)
        self.assertEqual(1, connection.call("list")["total"])
        daemon.stop()

    def test_no_store(self):
        daemon = self.start("--no-store")
        connection = self.connect()
        connection.call("solve", puzzle=SMALL)
        self.assertEqual("off", connection.call("status")["store"]["state"])
        self.assertEqual(1, connection.call("list")["total"])
        self.assertFalse(self.store.exists())
        daemon, connection = self.restart(daemon, "--no-store")
        self.assertEqual([], connection.call("list")["tables"])
        self.refused("E_UNKNOWN_ID", connection, "stats", id="abcdef")
        daemon.stop()

    def test_nowhere_to_keep_it(self):
        """Paths that are not from the root are nobody's home."""
        daemon = self.start(env={"XDG_CACHE_HOME": "cache", "HOME": ""})
        self.wait_status(self.connect(), lambda store: store["state"] != "opening", "the folder")
        self.assertRegex(daemon.output(), "warn: .*neither --store, XDG_CACHE_HOME nor HOME names a folder")
        daemon.stop()


class Faults(StoreTest):
    def test_damaged_database(self):
        """Nothing that is read from it can be wrong; what can be read of it is carried over."""
        daemon = self.start()
        connection = self.connect()
        ids = {}
        for seed in range(300):
            solved = connection.call("solve", puzzle=random_graph(seed))
            ids[solved["id"]] = solved["start"]
        daemon.stop()
        whole = (self.store / "puzzles.db").read_bytes()
        middle = len(whole) // 2
        for spoilt in (
            whole[:middle] + bytes([whole[middle] ^ 64]) + whole[middle + 1:],
            whole[: len(whole) // 2],
            b"junk" * 1000,
            whole[:100] + bytes(4000) + whole[4100:],
            b"",
        ):
            (self.store / "puzzles.db").write_bytes(spoilt)
            daemon = self.start()
            connection = self.connect()
            known = 0
            for id_, start in ids.items():
                try:
                    answer = connection.call("query", id=id_, state=start["state"])
                    self.assertEqual((start["outcome"], start["plies"]), (answer["outcome"], answer["plies"]))
                    known += 1
                except Refused as refused:
                    self.assertEqual("E_UNKNOWN_ID", refused.name)
            solved = connection.call("solve", puzzle=MEDIUM)["id"]
            daemon, connection = self.restart(daemon, hard=True)
            self.assertEqual(300, connection.call("stats", id=solved)["nodes"])
            daemon.stop()
        self.assertLessEqual(len(list((self.store / "damaged").iterdir())), 16)

    def test_list_while_nothing_more_can_be_kept(self):
        daemon = self.start()
        for nodes in (4, 5, 6):
            self.connect().call("solve", puzzle=harness.path_puzzle(nodes))
        daemon, connection = self.restart(daemon)
        connection.call("list")
        resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE, (0, 0))
        connection.call("solve", puzzle=harness.path_puzzle(7))
        listed = connection.call("list")
        self.assertEqual("memory", listed["tables"][0]["where"])
        self.assertEqual((4, 4), (len(listed["tables"]), listed["total"]))
        daemon.kill()

    def test_full_disk(self):
        daemon = self.start("--store-retry", "1")
        connection = self.connect()
        first = connection.call("solve", puzzle=SMALL)["id"]
        pid = daemon.process.pid
        limits = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, limits[1]))
        second = connection.call("solve", puzzle=MEDIUM)["id"]
        store = self.wait_status(connection, lambda store: store["state"] == "failing", "a fault")
        self.assertNotEqual("", store["error"])
        for id_ in (first, second):
            self.assertEqual(id_, connection.call("query", id=id_, state=SMALL_START)["id"])
        resource.prlimit(pid, resource.RLIMIT_FSIZE, limits)
        self.wait_status(
            connection,
            lambda store: store["state"] == "on" and store["puzzles"] == 2,
            "what was solved meanwhile to be kept",
        )
        daemon, connection = self.restart(daemon)
        for id_ in (first, second):
            self.assertEqual(id_, connection.call("query", id=id_, state=SMALL_START)["id"])
        daemon.stop()

    def test_folder_that_cannot_be_made(self):
        (self.folder.path / "cache").write_text("a file in the way")
        daemon = self.start()
        connection = self.connect()
        connection.call("solve", puzzle=SMALL)
        self.refused("E_INTERNAL", connection, "query", id="abcdef", state=SMALL_START)
        self.assertEqual("failing", connection.call("status")["store"]["state"])
        daemon.stop()

    def start_mounted(self, mount):
        """A daemon in a mount namespace of its own, where `mount` was run."""
        probe = subprocess.run(
            ["unshare", "-m", "sh", "-ec", mount], capture_output=True, text=True, check=False
        )
        if probe.returncode:
            self.skipTest(f"cannot mount here: {probe.stderr.strip()}")
        command = ("unshare", "-m", "sh", "-ec", mount + ' && exec "$0" "$@"', CMDAEMON)
        daemon = Daemon(self.folder, "--store-retry", "1", command=command)
        self.addCleanup(daemon.kill)
        return daemon

    def test_read_only_disk(self):
        daemon = self.start()
        self.connect().call("solve", puzzle=MEDIUM)
        daemon.stop()
        daemon = self.start_mounted(
            f"mount --bind {self.store} {self.store} && mount -o remount,ro,bind {self.store}"
        )
        connection = self.connect()
        id_ = connection.call("solve", puzzle=SMALL)["id"]
        self.wait_status(connection, lambda store: store["state"] == "failing", "a fault")
        for method, params in (("evict", {"id": id_}), ("clear", {})):
            self.assertIn("removed from disk", self.refused("E_INTERNAL", connection, method, **params))
        self.assertEqual(id_, connection.call("query", id=id_, state=SMALL_START)["id"])
        daemon.stop()


class Sharing(StoreTest):
    def test_two_daemons_share_a_folder(self):
        sockets = [self.folder.runtime / f"{name}.sock" for name in "ab"]
        daemons = [self.start("--socket", str(socket)) for socket in sockets]
        one, two = (self.connect(socket) for socket in sockets)
        for seed in range(30):
            puzzle = random_graph(seed)
            solved = (one if seed % 2 else two).call("solve", puzzle=puzzle)
            seen = (two if seed % 2 else one).call("query", id=solved["id"], state=SMALL_START)
            self.assertEqual(solved["start"]["outcome"], seen["outcome"])
        daemons[0].process.send_signal(signal.SIGKILL)
        daemons[0].process.wait()
        daemons[0].kill()
        self.assertEqual(30, two.call("list")["total"])
        third = self.start("--socket", str(self.folder.runtime / "c.sock"))
        three = self.connect(self.folder.runtime / "c.sock")
        self.assertEqual(30, three.call("list")["total"])
        third.stop()
        daemons[1].stop()

    def test_two_daemons_write_all_the_time(self):
        """Neither keeps the other from writing: what was answered is kept."""
        sockets = [self.folder.runtime / f"{name}.sock" for name in "ab"]
        daemons = [self.start("--socket", str(socket)) for socket in sockets]
        connections = [self.connect(socket) for socket in sockets]
        for seed in range(3000):
            connections[seed % 2].send("solve", {"puzzle": random_graph(seed)})
        answered = set()
        for connection in connections:
            while len(connection.waiting) < 1500:
                connection.keep(connection.receive())
            answered |= {result["id"] for result, error in connection.waiting.values()}
        for daemon in daemons:
            daemon.process.send_signal(signal.SIGKILL)
            daemon.process.wait()
            daemon.kill()
        third = self.start()
        self.assertEqual(len(answered), self.connect().call("list")["total"])
        third.stop()


if __name__ == "__main__":
    harness.main()
