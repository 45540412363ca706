"""Well-behaved clients whose every answer is checked, and peers that behave badly."""
import random
import threading
import time

import harness
from wire import ENCODINGS, Refused

POOL = 600  # puzzles, several times what the cache of the soaked daemon holds


def random_graph(seed):
    """A connected graph whose node 2 has a neighbour besides the hole; the same for the same seed."""
    rng = random.Random(seed)
    nodes = rng.choice((6, 10, 20, 50, 100, 200, 400))
    neighbours = [set() for _ in range(nodes)]
    pairs = [(v, rng.randrange(v)) for v in range(1, nodes)] + [(2, 3)]
    pairs += [rng.sample(range(nodes), 2) for _ in range(nodes * rng.randrange(3))]
    for u, v in pairs:
        neighbours[u].add(v)
        neighbours[v].add(u)
    return {"graph": [sorted(reached) for reached in neighbours]}


class Tally:
    """Counts, shared by all threads; and the first thing that was wrong."""

    def __init__(self):
        self.lock = threading.Lock()
        self.counts, self.wrong, self.known = {}, None, {}

    def count(self, what):
        with self.lock:
            self.counts[what] = self.counts.get(what, 0) + 1

    def blame(self, what):
        with self.lock:
            self.wrong = self.wrong or what

    def expect(self, key, value):
        """The same question has the same answer for ever, whatever was restarted or evicted meanwhile."""
        with self.lock:
            known = self.known.setdefault(key, value)
        if known != value:
            self.blame(f"{key}: first {known}, then {value}")


class Actor(threading.Thread):
    """Acts until told to leave. While the daemon is being restarted it may be cut off at any moment."""

    def __init__(self, soak, seed):
        super().__init__(daemon=True)
        self.soak, self.tally, self.rng = soak, soak.tally, random.Random(seed)

    def run(self):
        while not self.soak.leaving.is_set():
            lives = self.soak.lives
            try:
                self.act()
            except (OSError, EOFError, Refused) as error:
                draining = isinstance(error, Refused) and error.name == "E_DRAINING"
                if not draining and lives == self.soak.lives and not self.soak.restarting.is_set():
                    self.tally.blame(f"{type(self).__name__} met {error!r}")
                self.soak.running.wait()
            except Exception as error:
                self.tally.blame(f"{type(self).__name__} met {error!r}")


class Client(Actor):
    def act(self):
        kind = self.rng.choice(list(ENCODINGS.values()))
        with kind(self.soak.folder.socket) as connection:
            for _ in range(self.rng.randrange(1, 40)):
                if self.soak.leaving.is_set():
                    return
                ask = self.rng.choices(
                    (self.solve, self.query, self.line, self.check, self.look), (4, 12, 2, 1, 1)
                )[0]
                ask(connection)
                self.tally.count(ask.__name__)

    def pick(self):
        """Some puzzles are asked about often, most seldom."""
        seed = int(POOL * self.rng.random() ** 3)
        return seed, random_graph(seed)

    def random_state(self, puzzle):
        nodes = len(puzzle["graph"])
        mouse, cat = self.rng.randrange(nodes), self.rng.randrange(1, nodes)
        return {"mouse": mouse, "cat": cat, "turn": self.rng.choice(("mouse", "cat"))}

    def solve(self, connection):
        seed, puzzle = self.pick()
        answer = connection.call("solve", puzzle=puzzle)
        self.tally.expect(("solve", seed), (answer["id"], str(answer["start"])))

    def query(self, connection):
        seed, puzzle = self.pick()
        state = self.random_state(puzzle)
        answer = connection.call("query", puzzle=puzzle, state=state)
        self.tally.expect(("query", seed, str(state)), (answer["outcome"], answer["plies"]))
        if answer["plies"]:
            best = answer["moves"][0]
            if (best["outcome"], best["plies"]) != (answer["outcome"], answer["plies"] - 1):
                self.tally.blame(f"puzzle {seed}, {state}: the best move contradicts the value")

    def line(self, connection):
        seed, puzzle = self.pick()
        state = self.random_state(puzzle)
        answer = connection.call("line", puzzle=puzzle, state=state)
        if answer["plies"] is not None and len(answer["moves"]) != answer["plies"]:
            self.tally.blame(f"puzzle {seed}, {state}: the line has not as many moves as plies")

    def check(self, connection):
        seed, puzzle = self.pick()
        solved = connection.call("solve", puzzle=puzzle)["id"]
        try:
            if not connection.call("verify", id=solved)["correct"]:
                self.tally.blame(f"puzzle {seed}: its table is wrong")
            histograms = connection.call("stats", id=solved)["mouse_histogram"]
            self.tally.expect(("stats", seed), str(histograms))
        except Refused as refusal:  # it may have been evicted since
            if refusal.name not in ("E_UNKNOWN_ID", "E_BUSY"):
                raise

    def look(self, connection):
        connection.call(self.rng.choice(("status", "list", "hello", "ping")))


class Vandal(Actor):
    def act(self):
        misdeed = self.rng.choice((self.half, self.garbage, self.flee, self.deaf, self.crowd))
        misdeed(self.rng.choice(list(ENCODINGS.values())))
        self.tally.count(misdeed.__name__)

    def half(self, kind):
        with kind(self.soak.folder.socket) as connection:
            message = connection.encode(1, "solve", {"puzzle": random_graph(self.rng.randrange(POOL))})
            connection.send_bytes(message[: self.rng.randrange(1, len(message))])

    def garbage(self, kind):
        with kind(self.soak.folder.socket) as connection:
            try:
                connection.send_bytes(self.rng.randbytes(self.rng.randrange(1, 20000)))
            except (BrokenPipeError, ConnectionResetError):
                pass

    def flee(self, kind):
        """Gone during its own solve."""
        with kind(self.soak.folder.socket) as connection:
            connection.send("solve", {"puzzle": harness.path_puzzle(self.rng.randrange(800, 1200))})

    def deaf(self, kind):
        """Asks and never reads, until the daemon takes no more; then waits a little, and is gone."""
        with kind(self.soak.folder.socket) as connection:
            connection.socket.settimeout(0.05)
            message = connection.encode(1, "hello", None) * 50
            try:
                for _ in range(1000):
                    connection.send_bytes(message)
            except (TimeoutError, BrokenPipeError, ConnectionResetError):
                pass
            self.soak.leaving.wait(self.rng.random())

    def crowd(self, kind):
        visitors = [kind(self.soak.folder.socket) for _ in range(self.rng.randrange(100))]
        time.sleep(self.rng.random() / 10)
        for visitor in visitors:
            visitor.socket.close()
