#!/usr/bin/python3
"""What bad input gets: a clear error on a connection that lives on, or E_PARSE and a closed one; and
nobody else is disturbed, no table lost."""
import json

import msgpack

import harness
from harness import SMALL, SMALL_START, DaemonTest
from wire import ENCODINGS, JsonConnection, MsgpackConnection, Refused

GRID = {"grid": ["M.F", "#.C"], "catJump": 1, "mouseJump": 1}


def graph(lists):
    return {"graph": lists}


def grid(rows, cat=1, mouse=1):
    return {"grid": rows, "catJump": cat, "mouseJump": mouse}


def nested(depth):
    value = 1
    for _ in range(depth):
        value = [value]
    return value


# (puzzle, what the message must say)
BAD_PUZZLES = [
    (graph([]), "node"),
    (graph([[1], [0]]), "node"),
    (graph([[1, 2], [0], [0, 9]]), "graph[2]"),
    (graph([[1, 2], [0], [0, -1]]), "-1"),
    (graph([[1, 2], [0], []]), "graph[0]"),
    (graph([[0, 1], [0, 2], [1]]), "graph[0]"),
    (graph([[1, 1, 2], [0], [0]]), "graph[0]"),
    (graph([[1, 2], [0], [0, 2147483648]]), "graph[2]"),
    (graph([[1, 2], [0], [0, 0.5]]), "graph[2]"),
    (graph([[1, 2], [0], [0, "1"]]), "graph[2]"),
    (graph([[1, 2], [0], [0, None]]), "graph[2]"),
    (graph([[1, 2], 7, [0]]), "graph[1]"),
    (graph("no list"), "graph"),
    (graph({"0": [1]}), "graph"),
    ({}, ""),
    ({"graph": SMALL["graph"], "grid": ["MCF"]}, ""),
    ({**SMALL, "colour": "grey"}, "colour"),
    ({**SMALL, "catJump": 1}, "catJump"),
    (grid([]), ""),
    (grid([""]), ""),
    (grid(["MC."]), "F"),
    (grid(["M.F"]), "C"),
    (grid(["C.F"]), "M"),
    (grid(["MCFM"]), "M"),
    (grid(["MCF", "C.."]), "C"),
    (grid(["MCF", ".F."]), "F"),
    (grid(["MCF", ".."]), "1"),
    (grid(["MCF", ".x."]), "x"),
    (grid(["MCF"], cat=0), "catJump"),
    (grid(["MCF"], mouse=-3), "mouseJump"),
    (grid(["MCF"], mouse="2"), "mouseJump"),
    (grid(["MCF", 5]), "grid[1]"),
    ({"grid": ["MCF"], "catJump": 1}, "mouseJump"),
]

# (state, of which puzzle)
BAD_STATES = [
    ({"mouse": 6, "cat": 2, "turn": "mouse"}, SMALL),
    ({"mouse": 1, "cat": 4294967296, "turn": "mouse"}, SMALL),
    ({"mouse": -1, "cat": 2, "turn": "mouse"}, SMALL),
    ({"mouse": 1, "cat": 0, "turn": "cat"}, SMALL),
    ({"mouse": 1, "cat": 2, "turn": "dog"}, SMALL),
    ({"mouse": 1, "cat": 2, "turn": 2}, SMALL),
    ({"mouse": 3, "cat": 5, "turn": "mouse"}, GRID),
    ({"mouse": 0, "cat": 3, "turn": "mouse"}, GRID),
    ({"mouse": 0, "cat": 6, "turn": "mouse"}, GRID),
]

BAD_PARAMS = [
    ("solve", {}),
    ("solve", {"puzzle": SMALL, "colour": 1}),
    ("solve", {"puzzle": SMALL, "wait_ms": -1}),
    ("solve", {"puzzle": SMALL, "wait_ms": "soon"}),
    ("solve", {"puzzle": SMALL, "progress": 1}),
    ("query", {}),
    ("query", {"state": 5}),
    ("query", {"state": {"mouse": 1, "cat": 2}}),
    ("query", {"state": {"mouse": "1", "cat": 2, "turn": "cat"}}),
    ("query", {"state": {**SMALL_START, "dog": 1}}),
    ("query", {"state": SMALL_START, "limit": -1}),
    ("query", {"state": SMALL_START, "id": "12345"}),
    ("query", {"state": SMALL_START, "id": "no hex digits"}),
    ("query", {"state": SMALL_START, "id": 123456}),
    ("line", {"state": SMALL_START, "max": 1.5}),
    ("evict", {}),
    ("ping", {"loud": True}),
    ("cancel", {}),
]


class BadInput(DaemonTest):
    def setUp(self):
        self.witness = MsgpackConnection(self.folder.socket)
        self.addCleanup(self.witness.socket.close)
        self.solved = self.witness.call("solve", puzzle=SMALL)["id"]
        self.expected = self.witness.call("query", id=self.solved, state=SMALL_START)

    def tearDown(self):
        """Nobody was disturbed: the witness's connection and its table are as they were."""
        again = self.witness.call("query", id=self.solved, state=SMALL_START)
        self.assertEqual(self.expected, again)
        self.assertEqual("memory", self.witness.call("solve", puzzle=SMALL)["source"])

    def connect(self, kind):
        connection = kind(self.folder.socket)
        self.addCleanup(connection.socket.close)
        return connection

    def check_refused(self, connection, expected_names, method, **params):
        """The request is refused with one of the names; the connection lives on. Returns the text."""
        with self.assertRaises(Refused, msg=f"{method} {str(params)[:200]}") as refused:
            connection.call(method, **params)
        self.assertIn(refused.exception.name, expected_names, str(refused.exception))
        self.assertEqual("pong", connection.call("ping"))
        return refused.exception.text

    def check_closed(self, connection, data, names=("E_PARSE",)):
        """The bytes get an error, then the end."""
        connection.send_bytes(data)
        connection.keep(connection.receive())
        ((_, error),) = connection.waiting.values()
        self.assertIn(error.name, names, str(error))
        self.assertTrue(connection.closed())

    def test_bad_puzzles_are_told_where(self):
        for name, kind in ENCODINGS.items():
            connection = self.connect(kind)
            for puzzle, place in BAD_PUZZLES:
                text = self.check_refused(connection, ["E_BAD_PUZZLE"], "solve", puzzle=puzzle)
                self.assertIn(place, text, f"{name}: {puzzle}")

    def test_puzzle_that_is_no_map(self):
        for kind in ENCODINGS.values():
            connection = self.connect(kind)
            for puzzle in (None, 5, "MCF", True):
                self.check_refused(connection, ["E_BAD_PUZZLE", "E_PARAMS"], "solve", puzzle=puzzle)

    def test_bad_states(self):
        for kind in ENCODINGS.values():
            connection = self.connect(kind)
            for state, puzzle in BAD_STATES:
                self.check_refused(
                    connection, ["E_BAD_STATE", "E_PARAMS"], "query", state=state, puzzle=puzzle
                )

    def test_bad_params(self):
        for kind in ENCODINGS.values():
            connection = self.connect(kind)
            for method, params in BAD_PARAMS:
                names = ["E_PARAMS", "E_BAD_STATE", "E_UNKNOWN_ID"]
                self.check_refused(connection, names, method, **params)

    def test_unknown_method_and_unknown_id(self):
        for kind in ENCODINGS.values():
            connection = self.connect(kind)
            text = self.check_refused(connection, ["E_METHOD"], "slove")
            self.assertIn("slove", text)
            names = ["E_UNKNOWN_ID"]
            self.check_refused(connection, names, "query", state=SMALL_START, id="0" * 64)

    def test_depth_1000(self):
        for kind in ENCODINGS.values():
            connection = self.connect(kind)
            names = ["E_LIMIT", "E_BAD_PUZZLE"]  # only JSON has a limit on depth
            self.check_refused(connection, names, "solve", puzzle={"graph": nested(400)})
        connection = self.connect(JsonConnection)
        connection.send_bytes(b'{"a":' * 1000 + b"\n")
        connection.keep(connection.receive())
        self.assertEqual("pong", connection.call("ping"))

    def test_million_nodes_are_refused_with_the_bytes(self):
        puzzle = harness.path_puzzle(1_000_000)
        for kind in (MsgpackConnection, JsonConnection):
            connection = self.connect(kind)
            text = self.check_refused(connection, ["E_TOO_LARGE"], "solve", puzzle=puzzle)
            self.assertRegex(text, r"\d TB to solve, but --memory-max allows \d")

    def test_line_of_100_megabytes(self):
        connection = self.connect(JsonConnection)
        start = b'{"jsonrpc": "2.0", "id": 1, "method": "solve", "params": {"puzzle": "'
        connection.send_bytes(start)
        for _ in range(100):
            connection.send_bytes(b"x" * 1_000_000)
        connection.send_bytes(b'"}}\n')
        with self.assertRaises(Refused) as refused:
            connection.answer(1)
        self.assertEqual("E_LIMIT", refused.exception.name)
        self.assertEqual("pong", connection.call("ping"))

    def test_batches(self):
        """Wherever a batch stands, it is refused, and the connection lives on."""
        ping = b'{"jsonrpc": "2.0", "id": 7, "method": "ping"}'
        batch = b"[" + ping + b"]"
        for kind in (JsonConnection, ENCODINGS["content-length"]):
            connection = self.connect(kind)
            framed = [b"Content-Length: %d\r\n\r\n%s" % (len(text), text) for text in (batch, ping)]
            lines = [b"\n" + batch + b"\n", ping + b"\n"]
            connection.send_bytes(b"".join(lines if kind is JsonConnection else framed))
            connection.keep(connection.receive())
            _, (_, error) = connection.waiting.popitem()
            self.assertEqual("E_REQUEST", error.name)
            self.assertIn("batches are not supported", error.text)
            self.assertEqual("pong", connection.answer(7))

    def test_content_length_of_100_megabytes(self):
        connection = self.connect(ENCODINGS["content-length"])
        connection.send_bytes(b"Content-Length: 100000000\r\n\r\n")
        for _ in range(100):
            connection.send_bytes(b"x" * 1_000_000)
        connection.keep(connection.receive())
        ((_, error),) = connection.waiting.values()
        self.assertEqual("E_LIMIT", error.name)
        self.assertEqual("pong", connection.call("ping"))

    def test_numbers_past_64_bits(self):
        big = str(2**70)
        for puzzle in (
            '{"graph": [[1, 2], [0], [0, %s]]}' % big,
            '{"grid": ["MCF"], "catJump": %s, "mouseJump": 1}' % big,
        ):
            connection = self.connect(JsonConnection)
            line = '{"jsonrpc": "2.0", "id": 1, "method": "solve", "params": {"puzzle": %s}}\n'
            connection.send_bytes((line % puzzle).encode())
            connection.keep(connection.receive())
            ((_, error),) = connection.waiting.values()
            self.assertIn(error.name, ("E_PARSE", "E_BAD_PUZZLE", "E_PARAMS"))
        packed = self.connect(MsgpackConnection)
        self.check_refused(packed, ["E_BAD_PUZZLE"], "solve", puzzle=graph([[1, 2], [0], [0, 2**64 - 1]]))

    def test_nan_and_infinity(self):
        packed = self.connect(MsgpackConnection)
        for number in (float("nan"), float("inf")):
            self.check_refused(packed, ["E_BAD_PUZZLE"], "solve", puzzle=graph([[number]]))
            line = packed.encode(1, "solve", {"puzzle": SMALL, "wait_ms": number})
            packed.send_bytes(line)
            with self.assertRaises(Refused):
                packed.answer(1)
            data = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": number})
            self.check_closed(self.connect(JsonConnection), data.encode() + b"\n")

    def test_invalid_utf8(self):
        line = b'{"jsonrpc": "2.0", "id": 1, "method": "\xff\xfe"}\n'
        self.check_closed(self.connect(JsonConnection), line)
        packed = self.connect(MsgpackConnection)
        packed.send_bytes(b"\x94\x00\x01\xa2\xff\xfe\x90")
        with self.assertRaises(Refused) as refused:
            packed.answer(1)
        self.assertIn(refused.exception.name, ("E_METHOD", "E_REQUEST"))
        rows = [b"MCF", b"\xff.\xfe"]
        self.check_refused(packed, ["E_BAD_PUZZLE"], "solve", puzzle=grid(rows))

    def test_bytes_that_are_no_message(self):
        for data in (b"{nonsense}\n", b"{]\n", b'{"a": 1 2}\n', b"{} trailing\n"):
            self.check_closed(self.connect(JsonConnection), data, ("E_PARSE", "E_REQUEST"))
        headers = b"Content-Length: %s\r\n\r\n{}"
        for length in (b"-1", b"x", b"", b"99999999999999999999999"):
            names = ("E_PARSE", "E_LIMIT")
            self.check_closed(self.connect(ENCODINGS["content-length"]), headers % length, names)
        for data in (b"GET / HTTP/1.0\r\n\r\n", b"\x00", b"\xff" * 64, b"hello\n"):
            connection = self.connect(JsonConnection)
            connection.send_bytes(data)
            try:
                while connection.receive_bytes():
                    pass
            except (EOFError, ConnectionResetError):
                pass

    def test_messages_that_are_no_request(self):
        connection = self.connect(JsonConnection)
        for line in (
            b"{}",
            b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}',
            b'{"jsonrpc": "2.0", "id": 1}',
            b'{"jsonrpc": "2.0", "id": 1, "method": 5}',
            b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}',
            b'{"jsonrpc": "2.0", "id": [], "method": "ping"}',
            b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": 7}',
        ):
            connection.send_bytes(line + b"\n")
            connection.keep(connection.receive())
            _, (_, error) = connection.waiting.popitem()
            self.assertIn(error.name, ("E_REQUEST", "E_PARAMS"), line)
        self.assertEqual("pong", connection.call("ping"))
        packed = self.connect(MsgpackConnection)
        for message in ([9, 1, "ping", []], [0, 1, 5, []], [0, 1, "ping", 5], [0, 1, "ping", [1]]):
            packed.send_bytes(msgpack.packb(message))
            packed.keep(packed.receive())
            _, (_, error) = packed.waiting.popitem()
            self.assertIn(error.name, ("E_REQUEST", "E_PARAMS"), message)
        self.assertEqual("pong", packed.call("ping"))

    def test_huge_counts_cost_nothing(self):
        for data in (
            b"\xdd\xff\x00\x00\x00",
            b"\xdc\xff\xff" * 50,
            b"\x94\x00\x01\xa5solve\x91\x81\xa6puzzle\x81\xa5graph\xdd\xff\xff\xff\xff",
            b"\x94\x00\x01\xa5solve\x91\xdf\xff\xff\xff\xff",
            b"\x94\x00\x01\xdb\xff\xff\xff\xff",
            b"\x94\x00\x01\xc6\xff\xff\xff\xff",
        ):
            connection = self.connect(MsgpackConnection)
            connection.send_bytes(data)
            connection.keep(connection.receive())
            _, (_, error) = connection.waiting.popitem()
            self.assertIn(error.name, ("E_PARSE", "E_LIMIT", "E_REQUEST"), data)
        with open(f"/proc/{self.daemon.process.pid}/status", encoding="utf-8") as status:
            resident = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
        self.assertLess(resident, 2_000_000, "kB at the highest")

    def test_truncated_messages_leave_no_descriptor(self):
        self.witness.wait_store()
        before = self.daemon.open_files()
        for kind in ENCODINGS.values():
            whole = kind(self.folder.socket)
            message = whole.encode(1, "solve", {"puzzle": SMALL})
            whole.socket.close()
            for length in range(0, len(message), 7):
                connection = kind(self.folder.socket)
                connection.send_bytes(message[:length])
                connection.socket.close()
        harness.wait_until(lambda: self.witness.call("status")["connections"] == 1, "all of them to be gone")
        self.assertEqual(before, self.daemon.open_files())

    def test_duplicate_keys(self):
        line = b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "method": "status"}\n'
        connection = self.connect(JsonConnection)
        connection.send_bytes(line)
        connection.keep(connection.receive())
        ((_, error),) = connection.waiting.values()
        self.assertIn(error.name, ("E_PARSE", "E_REQUEST"))


if __name__ == "__main__":
    harness.main()
