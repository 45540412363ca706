#!/usr/bin/python3
"""cmclient explain, cmclient check and examples/check.py: right proofs hold, and spoilt ones fail in both alike."""
import copy
import importlib.util
import json
import os
import random
import unittest

import harness
from harness import ROOT, DaemonTest, FolderTest
from wire import ENCODINGS, MsgpackConnection, Refused

SPOILT = 200 if harness.sanitized() else 1000  # certificates a game; the C tests spoil tens of thousands


def load_check():
    spec = importlib.util.spec_from_file_location("check", ROOT / "examples/check.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHECK = load_check()


def python_accepts(puzzle, certificate):
    try:
        CHECK.check(puzzle, certificate)
        return True
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return False


def oracle(puzzle):
    """Who wins each state, and in how many plies, by plain iteration to a fixpoint over all states; and the rest."""
    moves, home, endless = CHECK.rules(puzzle)
    states = {(m, c, t) for m in moves["mouse"] for c in moves["cat"] for t in moves}
    value = {state: (winner, 0) for state in states if (winner := CHECK.winner(moves, home, *state))}
    plies, changed = 0, True
    while changed:
        plies, fresh = plies + 1, {}
        for mouse, cat, turn in states - value.keys():
            after = [value.get((to, cat, "cat") if turn == "mouse" else (mouse, to, "mouse"))
                     for to in moves[turn][mouse if turn == "mouse" else cat]]
            if any(known and known[0] == turn for known in after):
                fresh[mouse, cat, turn] = turn, plies
            elif after and all(known and known[0] != turn for known in after):
                fresh[mouse, cat, turn] = after[0][0], plies
        changed = bool(fresh)
        value.update(fresh)
    return sorted(states), value, endless


def is_true(puzzle, claim):
    """Whether or not it is proved. A win may take fewer plies than are claimed."""
    _, value, endless = oracle(puzzle)
    state = tuple(claim["state"][key] for key in ("mouse", "cat", "turn"))
    winner, plies = value.get(state, (None, None))
    limit = claim["limit"] or CHECK.EVER
    if claim["plies"] is not None:
        return claim["outcome"] == winner and plies <= claim["plies"] <= limit
    in_time = winner is not None and plies <= limit
    return claim["outcome"] == endless and (not in_time or winner == endless)


def random_graph(chance):
    nodes = chance.randint(3, 7)
    edges = {(a, b) for a in range(nodes) for b in range(a) if chance.random() < 0.45}
    return {"graph": [[b for b in range(nodes) if (a, b) in edges or (b, a) in edges] for a in range(nodes)]}


def random_grid(chance):
    rows, cols = chance.randint(2, 3), chance.randint(2, 4)
    cells = [chance.choice("...#") for _ in range(rows * cols)]
    for mark, at in zip("MCF", chance.sample(range(rows * cols), 3)):
        cells[at] = mark
    return {"grid": ["".join(cells[row * cols:(row + 1) * cols]) for row in range(rows)],
            "catJump": chance.randint(1, 3), "mouseJump": chance.randint(1, 3)}


def places(value, path=()):
    """Every place in a JSON value, the whole excepted."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield path + (key,)
        yield from places(inner, path + (key,))


def spoil(chance, certificate):
    """Changes, drops or doubles something, mostly a small thing in a strategy."""
    spoilt = copy.deepcopy(certificate)
    every = list(places(spoilt))
    states = [path for path in every if path[0] == "strategies" and len(path) >= 4]
    *path, key = chance.choice(states if states and chance.random() < 0.7 else every)
    holder = spoilt
    for step in path:
        holder = holder[step]
    value = holder[key]
    kind = chance.randrange(6)
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, list):
        holder.insert(chance.randrange(len(holder) + 1), copy.deepcopy(value))
    elif kind == 2:
        holder[key] = None
    elif kind == 3 and isinstance(value, int):
        holder[key] = chance.choice([-1, 2**32 - 1, 2**32, 10**30, "x", [], {}])
    elif isinstance(value, int):
        holder[key] = max(0, value + chance.choice([-2, -1, 1, 2]))
    elif isinstance(value, str):
        holder[key] = chance.choice(["mouse", "cat", "draw", "win", "hold", ""])
    else:
        holder[key] = chance.randrange(8)
    return spoilt


class Wire(DaemonTest):
    def connect(self):
        connection = MsgpackConnection(self.folder.socket)
        self.addCleanup(connection.socket.close)
        return connection

    def test_every_case_in_every_encoding(self):
        for connect in ENCODINGS.values():
            connection = connect(self.folder.socket)
            self.addCleanup(connection.socket.close)
            for puzzle, outcome, plies in harness.cases():
                start = connection.call("solve", puzzle=puzzle)["start"]["state"]
                answer = connection.call("explain", state=start)
                self.assertTrue(answer["whole"])
                claim = answer["certificate"]["claim"]
                self.assertEqual((start, outcome, plies), (claim["state"], claim["outcome"], claim["plies"]))
                CHECK.check(puzzle, answer["certificate"])

    def test_the_limit_of_plies(self):
        connection = self.connect()
        for limit in range(8):
            certificate = connection.call("explain", puzzle=harness.SMALL, limit=limit,
                                          state={"mouse": 3, "cat": 4, "turn": 0})["certificate"]
            self.assertEqual("draw" if limit in (1, 2) else "mouse", certificate["claim"]["outcome"])
            CHECK.check(harness.SMALL, certificate)

    def test_a_proof_that_is_too_large(self):
        connection = self.connect()
        state = {"mouse": 1500, "cat": 2, "turn": "mouse"}
        puzzle = harness.path_puzzle(3000)
        with self.assertRaisesRegex(Refused, "E_LONG_PROOF.*depth"):
            connection.call("explain", puzzle=puzzle, state=state)
        answer = connection.call("explain", puzzle=puzzle, state=state, depth=5)
        self.assertFalse(answer["whole"])
        states = answer["certificate"]["strategies"][0]["states"]
        self.assertEqual([1500, 2, "mouse"], states[0][:3])
        self.assertLess(len(states), 64)

    def test_a_puzzle_that_is_too_large(self):
        nodes = 1002
        puzzle = {"graph": [[other for other in range(nodes) if other != node] for node in range(nodes)]}
        connection = self.connect()
        with self.assertRaisesRegex(Refused, "E_LONG_PROOF.*1003002 edges"):
            connection.call("explain", puzzle=puzzle, state={"mouse": 1, "cat": 2, "turn": "mouse"})


class ClientTest(FolderTest):
    def run_client(self, *arguments, status=0, **options):
        done = self.folder.client(*arguments, **options)
        self.assertEqual(status, done.returncode, done.stderr + done.stdout)
        return done

    def file(self, name, value):
        path = self.folder.path / name
        path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
        return path


class WithoutFile(ClientTest):
    """Of a puzzle that only the daemon knows, what is said is what would be said of the file."""

    def setUp(self):
        super().setUp()
        self.addCleanup(self.folder.client, "stop")

    def check(self, puzzle, *which):
        file = self.file("puzzle.json", puzzle)
        solved = json.loads(self.run_client("solve", "--json", file).stdout)
        self.same_answers(file, *which)
        self.same_answers(file, "--id", solved["id"][:8], "--state", self.start(solved))
        self.run_client("stop")
        self.same_answers(file, *which)

    @staticmethod
    def start(solved):
        return "{mouse},{cat},{turn}".format(**solved["start"]["state"])

    def same_answers(self, file, *which):
        """They differ in the line that names the puzzle, and in how to check."""
        state = which[which.index("--state"):] if "--state" in which else []
        for command in (["explain", "--all"], ["draw"]):
            of_file = self.run_client(*command, *state, file).stdout
            asked = self.run_client(*command, *which).stdout
            if "--id" not in which:
                named, asked = asked.split("\n", 1)
                self.assertRegex(named, "^puzzle [0-9a-f]{6}, gr.* nodes, solved ")
            self.assertEqual(of_file.split("check it:")[0], asked.split("check it:")[0])
        certificate = self.run_client("explain", "--json", *which).stdout
        self.run_client("check", file, stdin=certificate)

    def test_a_graph(self):
        self.check(harness.SMALL)

    def test_a_grid(self):
        self.check({"grid": ["####F", "#C...", "M...."], "catJump": 1, "mouseJump": 2})

    def test_a_grid_that_was_solved_from_elsewhere(self):
        """The id is the same wherever the players start; the last puzzle has its own start."""
        self.run_client("solve", self.file("other.json", {
            "grid": ["####F", "#...M", "....C"], "catJump": 1, "mouseJump": 2}))
        self.check({"grid": ["####F", "#C...", "M...."], "catJump": 1, "mouseJump": 2})

    def test_a_proof_that_is_too_large(self):
        self.run_client("solve", self.file("path.json", harness.path_puzzle(3000)))
        state = ["--state", "1500,2,mouse"]
        self.assertIn("E_LONG_PROOF", self.run_client("explain", *state, status=1).stderr)
        said = self.run_client("explain", *state, "--depth", 2).stdout
        self.assertIn("the beginning of a proof", said)
        said = self.run_client("explain", *state, "--depth", 2, "--json", status=1).stdout
        self.assertEqual("E_LONG_PROOF", json.loads(said)["error"]["name"])


class Proofs(ClientTest):
    def certificate(self, puzzle, *arguments):
        return json.loads(self.run_client("explain", "--json", *arguments, puzzle).stdout)

    def both_accept(self, puzzle, puzzle_file, certificate):
        """They must agree."""
        done = self.folder.client("check", puzzle_file, stdin=json.dumps(certificate))
        self.assertIn(done.returncode, (0, 1), done.stderr)
        if done.returncode:
            self.assertTrue(done.stderr.startswith("The proof fails: "), done.stderr)
        accepted = python_accepts(puzzle, certificate)
        self.assertEqual(accepted, done.returncode == 0, (done.stderr, puzzle, certificate))
        return accepted

    def test_every_case(self):
        for puzzle, outcome, plies in harness.cases():
            file = self.file("case.json", puzzle)
            certificate = self.certificate(file)
            claim = certificate["claim"]
            self.assertEqual((outcome, plies), (claim["outcome"], claim["plies"]))
            self.assertTrue(self.both_accept(puzzle, file, certificate))
            if isinstance(plies, int):
                claim["plies"] -= 1
                self.assertFalse(self.both_accept(puzzle, file, certificate))

    def check_random(self, make, spoilt_count):
        seed = int(os.environ.get("CATMOUSE_SEED", "24931"))
        print(f"# seed {seed}")
        chance = random.Random(seed)
        refused = 0
        for _ in range(spoilt_count // 5):
            puzzle = make(chance)
            states, _, _ = oracle(puzzle)
            file = self.file("random.json", puzzle)
            state = chance.choice(states)
            limit = chance.choice([[], [], ["--limit", chance.randint(1, 6)]])
            certificate = self.certificate(file, "--state", ",".join(map(str, state)), *limit)
            self.assertTrue(is_true(puzzle, certificate["claim"]))
            self.assertTrue(self.both_accept(puzzle, file, certificate))
            for _ in range(5):
                spoilt = spoil(chance, certificate)
                if self.both_accept(puzzle, file, spoilt):
                    self.assertTrue(is_true(puzzle, spoilt["claim"]), (puzzle, spoilt))
                else:
                    refused += 1
        self.assertGreater(refused, spoilt_count // 2)

    def test_spoilt_graphs(self):
        self.check_random(random_graph, SPOILT)

    def test_spoilt_grids(self):
        self.check_random(random_grid, SPOILT)

    def test_another_puzzle(self):
        file = self.file("small.json", harness.SMALL)
        other = self.file("other.json", harness.path_puzzle(6))
        certificate = self.certificate(file)
        self.assertFalse(self.both_accept(harness.path_puzzle(6), other, certificate))
        shuffled = {"graph": [near[::-1] for near in harness.SMALL["graph"]]}
        self.assertTrue(self.both_accept(shuffled, self.file("shuffled.json", shuffled), certificate))

    def test_the_script(self):
        """As its head says, from files and from standard input."""
        file = self.file("small.json", harness.SMALL)
        certificate = self.file("certificate.json", self.run_client("explain", "--json", file).stdout)
        run = harness.subprocess.run
        done = run([ROOT / "examples/check.py", file, certificate], capture_output=True, text=True, check=True)
        self.assertEqual("The proof holds: draw, without a forced end\n", done.stdout)
        with open(certificate, encoding="utf-8") as stdin:
            run([ROOT / "examples/check.py", file], stdin=stdin, capture_output=True, check=True)
        done = run([ROOT / "examples/check.py", file, file], capture_output=True, text=True, check=False)
        self.assertEqual((1, "The proof fails: there is no object of version puzzle claim strategies\n"), (done.returncode, done.stderr))

    def test_the_last_line_can_be_pasted(self):
        """Into a shell, whatever the file is called."""
        for name in ("small.json", "my small puzzle.json", "it's $HOME.json"):
            file = self.file(name, harness.SMALL)
            said = self.run_client("explain", file).stdout
            line = said.splitlines()[-1].partition("check it: ")[2].replace("cmclient", harness.CMCLIENT)
            done = harness.subprocess.run(["sh", "-c", line], capture_output=True, text=True, env=self.folder.env, check=False)
            self.assertEqual("Nobody wins from 1,2,mouse: 20 states hold.\n", done.stdout, done.stderr)

    def test_what_cannot_be_checked(self):
        file = self.file("small.json", harness.SMALL)
        for text, said in (("", "cmclient: standard input is empty\n"),
                           ("[1", "cmclient: standard input: ")):
            self.assertTrue(self.run_client("check", file, stdin=text, status=2).stderr.startswith(said))
        said = self.run_client("check", "-", status=2).stderr
        self.assertIn("standard input is one", said)
        said = self.run_client("check", file, stdin="{}", status=1).stderr
        self.assertEqual("The proof fails: the certificate has no version.\n", said)

    def test_explaining_what_cannot_be(self):
        file = self.file("small.json", harness.SMALL)
        said = self.run_client("explain", "--state", "9,2,0", file, status=1).stderr
        self.assertEqual("E_BAD_STATE: state.mouse is 9, but the nodes are 0..5\n", said)
        said = self.run_client("explain", self.file("bad.json", {"graph": [[1], [], []]}), status=1).stderr
        self.assertTrue(said.startswith("E_BAD_PUZZLE: "), said)
        said = self.run_client("explain", "--state", "0:1,1:1,0", file, status=1).stderr
        self.assertEqual("E_BAD_STATE: state.mouse is a row and a column, but the puzzle is a graph\n", said)

    def test_a_proof_that_is_too_large(self):
        file = self.file("path.json", harness.path_puzzle(3000))
        state = ["--state", "1500,2,mouse"]
        said = self.run_client("explain", *state, file, status=1).stderr
        self.assertRegex(said, "E_LONG_PROOF: the proof is too large.*--depth")
        error = json.loads(self.run_client("explain", *state, "--json", file, status=1).stdout)["error"]
        self.assertEqual("E_LONG_PROOF", error["name"])
        said = self.run_client("explain", *state, "--depth", 2, file).stdout
        self.assertIn("the beginning of a proof", said)

    def test_a_limit_of_plies(self):
        """The verdict says so where it holds within the limit alone."""
        graph = self.file("small.json", harness.SMALL)
        grid = self.file("grid.json", {"grid": ["####F", "#C...", "M...."], "catJump": 1, "mouseJump": 2})
        for file, limit, said in ((graph, 0, "Nobody can force a win: a draw.\n"), (graph, 1, "Within 1 ply: a draw.\n"),
                                  (grid, 4, "Within 4 plies: the cat wins, as nobody forces the end.\n"),
                                  (grid, 5, "The mouse wins in 5 plies: ")):
            self.assertTrue(self.run_client("explain", "--limit", limit, file).stdout.startswith(said), said)

    def test_a_search_that_is_bounded(self):
        """The first case that needs more than 2n plies says what a search of so many would say."""
        long = next(puzzle for puzzle, outcome, plies in harness.cases()
                    if "graph" in puzzle and outcome != "draw" and plies > 2 * len(puzzle["graph"]))
        nodes = len(long["graph"])
        said = self.run_client("explain", self.file("long.json", long)).stdout
        self.assertIn(f"\nA search of 2n = {2 * nodes} plies would call this a draw.\n", said)


if __name__ == "__main__":
    harness.main()
