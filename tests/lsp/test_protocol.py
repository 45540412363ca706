#!/usr/bin/python3
"""Messages and the server's life: frames, phases, what ends it, text kept in step."""
import json
import os
import random
import subprocess
import sys
import unittest

import editor
from editor import Editor, Ended, place
from harness import DEADLINE_S, FolderTest, Folder, main

URI = "file:///puzzle.catmouse"
BROKEN = "[[2,5],[3],[0,4,5],[1,4,5],[2,3],[0,2,3,9]]"


def frame(body, head=b"Content-Length: %d\r\n\r\n"):
    return head % len(body) + body


class LspTest(unittest.TestCase):
    """No daemon is wanted here: none is started."""

    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.remove)

    def start(self, initialized=True, capabilities=None, **options):
        started = Editor(self.folder, env={"CATMOUSE_AUTOSTART": "0"}, **options)
        self.addCleanup(started.kill)
        if initialized:
            self.initialized = started.initialize(capabilities)
        return started

    def error_of(self, started, request_id):
        return started.answer(request_id)["error"]["code"]


class Frames(LspTest):
    ping = json.dumps({"jsonrpc": "2.0", "id": 77, "method": "no/such/method"}).encode()

    def still_served(self, started):
        self.assertEqual(-32601, self.error_of(started, 77))

    def test_headers_in_any_order_and_case(self):
        started = self.start()
        kind = b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n"
        for head in (
            kind + b"Content-Length: %d\r\n\r\n",
            b"content-length:%d\r\n" + kind + b"\r\n",
            b"X-Other: 1\r\nCONTENT-LENGTH:   %d  \r\n\r\n",
            b"Content-Length: %d\n\n",
        ):
            started.send_bytes(frame(self.ping, head))
            self.still_served(started)

    def test_a_message_in_single_bytes(self):
        started = self.start()
        for byte in frame(self.ping):
            started.send_bytes(bytes([byte]))
        self.still_served(started)

    def test_a_length_that_makes_no_sense(self):
        for head in (b"a", b"", b"-5", b"12a", b"99999999999999999999999", b"4294967296", b"1 2"):
            with self.subTest(head=head):
                started = self.start()
                started.send_bytes(b"Content-Length: " + head + b"\r\n\r\n" + self.ping)
                self.assertEqual(-32700, started.receive()["error"]["code"])
                started.send_bytes(frame(self.ping))
                self.still_served(started)

    def test_no_length_at_all(self):
        started = self.start()
        started.send_bytes(b"Content-Type: x\r\n\r\n{}" + frame(self.ping))
        self.assertEqual(-32700, started.receive()["error"]["code"])
        self.still_served(started)

    def test_junk_for_headers(self):
        started = self.start()
        started.send_bytes(b"x" * 100000 + b"\r\n\r\n" + b"y" * 5000 + frame(self.ping))
        self.assertEqual(-32700, started.receive()["error"]["code"])
        self.still_served(started)

    def test_bodies_that_are_no_json(self):
        started = self.start()
        for body in (b"{", b"", b"\xff\xfe", b'{"id": 1', b"[" * 100000, b'"\\ud83'):
            started.send_bytes(frame(body))
            answer = started.receive()
            self.assertEqual((None, -32700), (answer["id"], answer["error"]["code"]), body[:20])
        started.send_bytes(frame(self.ping))
        self.still_served(started)

    def test_json_that_is_no_request(self):
        started = self.start()
        for body in (b"[]", b"1", b"null", b'{"id":{},"method":"x"}', b'{"id":1,"method":5}',
                     b'{"id":1,"method":"x","params":3}'):
            started.send_bytes(frame(body))
            self.assertEqual(-32600, started.receive()["error"]["code"], body)
        started.send_bytes(frame(self.ping))
        self.still_served(started)

    def test_ids_come_back_as_they_were(self):
        started = self.start()
        for request_id in (0, -5, 2**40, "text", "", "\U0001f408"):
            started.send({"id": request_id, "method": "no/such/method"})
            self.assertEqual(request_id, started.receive()["id"])


class Life(LspTest):
    def test_phases(self):
        started = self.start(initialized=False)
        self.assertEqual(-32002, self.error_of(started, started.ask("textDocument/hover", {})))
        started.tell("textDocument/didOpen", {})
        started.initialize()
        self.assertEqual(-32600, self.error_of(started, started.ask("initialize", {})))
        self.assertIsNone(started.call("shutdown"))
        self.assertEqual(-32600, self.error_of(started, started.ask("textDocument/hover", {})))
        started.tell("exit")
        self.assertEqual(0, started.process.wait(DEADLINE_S))
        self.assertEqual(b"", started.process.stderr.read())

    def test_exit_without_shutdown(self):
        started = self.start()
        started.tell("exit")
        self.assertEqual(1, started.process.wait(DEADLINE_S))

    def test_the_end_of_standard_input(self):
        started = self.start()
        started.process.stdin.close()
        self.assertEqual(1, started.process.wait(DEADLINE_S))

    def test_nobody_reads_what_it_says(self):
        started = self.start()
        started.process.stdout.close()
        started.open(URI, BROKEN)
        self.assertEqual(1, started.process.wait(DEADLINE_S))

    def test_the_end_of_the_editor(self):
        parent = subprocess.Popen(["sleep", "1000"])
        self.addCleanup(parent.wait)
        self.addCleanup(parent.kill)
        started = self.start(initialized=False)
        started.initialize(processId=parent.pid)
        parent.kill()
        self.assertEqual(1, started.process.wait(DEADLINE_S))

    def test_an_editor_that_has_ended_already(self):
        parent = subprocess.Popen(["true"])
        parent.wait()
        started = self.start(initialized=False)
        started.call("initialize", {"processId": parent.pid, "capabilities": {}})
        self.assertEqual(1, started.process.wait(DEADLINE_S))

    def test_no_process_to_watch(self):
        started = self.start(initialized=False)
        started.initialize(processId=None)
        self.assertEqual(0, started.quit())

    def test_a_closed_standard_error(self):
        started = self.start(stderr=None, preexec_fn=lambda: os.close(2))
        started.open(URI, BROKEN)
        self.assertTrue(started.diagnostics(URI))
        self.assertEqual(0, started.quit())

    def test_input_from_a_file(self):
        script = self.folder.path / "script"
        messages = [
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}},
            {"jsonrpc": "2.0", "id": 2, "method": "shutdown"},
            {"jsonrpc": "2.0", "method": "exit"},
        ]
        script.write_bytes(b"".join(frame(json.dumps(m).encode()) for m in messages))
        with open(script, "rb") as file, open(self.folder.path / "said", "wb") as said:
            status = subprocess.run([editor.harness.CMCLIENT, "lsp", "--stdio"], stdin=file, stdout=said,
                                    env=self.folder.env, timeout=DEADLINE_S, check=False).returncode
        self.assertEqual(0, status)
        self.assertEqual(2, (self.folder.path / "said").read_bytes().count(b"Content-Length: "))

    def test_without_a_daemon_one_message_says_so(self):
        started = self.start()
        started.open(URI, "[[1,2],[0,2],[0,1]]")
        for _ in range(3):
            started.change(URI, ((0, 0), (0, 0), " "))
        message = started.wait(lambda m: m.get("method") == "window/showMessage")
        self.assertIn("no daemon", message["params"]["message"])
        self.assertEqual(0, started.quit())
        said = [m for m in started.seen if m.get("method") == "window/showMessage"]
        self.assertEqual(1, len(said))


ASTRAL = "// \U0001f408 é\n"


class Text(LspTest):
    def columns(self, encodings, text):
        started = self.start(capabilities={"general": {"positionEncodings": encodings}} if encodings else {})
        started.open(URI, text)
        found = started.diagnostics(URI)
        self.assertEqual(1, len(found), found)
        return self.initialized["capabilities"]["positionEncoding"], found[0]["range"]

    def test_the_first_place_past_astral_characters_in_each_encoding(self):
        text = "/* \U0001f408é\t*/ " + BROKEN
        before = text[: text.index("9")]
        for encodings, chosen, column in (
            (None, "utf-16", len(before.encode("utf-16-le")) // 2),
            (["utf-16"], "utf-16", len(before.encode("utf-16-le")) // 2),
            (["utf-32", "utf-16"], "utf-32", len(before)),
            (["utf-16", "utf-32", "utf-8"], "utf-8", len(before.encode())),
            (["latin-1"], "utf-16", len(before.encode("utf-16-le")) // 2),
        ):
            with self.subTest(encodings=encodings):
                got, at = self.columns(encodings, text)
                self.assertEqual(chosen, got)
                self.assertEqual({"start": place((0, column)), "end": place((0, column + 1))}, at)

    def test_line_ends_and_a_byte_order_mark(self):
        for text, line, column in (
            ("\ufeff" + BROKEN, 0, 41),
            ("\r\n\r\n" + BROKEN, 2, 40),
            ("\r" + BROKEN, 1, 40),
            ("// a\n\n" + BROKEN + "\r\n", 2, 40),
        ):
            with self.subTest(text=text):
                self.assertEqual(place((line, column)), self.columns(None, text)[1]["start"])

    def test_half_a_pair_is_one_unit(self):
        started = self.start()
        item = {"uri": URI, "languageId": "catmouse", "version": 1, "text": "TEXT"}
        message = json.dumps({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": item}})
        started.versions[URI] = 1
        started.send_bytes(frame(message.replace("TEXT", "/*\\ud83d*/ " + BROKEN).encode()))
        self.assertEqual(place((0, 46)), started.diagnostics(URI)[0]["range"]["start"])

    def test_positions_past_the_end_are_clamped(self):
        started = self.start()
        started.open(URI, "[[1],")
        started.change(URI, ((99, 5), (999, 7), "[0]]"))
        started.change(URI, ((0, 500), (0, 600), "]"))
        started.change(URI, ((0, 3), (4294967296, 0), ""), ((0, 3), (0, 0), ""))
        started.change(URI, "[[1,2],[0,2],[0,1]]")
        self.assertEqual([], started.diagnostics(URI))

    def test_whole_and_partial_changes_in_one_notification(self):
        started = self.start()
        started.open(URI, "nonsense")
        started.change(URI, ((0, 0), (0, 8), BROKEN), ((0, 39), (0, 41), ""), "x" + BROKEN, ((0, 0), (0, 1), ""))
        self.assertEqual([place((0, 40))], [d["range"]["start"] for d in started.diagnostics(URI)])

    def test_closing_clears(self):
        started = self.start()
        started.open(URI, BROKEN)
        self.assertTrue(started.diagnostics(URI))
        started.tell("textDocument/didClose", {"textDocument": {"uri": URI}})
        cleared = started.receive()["params"]
        self.assertEqual({"uri": URI, "diagnostics": []}, cleared)

    def test_many_faults_and_both_ends_of_a_missing_mirror(self):
        started = self.start(capabilities={"textDocument": {"publishDiagnostics": {"relatedInformation": True}}})
        started.open(URI, "[[1,1],[0,1,2],[7]]")
        found = {d["code"]: d for d in started.diagnostics(URI)}
        self.assertEqual({"duplicate", "self-loop", "missing-mirror", "out-of-range"}, set(found))
        other = found["missing-mirror"]["relatedInformation"][0]["location"]
        self.assertEqual((URI, 15), (other["uri"], other["range"]["start"]["character"]))

    def test_a_hundred_faults_at_most(self):
        started = self.start()
        started.open(URI, "[" + ",".join(["[0,0,999]"] * 200) + "]")
        self.assertEqual(100, len(started.diagnostics(URI)))

    def test_json_that_is_no_puzzle_is_left_alone(self):
        started = self.start()
        for text in ('{"name": [1,', '{"graph": {"nodes": []}}', '{"graph": [["a"]]}', '{"grid": [1]}', "[[1],[2]]",
                     '{"a": {"graph": [[1]]}}', '"grid"', "", '{"dependencies": {"x": "1"}, "graph": 7}'):
            started.open("file:///x.json", text, language="json")
            self.assertEqual([], started.diagnostics("file:///x.json"), text)
        started.open("file:///x.json", '{"graph": [[1],[9]]}', language="json")
        self.assertTrue(started.diagnostics("file:///x.json"))

    def test_fenced_blocks(self):
        started = self.start()
        text = "# [[9]]\n```json\n[[9]]\n```\n~~~ catmouse\n[[1,2],[0,2],[0,1]]\n~~~\n````catmouse x\n" + BROKEN
        started.open("file:///x.md", text, language="markdown")
        self.assertEqual([place((8, 40))], [d["range"]["start"] for d in started.diagnostics("file:///x.md")])

    def test_fenced_blocks_in_quotes_and_lists(self):
        """A fault is found exactly in what CommonMark takes for a block of that name."""
        started = self.start(capabilities={"textDocument": {"codeLens": {}}})
        for text, at in (
            ("> ```catmouse\n> [[1,2],\n>[0,2,9],\n> [0,1]]\n> ```\n", (2, 6)),
            (">> a\n> > ```catmouse\n>> [[1,2],[0,2,9],[0,1]]\n", (2, 15)),
            ("> ```catmouse\n> [[1,2],\n[0,2,9],[0,1]]\n", (1, 2)),  # the quote ends within the list
            ("> ```catmouse\n> [[1,2],[0,2],[0,1]]\n```\n[[9]]\n", None),
            ("> ```catmouse\n```catmouse\n[[1,2],[0,2,9],[0,1]]\n", (2, 12)),
            ("- ```catmouse\n  [[1,2],\n  [0,2,9],[0,1]]\n  ```\n", (2, 7)),
            ("10. one\n\n    ```catmouse\n    [[1,2],[0,2,9],[0,1]]\n    ```\n[[9]]\n", (3, 16)),
            ("* a\n\t* b\n\n\t\t~~~catmouse\n\t\t[[1,2],[0,2,9],[0,1]]\n\t\t~~~\n", (4, 14)),
            ("1) a\n   > ```catmouse\n   > [[1,2],[0,2,9],[0,1]]\n   > ```\n", (2, 17)),
            ("- ```catmouse\n  [[1,2],[0,2],[0,1]]\n[[9]]\n", None),
            ("text\n\n    ```catmouse\n    [[9]]\n    ```\n", None),  # indented code, in which this is an example
            ("- a\n\ntext\n\n    ```catmouse\n    [[9]]\n    ```\n", None),
            ("> ```json\n> ```catmouse\n> [[9]]\n", None),
        ):
            with self.subTest(text=text):
                started.open("file:///x.md", text, language="markdown")
                found = [d["range"]["start"] for d in started.diagnostics("file:///x.md")]
                self.assertEqual([] if at is None else place(at), found[0] if at else found)

    def test_random_edits_come_to_what_a_fresh_scan_finds(self):
        chance = random.Random(913)
        lenses = {"textDocument": {"codeLens": {}}}  # so that no verdict is among the diagnostics
        started, fresh = self.start(capabilities=lenses), self.start(capabilities=lenses)
        text = "[[1,2],\r\n[0,2],\n[0,1]] \U0001f408\n{\"grid\": [\"CMF\"], \"catJump\": 1, \"mouseJump\": 2}\n"
        pieces = list('[]{},"0123 \nCMF#.\u00e9\U0001f42d') + ["\r\n", "[3]", ",9", "[[1],[0]]"]
        started.open(URI, text)
        for _ in range(1000):
            units = text.encode("utf-16-le")
            begin, end = sorted(chance.randrange(len(units) // 2 + 1) for _ in range(2))
            end = min(end, begin + chance.randrange(6))
            before, after = (units[: 2 * begin], units[2 * end :])
            try:
                head, tail = before.decode("utf-16-le"), after.decode("utf-16-le")
            except UnicodeDecodeError:
                continue
            new = "".join(chance.choice(pieces) for _ in range(chance.randrange(4)))
            lines = [position_in(head), position_in(units[: 2 * end].decode("utf-16-le"))]
            if head.endswith("\r") and text[len(head) : len(head) + 1] == "\n" or tail.startswith("\n") and units[
                : 2 * end
            ].decode("utf-16-le").endswith("\r"):
                continue  # no position lies between CR and LF
            started.change(URI, (*lines, new))
            text = head + new + tail
            if len(text) > 400:
                text = "[[1,2],[0,2],[0,1]]"
                started.change(URI, text)
            fresh.open(URI, text)
            self.assertEqual(fresh.diagnostics(URI), started.diagnostics(URI), text)


def position_in(head):
    """The position at the end of a text."""
    lines = head.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return len(lines) - 1, len(lines[-1].encode("utf-16-le")) // 2


if __name__ == "__main__":
    main()
