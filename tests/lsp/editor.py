"""An editor for tests: starts the real server on a pipe, and speaks the Language Server Protocol with it.

Every wait is for a message, and fails at a deadline. What the server sends is kept in `seen`, in its order.
"""
import json
import os
import pathlib
import select
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
import harness  # noqa: E402

DEADLINE_S = harness.DEADLINE_S


class Ended(Exception):
    """The server closed its output."""


class Editor:
    """A server and what it was sent and sent back."""

    heard = None  # a list, where everything that any server says is wanted: {asked, message}

    def __init__(self, folder, command=None, env=None, **options):
        self.process = subprocess.Popen(
            command or [harness.CMCLIENT, "lsp"],
            env={**folder.env, **(env or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            **{"stderr": subprocess.PIPE, **options},
        )
        self.bytes = b""
        self.seen = []
        self.asked = {}
        self.last_id = 0
        self.versions = {}

    @staticmethod
    def wait_readable(descriptor):
        """A process's descriptor is readable when it has ended."""
        harness.wait_readable(descriptor, "the end of a process")

    # Bytes and messages

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        if "method" in message and "id" in message:
            self.asked[message["id"]] = message["method"]
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def read_more(self, deadline):
        ready, _, _ = select.select([self.process.stdout], [], [], max(0, deadline - time.monotonic()))
        assert ready, f"no message within {DEADLINE_S} s; seen: {self.seen[-3:]}"
        got = os.read(self.process.stdout.fileno(), 1 << 16)
        if not got:
            raise Ended(f"the server ended; seen: {self.seen[-3:]}")
        self.bytes += got

    def receive(self):
        """The next message. Anything that is no frame fails the test."""
        deadline = time.monotonic() + DEADLINE_S
        while b"\r\n\r\n" not in self.bytes:
            self.read_more(deadline)
        head, rest = self.bytes.split(b"\r\n\r\n", 1)
        assert head.startswith(b"Content-Length: ") and head[16:].isdigit(), head
        length = int(head[16:])
        while len(rest) < length:
            self.read_more(deadline)
            rest = self.bytes.split(b"\r\n\r\n", 1)[1]
        self.bytes = rest[length:]
        message = json.loads(rest[:length].decode("utf-8", "strict"))
        assert message["jsonrpc"] == "2.0", message
        self.seen.append(message)
        if Editor.heard is not None:
            asked = None if "method" in message else self.asked.get(message["id"])
            Editor.heard.append({"asked": asked, "message": message})
        return message

    def wait(self, wanted):
        """The next message that `wanted` is true of; others are only kept."""
        while True:
            message = self.receive()
            if wanted(message):
                return message

    # Requests

    def ask(self, method, params=None):
        """Sends a request; its id."""
        self.last_id += 1
        message = {"id": self.last_id, "method": method}
        if params is not None:
            message["params"] = params
        self.send(message)
        return self.last_id

    def answer(self, request_id):
        return self.wait(lambda m: m.get("id") == request_id and "method" not in m)

    def call(self, method, params=None):
        message = self.answer(self.ask(method, params))
        assert "error" not in message, message
        return message["result"]

    def tell(self, method, params=None):
        self.send({"method": method, **({} if params is None else {"params": params})})

    # The usual

    def initialize(self, capabilities=None, **more):
        result = self.call(
            "initialize",
            {"processId": os.getpid(), "rootUri": None, "capabilities": capabilities or {}, **more},
        )
        self.tell("initialized", {})
        return result

    def open(self, uri, text, language="catmouse", version=1):
        self.versions[uri] = version
        item = {"uri": uri, "languageId": language, "version": version, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})

    def change(self, uri, *changes):
        """Each a text, or ((line, column), (line, column), text)."""
        self.versions[uri] += 1
        listed = []
        for change in changes:
            if isinstance(change, str):
                listed.append({"text": change})
            else:
                listed.append({"range": range_of(change[0], change[1]), "text": change[2]})
        item = {"uri": uri, "version": self.versions[uri]}
        self.tell("textDocument/didChange", {"textDocument": item, "contentChanges": listed})

    def diagnostics(self, uri):
        """Those of the version last sent."""
        message = self.wait(
            lambda m: m.get("method") == "textDocument/publishDiagnostics"
            and m["params"]["uri"] == uri
            and m["params"].get("version") == self.versions[uri]
        )
        return message["params"]["diagnostics"]

    def in_text(self, method, uri, position=None, **more):
        params = {"textDocument": {"uri": uri}, **more}
        if position is not None:
            params["position"] = place(position)
        return self.call(method, params)

    def lenses_now(self, uri):
        return [lens["command"]["title"] for lens in self.in_text("textDocument/codeLens", uri)]

    def lenses(self, uri):
        """Once all is solved, however long the machine takes for that."""
        deadline = time.monotonic() + DEADLINE_S
        while is_solving(titles := self.lenses_now(uri)):
            assert time.monotonic() < deadline, titles
        return titles

    def quit(self):
        """Shuts the server down as an editor does; its exit status."""
        assert self.call("shutdown") is None
        self.tell("exit")
        return self.process.wait(DEADLINE_S)

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream:
                try:
                    stream.close()
                except BrokenPipeError:
                    pass


def is_solving(said):
    """Does a lens or an answer tell how far a solve has come, and not what came of it?"""
    return "solving, " in json.dumps(said)


def place(position):
    return {"line": position[0], "character": position[1]}


def range_of(begin, end):
    return {"start": place(begin), "end": place(end)}


def apply_edits(text, edits):
    """The text after TextEdits, positions in UTF-16. What goes to the same place stands there in the edits' order."""
    lines = text.split("\n")

    def offset(position):
        units = lines[position["line"]].encode("utf-16-le")[: 2 * position["character"]]
        before = sum(len(line) + 1 for line in lines[: position["line"]])
        return before + len(units.decode("utf-16-le"))

    def place_in(numbered):
        number, edit = numbered
        return offset(edit["range"]["start"]), offset(edit["range"]["end"]), number

    for _, edit in sorted(enumerate(edits), key=place_in, reverse=True):
        text = text[: offset(edit["range"]["start"])] + edit["newText"] + text[offset(edit["range"]["end"]) :]
    return text
