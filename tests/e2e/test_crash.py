#!/usr/bin/python3
"""kill -9 at random moments of solving, storing and forgetting, on one folder, again and again.

After each the daemon starts, whatever was answered is known and right, and nothing is left over.
$CATMOUSE_CRASH_ROUNDS says how often (20), $CATMOUSE_CRASH_SEED with which random numbers.
"""
import os
import random
import select
import signal
import time

import harness
from harness import Daemon, FolderTest
from wire import MsgpackConnection

ROUNDS = int(os.environ.get("CATMOUSE_CRASH_ROUNDS", "20"))
SEED = int(os.environ.get("CATMOUSE_CRASH_SEED", "1"))
ROUND_S = 0.15  # the longest that a daemon lives
ASKED_AT_ONCE = 40
CHECKED = 25  # of what was answered before, each round


def random_puzzle(chance):
    """Small ones mostly; some whose tables take a while to write."""
    kind = chance.random()
    if kind < 0.1:
        return harness.path_puzzle(chance.randrange(100, 900))
    if kind < 0.3:
        cells = [chance.choice(".....#") for _ in range(40)]
        for mark, at in zip("MCF", chance.sample(range(40), 3)):
            cells[at] = mark
        rows = ["".join(cells[i : i + 8]) for i in range(0, 40, 8)]
        return {"grid": rows, "catJump": chance.randrange(1, 4), "mouseJump": chance.randrange(1, 4)}
    nodes = chance.randrange(6, 40)
    lists = [set() for _ in range(nodes)]
    for node in range(1, nodes):
        for other in {chance.randrange(node), chance.randrange(node)}:
            lists[node].add(other)
            lists[other].add(node)
    return {"graph": [sorted(list_) for list_ in lists]}


class Crash(FolderTest):
    def setUp(self):
        super().setUp()
        self.chance = random.Random(SEED)
        self.known = {}  # by id: the start that `solve` told, with its value
        self.uncertain = set()  # ids whose eviction was asked for and not confirmed
        self.gone = set()  # ids whose eviction was

    def start_daemon(self):
        daemon = Daemon(self.folder, "--store-max", "200000000", "--store-wait", "0")
        self.addCleanup(daemon.kill)
        return daemon

    def check_known(self, connection):
        listed = connection.call("list")
        self.assertIn(connection.call("status")["store"]["state"], ("opening", "on"))
        self.assertGreaterEqual(listed["total"], len(set(self.known) - self.uncertain))
        if listed["total"] == len(listed["tables"]):
            ids = {table["id"] for table in listed["tables"]}
            self.assertLessEqual(set(self.known) - self.uncertain, ids, "an answered puzzle is lost")
            self.assertEqual(set(), self.gone & ids, "an evicted puzzle is back")
        for id_ in self.chance.sample(sorted(self.known), min(CHECKED, len(self.known))):
            if id_ in self.uncertain:
                continue
            start = self.known[id_]
            answer = connection.call("query", id=id_, state=start["state"])
            self.assertEqual((start["outcome"], start["plies"]), (answer["outcome"], answer["plies"]))
            self.assertTrue(connection.call("verify", id=id_)["correct"])

    def ask(self, connection, asked):
        if self.known and self.chance.random() < 0.05:
            id_ = self.chance.choice(sorted(self.known))
            self.uncertain.add(id_)
            asked[connection.send("evict", {"id": id_})] = id_
        else:
            asked[connection.send("solve", {"puzzle": random_puzzle(self.chance)})] = None

    def note_answers(self, connection, asked):
        for request, (result, error) in list(connection.waiting.items()):
            del connection.waiting[request]
            evicted = asked.pop(request)
            if evicted and not error:
                self.gone.add(evicted)
                self.known.pop(evicted, None)
            elif not evicted:
                self.assertIsNone(error)
                self.known[result["id"]] = result["start"]
                self.gone.discard(result["id"])

    def work_until(self, connection, asked, end):
        while (left := end - time.monotonic()) > 0:
            while len(asked) < ASKED_AT_ONCE:
                self.ask(connection, asked)
            if select.select([connection.socket], [], [], left)[0]:
                connection.keep(connection.receive())
                self.note_answers(connection, asked)

    def read_rest(self, connection, asked):
        """What the daemon had sent before it was killed counts as answered."""
        try:
            while True:
                connection.keep(connection.receive())
        except (EOFError, ConnectionResetError):
            self.note_answers(connection, asked)

    def run_round(self):
        daemon = self.start_daemon()
        asked = {}
        with MsgpackConnection(self.folder.socket) as connection:
            self.check_known(connection)
            # An eviction that was under way may have happened; a puzzle solved again may be back.
            for id_ in self.uncertain:
                self.known.pop(id_, None)
            self.uncertain.clear()
            self.gone.clear()
            self.work_until(connection, asked, time.monotonic() + self.chance.random() * ROUND_S)
            daemon.process.send_signal(signal.SIGKILL)
            daemon.process.wait()
            self.read_rest(connection, asked)
        daemon.kill()
        # What was asked and not answered may have been solved, so one evicted before may be back.
        if any(evicted is None for evicted in asked.values()):
            self.gone.clear()

    def test_kill_9_again_and_again(self):
        for _ in range(ROUNDS):
            self.run_round()
        daemon = self.start_daemon()
        with MsgpackConnection(self.folder.socket) as connection:
            self.check_known(connection)
            store = connection.call("status")["store"]
            self.assertEqual(0, store["damaged"])
            self.assertGreater(store["puzzles"], 0)
        daemon.stop()
        print(f"# {ROUNDS} rounds, seed {SEED}: {store['puzzles']} puzzles")
        root = self.folder.path / "cache" / "catmouse"
        self.assertEqual({"puzzles.db"}, {entry.name for entry in root.iterdir()}, "nothing is left over")


if __name__ == "__main__":
    harness.main()
