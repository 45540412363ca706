#!/usr/bin/python3
"""cmclient explain, cmclient check and examples/check.py: right proofs hold, and spoilt ones fail in both alike."""
import copy
import importlib.util
import json
import os
import random
import unittest

import harness
from harness import ROOT, FolderTest

SPOILT = 300  # certificates a game; the C tests spoil tens of thousands


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
    """Who wins each state, and in how many plies, by plain iteration to a fixpoint over all states."""
    game = CHECK.Game(puzzle)
    nodes = range(len(game.moves["cat"]))
    states = [(m, c, t) for m in nodes for c in nodes for t in CHECK.PLAYERS
              if m not in game.barred["mouse"] and c not in game.barred["cat"]]
    value = {state: (game.winner(*state), 0) for state in states if game.winner(*state)}
    plies, changed = 0, True
    while changed:
        plies, fresh = plies + 1, {}
        for mouse, cat, turn in states:
            if (mouse, cat, turn) in value:
                continue
            after = [value.get((to, cat, "cat") if turn == "mouse" else (mouse, to, "mouse"))
                     for to in game.moves[turn][mouse if turn == "mouse" else cat]]
            if any(known and known[0] == turn for known in after):
                fresh[mouse, cat, turn] = turn, plies
            elif after and all(known and known[0] != turn for known in after):
                fresh[mouse, cat, turn] = after[0][0], plies
        changed = bool(fresh)
        value.update(fresh)
    return game, value


def is_true(puzzle, claim):
    """Whether or not it is proved. A win may take fewer plies than are claimed."""
    game, value = oracle(puzzle)
    state = tuple(claim["state"][key] for key in ("mouse", "cat", "turn"))
    winner, plies = value.get(state, (None, None))
    limit = claim["limit"] or CHECK.EVER
    if claim["plies"] is not None:
        return claim["outcome"] == winner and plies <= claim["plies"] <= limit
    in_time = winner is not None and plies <= limit
    return claim["outcome"] == game.endless and (not in_time or winner == game.endless)


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


class Proofs(FolderTest):
    def run_client(self, *arguments, status=0, **options):
        done = self.folder.client(*arguments, **options)
        self.assertEqual(status, done.returncode, done.stderr + done.stdout)
        return done

    def file(self, name, value):
        path = self.folder.path / name
        path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
        return path

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
            game, _ = oracle(puzzle)
            file = self.file("random.json", puzzle)
            nodes = len(game.moves["cat"])
            state = None
            while state is None:
                state = chance.randrange(nodes), chance.randrange(nodes), chance.choice(CHECK.PLAYERS)
                if state[0] in game.barred["mouse"] or state[1] in game.barred["cat"]:
                    state = None
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
        self.assertEqual((1, "The proof fails: this is no certificate\n"), (done.returncode, done.stderr))

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
        self.assertIn("needs a FILE", self.run_client("explain", status=2).stderr)
        said = self.run_client("explain", "--state", "9,2,0", file, status=1).stderr
        self.assertEqual("E_BAD_STATE: state.mouse is 9, but the nodes are 0..5\n", said)
        said = self.run_client("explain", self.file("bad.json", {"graph": [[1], [], []]}), status=1).stderr
        self.assertTrue(said.startswith("E_BAD_PUZZLE: "), said)
        said = self.run_client("explain", "--state", "0:1,1:1,0", file, status=1).stderr
        self.assertEqual("E_BAD_STATE: state.mouse is a row and a column, but the puzzle is a graph\n", said)

    def test_a_proof_that_is_too_large(self):
        file = self.file("path.json", harness.path_puzzle(3000))
        state = ["--state", "1500,2,mouse"]
        for more in ([], ["--json"]):
            said = self.run_client("explain", *state, *more, file, status=1).stderr
            self.assertEqual("E_LIMIT: the proof is too large, of more than 50000 states; ask for --depth N to see "
                             "its beginning\n", said)
        said = self.run_client("explain", *state, "--depth", 2, file).stdout
        self.assertIn("the beginning of a proof", said)

    def test_a_search_that_is_bounded(self):
        """The first case that needs more than 2n plies says what a search of so many would say."""
        long = next(puzzle for puzzle, outcome, plies in harness.cases()
                    if "graph" in puzzle and outcome != "draw" and plies > 2 * len(puzzle["graph"]))
        nodes = len(long["graph"])
        said = self.run_client("explain", self.file("long.json", long)).stdout
        self.assertIn(f"\nA search of 2n = {2 * nodes} plies would call this a draw.\n", said)


if __name__ == "__main__":
    harness.main()
