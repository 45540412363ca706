#!/usr/bin/python3
"""Checks a proof of catmouse by the rules of the game alone, with nothing but Python's library.

    cmclient explain --json puzzles/graph.json | ./check.py puzzles/graph.json

A certificate claims who wins from a state, and holds the strategies that show it: [mouse, cat, turn, move,
plies] for each state that can arise while one player follows its strategy, whatever the other does. The heart
is check_strategy(); the rest are the rules, and what a certificate looks like.
"""
import json
import sys

EVER = float("inf")  # more plies than any number
PLAYERS = "mouse", "cat"
KEYS = {
    "certificate": {"version", "puzzle", "claim", "strategies"},
    "claim": {"state", "outcome", "plies", "limit"},
    "state": {"mouse", "cat", "turn"},
    "strategy": {"player", "goal", "states"},
    "graph": {"graph"},
    "grid": {"grid", "catJump", "mouseJump"},
}


def need(condition, *words):
    if not condition:
        raise ValueError(" ".join(map(str, words)))


def number(value):
    """Of plies, or of a node; null is none of either."""
    need(value is None or type(value) is int and 0 <= value < 2**32 - 1, value, "is no number")
    return EVER if value is None else value


class Game:
    """Where each player can go from each node, cannot stand, and wins."""

    def __init__(self, puzzle):
        puzzle = {"graph": puzzle} if isinstance(puzzle, list) else puzzle
        kind = "graph" if "graph" in puzzle else "grid"
        need(set(puzzle) == KEYS[kind], "the puzzle is neither graph nor grid")
        (self.read_graph if kind == "graph" else self.read_grid)(puzzle)

    def read_graph(self, puzzle):
        near = [sorted(neighbours) for neighbours in puzzle["graph"]]
        self.moves = {"mouse": near, "cat": [[to for to in neighbours if to != 0] for neighbours in near]}
        self.barred = {"mouse": set(), "cat": {0}}
        self.home = {"mouse": {0}, "cat": set()}
        self.endless = "draw"

    def read_grid(self, puzzle):
        cells, cols = "".join(puzzle["grid"]), len(puzzle["grid"][0])
        need({len(row) for row in puzzle["grid"]} == {cols} and sorted(set(cells) - set(".#")) == list("CFM")
             and all(cells.count(mark) == 1 for mark in "CFM"), "the grid is none")
        self.moves = {player: [self.jumps(cells, cols, node, number(puzzle[player + "Jump"]))
                               for node in range(len(cells))] for player in PLAYERS}
        self.barred = {player: {node for node, cell in enumerate(cells) if cell == "#"} for player in PLAYERS}
        self.home = {player: {cells.index("F")} for player in PLAYERS}
        self.endless = "cat"

    @staticmethod
    def jumps(cells, cols, node, farthest):
        """Staying, and up to so many cells in each direction, not through a wall."""
        need(0 < farthest < 2**31, "a jump is", farthest)
        found = [] if cells[node] == "#" else [node]
        for down, right in ((1, 0), (-1, 0), (0, 1), (0, -1)) if found else ():
            row, col = node // cols + down, node % cols + right
            while (0 <= row < len(cells) // cols and 0 <= col < cols and cells[row * cols + col] != "#"
                   and abs(row - node // cols) + abs(col - node % cols) <= farthest):
                found.append(row * cols + col)
                row, col = row + down, col + right
        return sorted(found)

    def check_state(self, mouse, cat, turn):
        need(turn in PLAYERS and max(number(mouse), number(cat)) < len(self.moves["cat"])
             and mouse not in self.barred["mouse"] and cat not in self.barred["cat"],
             "there is no state", (mouse, cat, turn))

    def winner(self, mouse, cat, turn):
        if mouse == cat or cat in self.home["cat"]:
            return "cat"
        return "mouse" if mouse in self.home["mouse"] else None


def check_strategy(game, player, goal, states):
    """A win's plies fall with every move; what holds loses one ply a move at most. Neither is ever lost."""
    plies_of = {}
    for *state, _, plies in states:
        game.check_state(*state)
        need(not game.winner(*state), state, "is over")
        need(tuple(state) not in plies_of, state, "comes twice")
        plies_of[tuple(state)] = plies
    for mouse, cat, turn, move, plies in states:
        state = mouse, cat, turn
        options = game.moves[turn][mouse if turn == "mouse" else cat]
        need(options or goal == "hold", state, "has no move, so the game stops there")
        if turn == player and options:
            need(move in options, state, "has no legal move: ", move)
            options = [move]
        else:
            need(move == EVER, state, "has a move, but none to choose")
        for to in options if goal == "win" or plies > 0 else ():
            after = (to, cat, "cat") if turn == "mouse" else (mouse, to, "mouse")
            winner = game.winner(*after)
            need(winner in (None, player), state, "is lost by the move to", to)
            if winner or goal == "hold" and plies == 1:
                need(plies > 0, state, "is not over, but has no plies left")
                continue
            need(after in plies_of, state, "moves to", after, "which is not in the proof")
            fair = plies_of[after] < plies if goal == "win" else plies_of[after] >= plies - 1
            need(fair, state, "moves to", after, "where the plies are wrong")
    return plies_of


def read_strategies(certificate):
    strategies = {}
    need(len(certificate["strategies"]) <= 2, "there are more than two strategies")
    for strategy in certificate["strategies"]:
        player, goal = strategy["player"], strategy["goal"]
        need(set(strategy) == KEYS["strategy"] and player in PLAYERS and goal in ("win", "hold"), "strategies are none")
        states = [(mouse, cat, turn, number(move), number(plies)) for mouse, cat, turn, move, plies in strategy["states"]]
        need(all(turn in PLAYERS and None not in (mouse, cat) and max(number(mouse), number(cat)) < EVER
                 for mouse, cat, turn, _, _ in states), "a state is none")
        strategies.setdefault((player, goal), states)
    return strategies


def check(puzzle, certificate):
    """The claim in words. ValueError where it is not proved."""
    need(set(certificate) == KEYS["certificate"], "this is no certificate")
    need(number(certificate["version"]) == 1, "the certificate is not of version 1")
    game, claim = Game(puzzle), certificate["claim"]
    need(vars(game) == vars(Game(certificate["puzzle"])), "the certificate is about another puzzle")
    need(set(claim) == KEYS["claim"] and set(claim["state"]) == KEYS["state"], "the claim is none")
    state = tuple(claim["state"][key] for key in ("mouse", "cat", "turn"))
    outcome, plies, limit = claim["outcome"], number(claim["plies"]), number(claim["limit"])
    strategies, winner = read_strategies(certificate), None
    need(outcome in ("mouse", "cat", "draw") and limit > 0, "the claim is none")
    game.check_state(*state)
    winner = game.winner(*state)
    if winner:
        need((outcome, plies) == (winner, 0), state, "is over: the", winner, "has won")
    elif plies < EVER:
        need(outcome in PLAYERS and plies <= limit, "the claim is no win within its limit")
        need((outcome, "win") in strategies, "the", outcome, "has no strategy that wins")
        proved = check_strategy(game, outcome, "win", strategies[outcome, "win"])
        need(proved.get(state, EVER) <= plies, state, "is not proved to be won in", plies, "plies")
    else:
        need(outcome == game.endless, "an endless game counts as", game.endless)
        for player in PLAYERS if outcome == "draw" else [outcome]:
            need((player, "hold") in strategies, "the", player, "has no strategy that holds")
            proved = check_strategy(game, player, "hold", strategies[player, "hold"])
            need(proved.get(state, -1) >= limit, state, "is not proved to be held for long enough")
    return outcome + (f", in at most {plies} plies" if plies < EVER else ", without a forced end")


def main(puzzle, certificate="/dev/stdin"):
    with open(puzzle, encoding="utf-8") as puzzle_file, open(certificate, encoding="utf-8") as file:
        try:
            print("The proof holds:", check(json.load(puzzle_file), json.load(file)))
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            sys.exit(f"The proof fails: {error}")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: check.py PUZZLE.json [CERTIFICATE.json]")
    main(*sys.argv[1:])
