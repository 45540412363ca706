"""A client of the wire in each encoding, plain enough to send what no good client would."""
import fcntl
import itertools
import json
import socket
import struct
import termios

import msgpack

from harness import DEADLINE_S, path_puzzle, wait_until


class Refused(Exception):
    """The daemon answered with an error."""

    def __init__(self, name, text, code):
        super().__init__(f"{name}: {text}")
        self.name, self.text, self.code = name, text, code


class Connection:
    """A connection. Subclasses know the bytes: encode(), and decode() of the next whole message."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(DEADLINE_S)
        self.socket.connect(str(path))
        self.ids = itertools.count(1)
        self.waiting = {}  # answers that came before they were asked for, by request id
        self.progress = []  # parameters of the progress notifications so far

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send_bytes(self, data):
        self.socket.sendall(data)

    def send(self, method, params=None):
        """Sends a request and returns its id."""
        request_id = next(self.ids)
        self.send_bytes(self.encode(request_id, method, params))
        return request_id

    def answer(self, request_id):
        """The result of that request, or Refused."""
        while request_id not in self.waiting:
            self.keep(self.receive())
        result, error = self.waiting.pop(request_id)
        if error:
            raise error
        return result

    def call(self, method, **params):
        return self.answer(self.send(method, params))

    def wait_store(self):
        """Until the daemon has opened what it keeps on disk."""
        wait_until(lambda: self.call("status")["store"]["state"] == "on", "the store to be open")

    def wait_progress(self):
        while not self.progress:
            self.keep(self.receive())
        return self.progress[-1]

    def receive_bytes(self):
        data = self.socket.recv(1 << 16)
        if not data:
            raise EOFError("the daemon closed the connection")
        return data

    def closed(self):
        """Reads what is left; True when the daemon has closed its end, and nothing more was said."""
        try:
            return self.socket.recv(1) == b""
        except ConnectionResetError:
            return True


class MsgpackConnection(Connection):
    def __init__(self, path):
        super().__init__(path)
        self.unpacker = msgpack.Unpacker()

    def encode(self, request_id, method, params):
        return msgpack.packb([0, request_id, method, [] if params is None else [params]])

    def receive(self):
        while True:
            for message in self.unpacker:
                return message
            self.unpacker.feed(self.receive_bytes())

    def keep(self, message):
        if message[0] == 2:
            assert message[1] == "progress", message
            self.progress.append(message[2][0])
            return
        kind, request_id, error, result = message
        assert kind == 1, message
        if error:
            name, text = error[1].split(": ", 1)
            error = Refused(name, text, error[0])
        self.waiting[request_id] = (result, error)


class JsonConnection(Connection):
    def __init__(self, path):
        super().__init__(path)
        self.bytes = b""

    def text(self, request_id, method, params):
        request = {"jsonrpc": "2.0", "id": request_id, "method": method}
        if params is not None:
            request["params"] = params
        return json.dumps(request).encode()

    def encode(self, request_id, method, params):
        return self.text(request_id, method, params) + b"\n"

    def receive(self):
        while b"\n" not in self.bytes:
            self.bytes += self.receive_bytes()
        line, self.bytes = self.bytes.split(b"\n", 1)
        return json.loads(line)

    def keep(self, message):
        assert message["jsonrpc"] == "2.0", message
        if "method" in message:
            assert message["method"] == "progress", message
            self.progress.append(message["params"])
            return
        error = message.get("error")
        if error:
            error = Refused(error["data"]["name"], error["message"], error["code"])
        self.waiting[message["id"]] = (message.get("result"), error)


class ContentLengthConnection(JsonConnection):
    def encode(self, request_id, method, params):
        body = self.text(request_id, method, params)
        return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)

    def receive(self):
        while b"\r\n\r\n" not in self.bytes:
            self.bytes += self.receive_bytes()
        headers, rest = self.bytes.split(b"\r\n\r\n", 1)
        name, length = headers.split(b": ")
        assert name == b"Content-Length", headers
        while len(rest) < int(length):
            rest += self.receive_bytes()
        self.bytes = rest[int(length) :]
        return json.loads(rest[: int(length)])


ENCODINGS = {
    "msgpack": MsgpackConnection,
    "json": JsonConnection,
    "content-length": ContentLengthConnection,
}


def corridor(cells):
    """A grid of one row, as slow to solve as puzzles of that size get, in a short message."""
    return {"grid": ["MC" + "." * (cells - 3) + "F"], "catJump": 1, "mouseJump": 1}


# What a Holder holds, and so do others of hundreds or thousands of nodes.
HELD = path_puzzle(2000)


class Holder:
    """
    Keeps a daemon that was started with ARGUMENTS from solving, for as long as one likes and without work: its own
    half-sent message takes the memory that solves need, so they wait. What is asked while they wait comes in time,
    however slow or fast the machine is. A few nodes are solved all the same. Of several puzzles that wait for ten
    seconds the last is given up.
    """

    ARGUMENTS = ("--memory-max", "68M", "--message-time-max", "0")
    BYTES = 64 << 20  # of the message; the daemon has made room for twice as many by the last of them

    def __init__(self, path, connection=None):
        """Over a connection of its own, or this one, which speaks under headers."""
        self.socket = (connection or ContentLengthConnection(path)).socket
        self.socket.sendall(b"Content-Length: %d\r\n\r\n" % self.BYTES)
        self.socket.sendall(b" " * (self.BYTES - 1))
        wait_until(self.is_read, "the daemon to read half a message")

    def is_read(self):
        return struct.unpack("i", fcntl.ioctl(self.socket, termios.TIOCOUTQ, bytes(4)))[0] == 0

    def release(self):
        """What waits is solved now."""
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.release()
