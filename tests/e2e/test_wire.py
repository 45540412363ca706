#!/usr/bin/python3
"""The wire in every encoding: each known case, equal answers, pipelining, splits, requests in flight."""
import socket
import threading

import harness
from harness import SMALL, SMALL_START, DaemonTest, wait_until
from wire import ENCODINGS, HELD, Holder, JsonConnection, MsgpackConnection, Refused, corridor


class Cases(DaemonTest):
    """Outcome and plies of every case that we know, by solve and by query."""

    def check(self, encoding):
        with ENCODINGS[encoding](self.folder.socket) as connection:
            for puzzle, outcome, plies in harness.cases():
                solved = connection.call("solve", puzzle=puzzle)
                start = solved["start"]
                self.assertEqual((outcome, plies), (start["outcome"], start["plies"]), puzzle)
                answer = connection.call("query", id=solved["id"], state=start["state"])
                self.assertEqual((outcome, plies), (answer["outcome"], answer["plies"]), puzzle)

    def test_msgpack(self):
        self.check("msgpack")

    def test_json_lines(self):
        self.check("json")

    def test_content_length(self):
        self.check("content-length")


class Answers(DaemonTest):
    """What requests answer, whichever encoding asks."""

    def setUp(self):
        self.connections = {
            name: connection(self.folder.socket) for name, connection in ENCODINGS.items()
        }
        for connection in self.connections.values():
            self.addCleanup(connection.socket.close)

    def ask_all(self, method, **params):
        """The result, which must be the same in every encoding."""
        results = [c.call(method, **params) for c in self.connections.values()]
        for result in results[1:]:
            self.assertEqual(results[0], result)
        return results[0]

    def test_same_answers_in_every_encoding(self):
        self.ask_all("ping")
        self.ask_all("hello", client="test", version="1")
        self.connections["json"].call("clear")
        solved = self.connections["json"].call("solve", puzzle=SMALL)
        self.assertEqual("solved", solved.pop("source"))
        again = self.ask_all("solve", puzzle=SMALL)
        self.assertEqual("memory", again.pop("source"))
        self.assertEqual(solved, again)
        self.ask_all("query", state=SMALL_START, id=solved["id"])
        for params in (
            {"state": SMALL_START},
            {"state": SMALL_START, "id": solved["id"]},
            {"state": SMALL_START, "id": solved["id"][:6]},
            {"state": SMALL_START, "puzzle": SMALL},
            {"state": {"mouse": 3, "cat": 4, "turn": 1}, "limit": 2},
        ):
            self.ask_all("query", **params)
            self.ask_all("line", **params)
            self.ask_all("explain", **params)
        self.ask_all("line", state=SMALL_START, max=3)
        self.ask_all("stats", id=solved["id"])
        self.assertTrue(self.ask_all("verify")["correct"])

    def test_order_of_neighbours_and_start_leave_the_id(self):
        turned = {"graph": [neighbours[::-1] for neighbours in SMALL["graph"]]}
        self.assertEqual(
            self.ask_all("query", puzzle=SMALL, state=SMALL_START),
            self.ask_all("query", puzzle=turned, state=SMALL_START),
        )

    def test_turn_is_a_word_or_a_number(self):
        for word, number in (("mouse", 0), ("cat", 1)):
            state = {"mouse": 1, "cat": 2, "turn": number}
            answer = self.ask_all("query", puzzle=SMALL, state=state)
            self.assertEqual({**state, "turn": word}, answer["state"])

    def test_moves_are_ranked_and_line_follows_them(self):
        for puzzle, outcome, plies in harness.cases():
            connection = self.connections["msgpack"]
            start = connection.call("solve", puzzle=puzzle)["start"]["state"]
            line = connection.call("line", state=start)
            if plies is not None:
                self.assertEqual(plies, len(line["moves"]), puzzle)
                self.assertIn(line["end"], ("home", "caught"))
            state, players = start, ("mouse", "cat")
            for node in line["moves"][:20]:
                answer = connection.call("query", state=state)
                self.assertEqual(node, answer["best"])
                self.assertEqual(node, answer["moves"][0]["to"])
                mover = state["turn"]
                other = players[1 - players.index(mover)]
                state = {**state, mover: node, "turn": other}

    def test_limit_is_one_more_question(self):
        puzzle, outcome, plies = {"graph": [[1, 3], [0], [3], [0, 2]]}, "mouse", 1
        start = {"mouse": 1, "cat": 2, "turn": "mouse"}
        answer = self.ask_all("query", puzzle=puzzle, state=start, limit=plies)
        self.assertEqual((outcome, plies), (answer["outcome"], answer["plies"]))
        corridor, outcome, plies = next(case for case in harness.cases() if case[2] == 67)
        for limit, expected in ((66, ("cat", None)), (67, ("mouse", 67)), (0, ("mouse", 67))):
            start = self.connections["json"].call("solve", puzzle=corridor)["start"]["state"]
            answer = self.ask_all("query", puzzle=corridor, state=start, limit=limit)
            self.assertEqual(expected, (answer["outcome"], answer["plies"]))

    def test_messages_split_at_every_byte(self):
        for name, connection in self.connections.items():
            message = connection.encode(7, "query", {"state": SMALL_START, "puzzle": SMALL})
            expected = connection.call("query", state=SMALL_START, puzzle=SMALL)
            for at in range(1, len(message)):
                connection.send_bytes(message[:at])
                connection.send_bytes(message[at:])
                self.assertEqual(expected, connection.answer(7), name)
            for at in range(len(message)):
                connection.send_bytes(message[at : at + 1])
            self.assertEqual(expected, connection.answer(7), name)

    def test_many_requests_in_one_write_are_answered_in_order(self):
        for name, connection in self.connections.items():
            connection.call("solve", puzzle=SMALL)
            messages = (connection.encode(i, "query", {"state": SMALL_START}) for i in range(500))
            connection.send_bytes(b"".join(messages))
            ids = []
            for _ in range(500):
                connection.keep(connection.receive())
                ids.extend(connection.waiting)
                connection.waiting.clear()
            self.assertEqual(list(range(500)), ids, name)

    def test_large_messages_in_one_write(self):
        """While one is read by a helper, the next ones and the end of the stream are on their way."""
        graph = [[v for v in range(300) if v != u] for u in range(300)]
        for encoding, kind in ENCODINGS.items():
            for _ in range(10):
                with kind(self.folder.socket) as connection:
                    ids = range(1, 5)
                    messages = [
                        connection.encode(id_, "query", {"puzzle": {"graph": graph}, "state": SMALL_START})
                        for id_ in ids
                    ]
                    sender = threading.Thread(target=self.send_and_end, args=(connection, b"".join(messages)))
                    sender.start()
                    plies = [connection.answer(id_)["plies"] for id_ in ids]
                    sender.join()
                    self.assertEqual([1] * len(ids), plies, encoding)
                    self.assertTrue(connection.closed())

    @staticmethod
    def send_and_end(connection, data):
        connection.send_bytes(data)
        connection.socket.shutdown(socket.SHUT_WR)

    def test_rows_and_columns_of_a_puzzle_that_is_not_solved_yet(self):
        for number, connection in enumerate(self.connections.values()):
            grid = ["####F", "#C...", "M...." + "." * number]
            puzzle = {"grid": [row.ljust(5 + number, "#") for row in grid], "catJump": 1, "mouseJump": 2}
            state = {"mouse": [2, 0], "cat": [1, 1], "turn": "mouse"}
            answer = connection.call("query", puzzle=puzzle, state=state)
            self.assertEqual(2 * (5 + number), answer["state"]["mouse"])

    def test_half_closed_connection_gets_its_answers(self):
        for connection in self.connections.values():
            request = connection.send("solve", {"puzzle": SMALL})
            connection.socket.shutdown(1)
            self.assertEqual(6, connection.answer(request)["nodes"])
            self.assertTrue(connection.closed())

    def test_notification_gets_no_answer(self):
        json = self.connections["json"]
        json.send_bytes(b'{"jsonrpc": "2.0", "method": "ping"}\n')
        self.assertEqual("pong", json.call("ping"))
        self.assertEqual({}, json.waiting)

    def test_request_id_may_be_text(self):
        json = self.connections["json"]
        json.send_bytes(b'{"jsonrpc": "2.0", "id": "a \\u00e9", "method": "ping"}\n')
        self.assertEqual("pong", json.answer("a \u00e9"))

    def test_forgiven_forms(self):
        """Null is as good as a parameter that is absent, 2.0 is 2, and a max of 0 is none."""
        absent = dict.fromkeys(("id", "limit", "wait_ms", "progress"))
        state = {"mouse": 1.0, "cat": 2.0, "turn": 0.0}
        for connection in self.connections.values():
            plain = connection.call("line", puzzle=SMALL, state=SMALL_START)
            self.assertEqual(plain, connection.call("line", puzzle=SMALL, state=state, max=0, **absent))

    def test_faults_carry_the_id(self):
        """Whatever else is wrong with a request, who asked learns of it."""
        json = self.connections["json"]
        for number, line in enumerate((
            b'{"method": "solve", "params": {"puzzle": [[1e999]]}, "id": %d}',
            b'{"method": "ping", "method": "ping", "id": %d}',
            b'{"params": ' + b"[" * 40 + b"]" * 40 + b', "method": "ping", "id": %d}',
            b'{"colour": {"id": 1}, "id": %d}',
        ), 71):
            json.send_bytes(line % number + b"\n")
            with self.assertRaises(Refused) as refused:
                json.answer(number)
            self.assertIn(refused.exception.name, ("E_REQUEST", "E_LIMIT"))
        self.assertEqual("pong", json.call("ping"))

    def test_absent_params(self):
        for connection in self.connections.values():
            self.assertEqual("pong", connection.answer(connection.send("ping")))


class ConnectedTest(DaemonTest):
    def connect(self, kind=MsgpackConnection):
        connection = kind(self.folder.socket)
        self.addCleanup(connection.socket.close)
        return connection

    def wait_jobs(self, connection, wanted, what):
        """Until `wanted` is true of how many solves run and how many wait; the status that said so."""
        return wait_until(lambda: wanted((status := connection.call("status"))["jobs_running"], status["jobs_queued"])
                          and status, what)


class Held(ConnectedTest):
    """Solves that cannot begin: what is asked meanwhile, and what becomes of them."""

    arguments = Holder.ARGUMENTS

    def setUp(self):
        self.connect().call("clear")  # lest the puzzle of the test before is known
        self.hold()

    def hold(self):
        self.holder = Holder(self.folder.socket)
        self.addCleanup(self.holder.release)

    def test_cancelled_request_says_so(self):
        codes = {"msgpack": 1, "json": -32800, "content-length": -32800}
        for name, kind in ENCODINGS.items():
            connection = self.connect(kind)
            solve = connection.encode(71, "solve", {"puzzle": HELD})
            cancel = connection.encode(72, "cancel", {"id": 71})
            connection.send_bytes(solve + cancel)
            with self.assertRaises(Refused) as refused:
                connection.answer(71)
            self.assertEqual(("E_CANCELLED", codes[name]), (refused.exception.name, refused.exception.code))
            self.assertEqual({"cancelled": True}, connection.answer(72))
            self.assertEqual({"cancelled": False}, connection.call("cancel", id=71))
            self.assertEqual({"cancelled": False}, connection.call("$/cancelRequest", id=71))

    def test_equal_puzzles_are_solved_once(self):
        control = self.connect()
        before = control.call("status")["solves"]
        askers = [self.connect(kind) for kind in ENCODINGS.values() for _ in range(5)]
        asked = [(asker, asker.send("solve", {"puzzle": HELD})) for asker in askers]
        for asker in askers:
            self.assertEqual("pong", asker.call("ping"))  # so all of them have asked
        self.holder.release()
        ids = {asker.answer(request)["id"] for asker, request in asked}
        self.assertEqual(1, len(ids))
        self.assertEqual(before + 1, control.call("status")["solves"])

    def test_without_waiting_the_answer_is_solving(self):
        connection = self.connect()
        asked = (("solve", {}), ("query", {"state": SMALL_START}), ("line", {"state": SMALL_START, "max": 3}))
        answers = [connection.call(method, puzzle=HELD, wait_ms=0, **more) for method, more in asked]
        self.holder.release()
        solved = connection.call("solve", puzzle=HELD)
        self.assertEqual(2000, solved["nodes"])
        self.assertEqual([{"status": "solving", "id": solved["id"]}] * 3, answers)
        again = connection.call("solve", puzzle=HELD, wait_ms=0)
        self.assertEqual("memory", again["source"])

    def test_cached_answers_do_not_wait_for_a_solve(self):
        connection = self.connect()
        solved = connection.call("solve", puzzle=SMALL)["id"]
        slow = connection.encode(90, "solve", {"puzzle": HELD})
        query = connection.encode(91, "query", {"id": solved, "state": SMALL_START})
        connection.send_bytes(slow + query)
        connection.keep(connection.receive())
        self.assertEqual([91], list(connection.waiting))
        self.holder.release()
        self.assertEqual(2000, connection.answer(90)["nodes"])

    def test_the_last_asker_leaving_drops_a_solve_that_waits(self):
        control, asker = self.connect(), self.connect(JsonConnection)
        before = control.call("status")["solves"]
        self.assertEqual("solving", asker.call("solve", puzzle=HELD, wait_ms=0)["status"])
        asker.send("solve", {"puzzle": HELD})
        self.assertEqual("pong", asker.call("ping"))  # so it was read
        asker.socket.close()
        status = self.wait_jobs(control, lambda running, queued: running + queued == 0, "the end of the solve")
        self.assertEqual(before, status["solves"])

    def test_waiting_goes_for_every_question(self):
        connection = self.connect()
        for method, params in ("solve", {}), ("query", {"state": SMALL_START}), ("line", {"state": SMALL_START}):
            answer = connection.call(method, puzzle=HELD, wait_ms=1, **params)
            self.assertEqual("solving", answer["status"])
            other = self.connect()
            joined = other.send("line", {"id": answer["id"], "state": SMALL_START, "max": 1})
            self.assertEqual("pong", other.call("ping"))  # so it was read
            solving = [entry for entry in connection.call("list")["tables"] if entry["where"] == "solving"]
            self.assertEqual([answer["id"]], [entry["id"] for entry in solving])
            self.assertEqual(2 * 2000 ** 2, solving[0]["progress"]["states"])
            self.assertTrue(connection.call("cancel", puzzle=answer["id"][:10])["cancelled"])
            self.holder.release()
            self.assertEqual(answer["id"], other.answer(joined)["id"])
            connection.call("clear")
            self.hold()


class InFlight(ConnectedTest):
    """Solves under way: left, reported on. Where one must not end, it has so many behind it that no machine is done."""

    def solve_many(self, owner):
        """Half a minute's work that belongs to this connection, and some of it has begun. How many solves."""
        sizes = range(6000, 6300)
        owner.call("clear")  # lest some are known
        asked = [owner.send("solve", {"puzzle": corridor(cells), "wait_ms": 0}) for cells in sizes]
        for request in asked:
            self.assertEqual("solving", owner.answer(request)["status"])
        return len(sizes)

    def test_the_last_asker_leaving_stops_the_solve(self):
        """The one that runs, and those that wait."""
        control, owner = self.connect(), self.connect()
        before = control.call("status")["solves"]
        count = self.solve_many(owner)
        self.wait_jobs(control, lambda running, queued: running, "a solve")
        owner.socket.close()
        status = self.wait_jobs(control, lambda running, queued: running + queued == 0, "the end of all solves")
        self.assertLess(status["solves"], before + count)

    def test_a_connection_means_the_puzzle_that_it_last_named(self):
        connection, other = self.connect(), self.connect(JsonConnection)
        solved = connection.call("solve", puzzle=SMALL)["id"]
        with self.assertRaises(Refused) as refused:
            other.call("query", state=SMALL_START)
        self.assertEqual("E_NO_PUZZLE", refused.exception.name)
        large = other.call("solve", puzzle=harness.path_puzzle(300))["id"]
        self.assertEqual(solved, connection.call("query", state=SMALL_START)["id"])
        self.assertEqual(solved, other.call("query", id=solved[:8], state=SMALL_START)["id"])
        self.assertEqual(solved, other.call("stats")["id"])
        self.assertEqual(large, other.call("verify", id=large)["id"])
        self.assertEqual(large, other.call("line", state=SMALL_START)["id"])

    def test_what_follows_a_puzzle_is_about_it(self):
        """Without waiting for answers: also where the puzzle is large, or must be looked for."""
        connection = self.connect()
        known = connection.call("solve", puzzle=SMALL)["id"]
        large = {"grid": ["M" + "." * 398 + "F", "C" + "." * 399], "catJump": 40, "mouseJump": 40}
        asked = [connection.send(method, params) for method, params in (
            ("query", {"puzzle": large, "state": {"mouse": 0, "cat": 400, "turn": 0}}),
            ("query", {"state": {"mouse": 1, "cat": 400, "turn": 0}}),
            ("query", {"id": known[:6], "state": SMALL_START}),
            ("stats", {}),
        )]
        ids = [connection.answer(request)["id"] for request in asked]
        self.assertEqual(ids[0], ids[1])
        self.assertEqual([known, known], ids[2:])

    def test_a_solve_in_the_background_belongs_to_its_connection(self):
        """Of many that the owner leaves behind, the one that another has joined goes on."""
        witness, owner, other = self.connect(), self.connect(), self.connect()
        self.solve_many(owner)
        puzzle = corridor(6299)  # the last of them
        request = other.send("solve", {"puzzle": puzzle, "progress": True})
        other.wait_progress()
        owner.socket.close()
        self.wait_jobs(witness, lambda running, queued: running + queued <= 1, "the end of the others")
        self.assertEqual(6299, other.answer(request)["nodes"])

    def test_who_has_joined_a_solve_may_leave_it(self):
        """It goes on for its owner, and ends with the last who leaves."""
        witness, owner, other = self.connect(), self.connect(), self.connect()
        self.solve_many(owner)
        request = other.send("solve", {"puzzle": corridor(6299), "progress": True})
        other.wait_progress()
        other.send("cancel", {"id": request})
        with self.assertRaises(Refused) as refused:
            other.answer(request)
        self.assertEqual("E_CANCELLED", refused.exception.name)
        solving = [entry["nodes"] for entry in witness.call("list")["tables"] if entry["where"] == "solving"]
        self.assertIn(6299, solving)
        owner.socket.close()
        self.wait_jobs(witness, lambda running, queued: running + queued == 0, "the end of all solves")
        self.assertNotIn(6299, [entry["nodes"] for entry in witness.call("list")["tables"]])

    def test_evict_and_clear(self):
        connection = self.connect()
        solved = connection.call("solve", puzzle=SMALL)["id"]
        self.assertIn(solved, [table["id"] for table in connection.call("list")["tables"]])
        self.assertEqual(1, connection.call("evict", id=solved)["evicted"])
        with self.assertRaises(Refused) as refused:
            connection.call("query", id=solved, state=SMALL_START)
        self.assertEqual("E_UNKNOWN_ID", refused.exception.name)
        connection.call("solve", puzzle=SMALL)
        connection.call("clear")
        self.assertEqual([], connection.call("list")["tables"])
        with self.assertRaises(Refused) as refused:
            connection.call("query", state=SMALL_START)
        self.assertEqual("E_NO_PUZZLE", refused.exception.name)


if __name__ == "__main__":
    harness.main()
