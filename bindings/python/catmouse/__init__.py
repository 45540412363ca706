"""Who wins a Cat and Mouse puzzle, in how many plies, by which moves: asked of catmouse's daemon.

Where no daemon runs, `cmclient` starts one; it has to be on PATH. A puzzle is what the protocol takes: a graph's lists
of neighbours, or a dict with `graph`, or with `grid`, `catJump` and `mouseJump`.

>>> import catmouse
>>> with catmouse.Client() as client:
...     solved = client.solve([[2, 5], [3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]])
...     answer = client.query(solved, (3, 4, "mouse"))
...     line = client.line(solved, answer.state)
>>> solved
<Solved graph d5aaf0: draw>
>>> answer.outcome, answer.plies, answer.best
('mouse', 3, 5)
>>> line.moves, line.end
([5, 2, 0], 'home')

Whoever waits for much at once awaits it:

>>> import asyncio
>>> async def outcomes(*puzzles):
...     async with catmouse.AsyncClient() as client:
...         return [solved.outcome for solved in await asyncio.gather(*map(client.solve, puzzles))]
>>> asyncio.run(outcomes([[2], [2], [0, 1]], {"grid": ["M.C...F"], "catJump": 1, "mouseJump": 4}))
['cat', 'mouse']

What the daemon refuses is an Error, with the protocol's name as its code:

>>> with catmouse.Client() as client:
...     client.solve([[1], [0], [7]])
Traceback (most recent call last):
catmouse.Error: E_BAD_PUZZLE: graph[2] lists node 7, but there are 3 nodes

In a notebook, what solve() returns shows the puzzle as `cmclient draw` draws it.
"""
import asyncio
import dataclasses
import itertools
import json
import os
import socket
import stat
import struct
import subprocess
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgpack

__all__ = ["Answer", "AsyncClient", "Client", "Error", "Line", "Move", "Solved", "State"]

CLOSED = "the daemon closed the connection before it answered"
CONNECT_S = 15  # a daemon that is just leaving takes 10 s at most
PAUSE_S = 0.01
Puzzle = dict[str, Any] | Sequence[Sequence[int]]


class Error(Exception):
    """The daemon refused: `code` is one of the protocol's errors, such as E_BAD_PUZZLE."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.code = text.partition(":")[0]


class State(NamedTuple):
    """Where both stand, and who is to move, "mouse" or "cat". Cells of a grid are row * columns + column."""

    mouse: int
    cat: int
    turn: str = "mouse"


class Move(NamedTuple):
    """A move to the node `to`, who wins after it, and in how many plies."""

    to: int
    outcome: str
    plies: int | None


@dataclasses.dataclass(frozen=True)
class Solved:
    """A solved puzzle: who wins from its start, in how many plies, None where nobody can force the end."""

    id: str
    game: str
    nodes: int
    start: State
    outcome: str
    plies: int | None
    puzzle: Puzzle = dataclasses.field(compare=False)

    def svg(self, state: Sequence | None = None) -> str:
        """A drawing of the puzzle by `cmclient draw`, which asks no daemon, of its start or of another state.

        Raises FileNotFoundError without cmclient on PATH, RuntimeError where it cannot draw.
        """
        command = ["cmclient", "draw", "--format", "svg", *(["--state", ",".join(map(str, state))] if state else []), "-"]
        drawn = subprocess.run(command, input=json.dumps(self.puzzle), capture_output=True, text=True, check=False)
        if drawn.returncode != 0:
            raise RuntimeError(drawn.stderr.strip())
        return drawn.stdout

    def _repr_svg_(self) -> str | None:
        try:
            return self.svg()
        except (OSError, RuntimeError):
            return None  # a notebook shows the text below

    def __repr__(self) -> str:
        plies = "" if self.plies is None else f" in {self.plies}"
        return f"<Solved {self.game} {self.id[:6]}: {self.outcome}{plies}>"


@dataclasses.dataclass(frozen=True)
class Answer:
    """Who wins from `state`; the moves there, best first; `best` is the first, None where there is none."""

    state: State
    outcome: str
    plies: int | None
    over: bool
    best: int | None
    moves: list[Move]


@dataclasses.dataclass(frozen=True)
class Line:
    """Best play from `state`: the nodes gone to in turn, and why it ends, as the protocol names it."""

    state: State
    outcome: str
    plies: int | None
    moves: list[int]
    end: str


def _fields(kind: type, result: dict) -> dict:
    """What `kind` has of a result, which may have more."""
    known = {field.name for field in dataclasses.fields(kind)}
    return {name: value for name, value in result.items() if name in known}


def _solved(puzzle: Puzzle, result: dict) -> Solved:
    start = result["start"]
    return Solved(**{**_fields(Solved, result), "start": State(**start["state"]), "outcome": start["outcome"],
                     "plies": start["plies"], "puzzle": puzzle})


def _answer(result: dict) -> Answer:
    return Answer(**{**_fields(Answer, result), "state": State(**result["state"]),
                     "moves": [Move(move["to"], move["outcome"], move["plies"]) for move in result["moves"]]})


def _line(result: dict) -> Line:
    return Line(**{**_fields(Line, result), "state": State(**result["state"])})


def _id(solved: Solved | str) -> str:
    return solved.id if isinstance(solved, Solved) else solved


def _at(solved: Solved | str, state: Sequence | None, **others: Any) -> dict:
    """Parameters about a state, the start where there is none."""
    if state is None and not isinstance(solved, Solved):
        raise ValueError("an id alone has no start: a state is needed")
    return {"id": _id(solved), "state": State(*(state or solved.start))._asdict(), **others}


def _socket_path() -> str:
    """Where the daemon listens, by the rules of the protocol's chapter on connecting."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    folder = f"{runtime}/catmouse" if runtime.startswith("/") else f"/tmp/catmouse-{os.geteuid()}"
    return os.environ.get("CATMOUSE_SOCKET") or f"{folder}/daemon.sock"


def _check_folder(folder: str) -> None:
    """Nobody else can have put a socket into a folder that is ours alone."""
    status = os.lstat(folder)
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & 0o077:
        raise PermissionError(f"the socket's folder {folder} is not ours alone (a folder of mode 0700)")


def _connect(path: str, deadline: float) -> socket.socket:
    """A connection to a daemon that runs already, and is ours or root's."""
    _check_folder(os.path.dirname(path))
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.setblocking(False)
        while True:
            try:
                connection.connect(path)
                break
            except BlockingIOError:  # its backlog is full, and poll() cannot wait for that
                if time.monotonic() > deadline:
                    raise TimeoutError("the daemon did not take the connection in time") from None
                time.sleep(PAUSE_S)
        _, uid, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        if uid not in (os.geteuid(), 0):
            raise PermissionError(f"{path} belongs to a process of user {uid}, which is not trusted")
    except BaseException:
        connection.close()
        raise
    connection.setblocking(True)
    return connection


def _open(path: str, autostart: bool, timeout: float | None = None) -> socket.socket:
    """A connection to the daemon, which cmclient starts where none runs; within so many seconds, CONNECT_S at most."""
    path = os.path.abspath(path)
    deadline = time.monotonic() + (CONNECT_S if timeout is None else min(timeout, CONNECT_S))
    try:
        return _connect(path, deadline)
    except (ConnectionRefusedError, FileNotFoundError):
        if not autostart or os.environ.get("CATMOUSE_AUTOSTART") == "0":
            raise
    try:
        started = subprocess.run(["cmclient", "ping", "--socket", path], stdin=subprocess.DEVNULL, capture_output=True,
                                 text=True, timeout=max(0, deadline - time.monotonic()), check=False)
    except subprocess.TimeoutExpired:
        raise TimeoutError("the daemon has not started in time") from None
    if started.returncode != 0:
        raise ConnectionError(f"no daemon runs, and none could be started: {started.stderr.strip()}")
    return _connect(path, deadline)


class Client:
    """Asks, and waits for the answer. One thread at a time.

    It connects at its first call, and again after the connection was lost, for 15 seconds at most. `timeout`, in seconds,
    is for each call: past it, TimeoutError. Without a daemon calls raise a ConnectionError, or FileNotFoundError where
    there is none to start.
    """

    def __init__(self, socket: str | None = None, *, autostart: bool = True, timeout: float | None = None) -> None:
        self._path, self._autostart, self._timeout = socket or _socket_path(), autostart, timeout
        self._connection: Any = None
        self._numbers = itertools.count(1)

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        if self._connection:
            self._connection.close()
            self._connection = None

    def call(self, method: str, **params: Any) -> Any:
        """The result of any method of the protocol."""
        deadline = None if self._timeout is None else time.monotonic() + self._timeout
        if not self._connection:
            self._connection = _open(self._path, self._autostart, self._timeout)
            self._unpacker = msgpack.Unpacker(max_buffer_size=0)
        number = next(self._numbers) % 2**32
        try:
            return self._exchange(number, msgpack.packb([0, number, method, [params]]), deadline)
        except Error:
            raise
        except BaseException:
            self.close()  # an answer that may still come belongs to no later call
            raise

    def _limit(self, deadline: float | None) -> None:
        self._connection.settimeout(deadline and max(deadline - time.monotonic(), 1e-6))

    def _exchange(self, number: int, request: bytes, deadline: float | None) -> Any:
        self._limit(deadline)
        try:
            self._connection.sendall(request)
        except BrokenPipeError:
            pass  # the daemon may have said why it closed
        while True:
            for kind, *rest in self._unpacker:
                if kind == 1 and rest[0] in (number, None):  # None: the connection itself is refused
                    if rest[1]:
                        raise Error(rest[1][1])
                    return rest[2]
            self._limit(deadline)
            received = self._connection.recv(1 << 16)
            if not received:
                raise ConnectionResetError(CLOSED)
            self._unpacker.feed(received)

    def solve(self, puzzle: Puzzle) -> Solved:
        return _solved(puzzle, self.call("solve", puzzle=puzzle))

    def query(self, solved: Solved | str, state: Sequence | None = None, *,
              limit: int | None = None) -> Answer:
        """Of a solved puzzle, its start where there is no `state`; or of an id. `limit` stops the game after so many plies."""
        return _answer(self.call("query", **_at(solved, state, limit=limit)))

    def line(self, solved: Solved | str, state: Sequence | None = None, *, limit: int | None = None,
             max: int | None = None) -> Line:
        """Best play to the end, or `max` moves of it."""
        return _line(self.call("line", **_at(solved, state, limit=limit, max=max)))

    def explain(self, solved: Solved | str, state: Sequence | None = None, *,
                limit: int | None = None) -> dict:
        """The certificate that proves who wins, as the protocol describes it."""
        return self.call("explain", **_at(solved, state, limit=limit))["certificate"]

    def stats(self, solved: Solved | str) -> dict:
        """Counts over all states, as the protocol names them."""
        return self.call("stats", id=_id(solved))


class AsyncClient:
    """As Client, awaited, many calls at a time. Cancelling one cancels its solve; for a timeout there is asyncio's.

    While as many wait for solves as `cmdaemon --waiting-max` allows, no more are read, and no cancel.
    """

    def __init__(self, socket: str | None = None, *, autostart: bool = True) -> None:
        self._path, self._autostart = socket or _socket_path(), autostart
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._opening = asyncio.Lock()
        self._writer: asyncio.StreamWriter | None = None
        self._listener: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()

    async def close(self) -> None:
        if self._writer:
            self._writer.close()
        if self._listener:
            await self._listener

    async def _open(self) -> asyncio.StreamWriter:
        async with self._opening:
            if not self._writer:
                opened = await asyncio.to_thread(_open, self._path, self._autostart)
                reader, self._writer = await asyncio.open_unix_connection(sock=opened)
                self._listener = asyncio.ensure_future(self._listen(reader))
            return self._writer

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        unpacker = msgpack.Unpacker(max_buffer_size=0)
        try:
            while received := await reader.read(1 << 16):
                unpacker.feed(received)
                for kind, *rest in unpacker:
                    if kind != 1:
                        continue
                    asked = self._waiting.values() if rest[0] is None else [self._waiting.get(rest[0])]
                    for future in asked:  # all of them where the connection itself is refused
                        if future and not future.done():
                            future.set_exception(Error(rest[1][1])) if rest[1] else future.set_result(rest[2])
        except OSError:
            pass  # as at the end of the stream
        finally:
            if self._writer:
                self._writer.close()
            self._writer = None
            for future in self._waiting.values():
                if not future.done():
                    future.set_exception(ConnectionResetError(CLOSED))

    async def call(self, method: str, **params: Any) -> Any:
        """The result of any method of the protocol."""
        writer = await self._open()
        number = next(self._numbers) % 2**32
        self._waiting[number] = future = asyncio.get_running_loop().create_future()
        try:
            writer.write(msgpack.packb([0, number, method, [params]]))
            await writer.drain()
            return await future
        except asyncio.CancelledError:
            writer.write(msgpack.packb([2, "cancel", [{"id": number}]]))
            raise
        finally:
            del self._waiting[number]

    async def solve(self, puzzle: Puzzle) -> Solved:
        return _solved(puzzle, await self.call("solve", puzzle=puzzle))

    async def query(self, solved: Solved | str, state: Sequence | None = None, *,
                    limit: int | None = None) -> Answer:
        return _answer(await self.call("query", **_at(solved, state, limit=limit)))

    async def line(self, solved: Solved | str, state: Sequence | None = None, *, limit: int | None = None,
                   max: int | None = None) -> Line:
        return _line(await self.call("line", **_at(solved, state, limit=limit, max=max)))

    async def explain(self, solved: Solved | str, state: Sequence | None = None, *,
                      limit: int | None = None) -> dict:
        return (await self.call("explain", **_at(solved, state, limit=limit)))["certificate"]

    async def stats(self, solved: Solved | str) -> dict:
        return await self.call("stats", id=_id(solved))
