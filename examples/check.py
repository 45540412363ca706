#!/usr/bin/python3
"""Checks a proof of catmouse by the rules of the game alone, with nothing but Python's library.

    cmclient explain --json puzzles/graph.json | ./check.py puzzles/graph.json

A certificate claims who wins from a state, and holds the strategies that show it: [mouse, cat, turn, move,
plies] for each state that can arise while one player follows its strategy, whatever the other does. What makes
it a proof are the forty lines of check_strategy() and check(); above them are the rules of both games.
"""
import json
import sys

EVER = float("inf")  # more plies than any number


def need(condition, *words):
    if not condition:
        raise ValueError(" ".join(map(str, words)))


def number(value):
    """Of a node, or of plies: null is without end."""
    need(value is None or type(value) is int and 0 <= value < 2**32 - 1, value, "is no number")
    return EVER if value is None else value


def fields(value, names):
    """Of an object that has these and no more."""
    need(isinstance(value, dict) and value.keys() == set(names.split()), "there is no object of", names)
    return [value[name] for name in names.split()]


def reach(floor, cols, node, jump):
    """Staying, and up to `jump` cells straight on, as far as there is floor."""
    found = {node}
    for step in 1, -1, cols, -cols:
        to = node + step
        while to in floor and abs(to - node) <= jump * abs(step) and (abs(step) == cols or to // cols == node // cols):
            found.add(to)
            to += step
    return found


def rules(puzzle):
    """Where each player can go from each node it can be on, which one is its home, and what endless play counts as."""
    if isinstance(puzzle, list) or "graph" in puzzle:
        near = dict(enumerate(map(sorted, puzzle if isinstance(puzzle, list) else fields(puzzle, "graph")[0])))
        return {"mouse": near, "cat": {node: set(near[node]) - {0} for node in near if node}}, {"mouse": 0}, "draw"
    grid, *jumps = fields(puzzle, "grid mouseJump catJump")
    cells, cols = "".join(grid), len(grid[0])
    need({len(row) for row in grid} == {cols} and sorted(cells.replace(".", "").replace("#", "")) == list("CFM")
         and all(0 < number(jump) < 2**31 for jump in jumps), "the grid is none")
    floor, food = {node for node, cell in enumerate(cells) if cell != "#"}, cells.index("F")
    moves = [{node: reach(floor, cols, node, jump) for node in floor} for jump in jumps]
    return {"mouse": moves[0], "cat": moves[1]}, {"mouse": food, "cat": food}, "cat"


def winner(moves, home, mouse, cat, turn):
    """Who has won by now, or None."""
    need(turn in moves and mouse in moves["mouse"] and cat in moves["cat"], "there is no state", (mouse, cat, turn))
    return "cat" if cat in (mouse, home.get("cat")) else "mouse" if mouse == home["mouse"] else None


def check_strategy(moves, home, player, goal, states):
    """Plies to a win fall with every move; how long a player holds falls by one at the most."""
    won, lost, unknown = (0, EVER, EVER) if goal == "win" else (EVER, -1, 0)
    proof = {(number(mouse), number(cat), turn): number(plies) for mouse, cat, turn, _, plies in states}
    need(len(proof) == len(states), "a state comes twice")
    for mouse, cat, turn, move, plies in states:
        state, plies = (mouse, cat, turn), number(plies)
        need(not winner(moves, home, *state), state, "is over")
        options = moves[turn][mouse if turn == "mouse" else cat]
        need(options or goal == "hold", state, "has no move, so the game stops there")
        chosen = turn == player and len(options) > 0
        need(number(move) in options if chosen else move is None, state, "has the wrong move:", move)
        for to in [move] if chosen else options:
            after = (to, cat, "cat") if turn == "mouse" else (mouse, to, "mouse")
            over = winner(moves, home, *after)
            left = won if over == player else lost if over else proof.get(after, unknown)
            fair = left < plies if goal == "win" else left >= plies - 1
            need(fair, state, "moves to", after, "which is lost, not in the proof, or takes too long")
    return proof


def check(puzzle, certificate):
    """The claim in words. ValueError where it is not proved."""
    version, about, claim, strategies = fields(certificate, "version puzzle claim strategies")
    need(number(version) == 1 and len(strategies) <= 2, "the certificate is not of version 1")
    moves, home, endless = rules(puzzle)
    need((moves, home, endless) == rules(about), "the certificate is about another puzzle")
    state, outcome, plies, limit = fields(claim, "state outcome plies limit")
    state, plies, limit = tuple(fields(state, "mouse cat turn")), number(plies), number(limit)
    listed = [fields(strategy, "player goal states") for strategy in strategies]
    states_of = {(player, goal): states for player, goal, states in listed}
    over = winner(moves, home, *state)
    need(limit > 0, "no game has a limit of 0 plies")
    if over:
        need((outcome, plies) == (over, 0), state, "is over: the", over, "has won")
    elif plies < EVER:
        proof = check_strategy(moves, home, outcome, "win", states_of.get((outcome, "win"), []))
        need(proof.get(state, EVER) <= plies <= limit, state, "is not proved to be won in", plies, "plies")
    else:
        need(outcome == endless, "an endless game counts as", endless)
        for player in moves if outcome == "draw" else [outcome]:
            proof = check_strategy(moves, home, player, "hold", states_of.get((player, "hold"), []))
            need(proof.get(state, -1) >= limit, state, "is not proved to be held for long enough")
    return outcome + (f", in at most {plies} plies" if plies < EVER else ", without a forced end")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: check.py PUZZLE.json [CERTIFICATE.json]")
    texts = [open(path, encoding="utf-8").read() for path in (sys.argv + ["/dev/stdin"])[1:3]]
    try:
        print("The proof holds:", check(*map(json.loads, texts)))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        sys.exit(f"The proof fails: {error}")
