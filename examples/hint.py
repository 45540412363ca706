#!/usr/bin/python3
"""The best move of a puzzle, asked over the socket in JSON lines with nothing but Python's library.

    cmclient ping && ./hint.py puzzles/graph.json
"""
import json
import os
import socket
import sys


def socket_path():
    if os.environ.get("CATMOUSE_SOCKET"):
        return os.environ["CATMOUSE_SOCKET"]
    if os.environ.get("XDG_RUNTIME_DIR"):
        return os.environ["XDG_RUNTIME_DIR"] + "/catmouse/daemon.sock"
    return f"/tmp/catmouse-{os.getuid()}/daemon.sock"


def call(stream, method, **params):
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    stream.write(json.dumps(request) + "\n")
    stream.flush()
    answer = json.loads(stream.readline())
    if "error" in answer:
        sys.exit(f"{answer['error']['data']['name']}: {answer['error']['message']}")
    return answer["result"]


def main(path):
    with open(path, encoding="utf-8") as file:
        puzzle = json.load(file)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(socket_path())
        stream = connection.makefile("rw", encoding="utf-8")
        start = call(stream, "solve", puzzle=puzzle)["start"]
        hint = call(stream, "query", state=start["state"])
    plies = "" if hint["plies"] is None else f" in {hint['plies']} plies"
    move = "has no move" if hint["best"] is None else f"should go to {hint['best']}"
    print(f"{hint['outcome']}{plies}; the {hint['state']['turn']} {move}")


if len(sys.argv) != 2:
    sys.exit("usage: hint.py PUZZLE.json")
main(sys.argv[1])
