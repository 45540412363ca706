#!/usr/bin/python3
"""The Python module against the real daemon, which it starts itself."""
import asyncio
import contextlib
import doctest
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/e2e"), str(ROOT / "bindings/python")]
import catmouse
import harness
from harness import CMCLIENT, DEADLINE_S, SMALL, FolderTest
from wire import HELD, Holder

GRID = {"grid": ["####F", "#C...", "M...."], "catJump": 1, "mouseJump": 2}


class BindingTest(FolderTest):
    """The module reads its environment, which is that of a folder of its own."""

    def setUp(self):
        super().setUp()
        before = dict(os.environ)
        self.addCleanup(lambda: (os.environ.clear(), os.environ.update(before)))
        os.environ.clear()
        os.environ.update(self.folder.env, PATH=f"{pathlib.Path(CMCLIENT).parent}:{before['PATH']}")
        self.addCleanup(self.folder.end_daemon)

    def start_held(self):
        """A daemon that solves nothing large before it is released."""
        daemon = self.start(*Holder.ARGUMENTS)
        holder = Holder(self.folder.socket)
        self.addCleanup(holder.release)
        return daemon, holder

    def kill_daemon(self, pid):
        """Returns when the system has closed its socket, too."""
        descriptor = os.pidfd_open(pid)
        os.kill(pid, signal.SIGKILL)
        harness.wait_readable(descriptor, "the daemon's end")
        os.close(descriptor)

    def client(self, **options):
        client = catmouse.Client(**options)
        self.addCleanup(client.close)
        return client


class Module(BindingTest):
    def test_examples(self):
        """Those of its documentation."""
        results = doctest.testmod(catmouse)
        self.assertGreater(results.attempted, 8)
        self.assertEqual(0, results.failed)

    def test_version(self):
        with open(ROOT / "bindings/python/pyproject.toml", "rb") as file:
            said = tomllib.load(file)["project"]["version"]
        self.assertEqual(f"cmclient {said}\n", self.folder.client("--version").stdout)


class Sync(BindingTest):
    def test_solves_both_games(self):
        client = self.client()
        graph, grid = client.solve(SMALL), client.solve(GRID)
        self.assertEqual(("graph", 6, "draw", None), (graph.game, graph.nodes, graph.outcome, graph.plies))
        self.assertEqual(("grid", 15, "mouse", 5), (grid.game, grid.nodes, grid.outcome, grid.plies))
        self.assertEqual(catmouse.State(10, 6, "mouse"), grid.start)
        self.assertEqual(graph, client.solve(SMALL["graph"]))

    def test_query(self):
        client = self.client()
        solved = client.solve(GRID)
        answer = client.query(solved)
        self.assertEqual((solved.start, "mouse", 5, False, 12),
                         (answer.state, answer.outcome, answer.plies, answer.over, answer.best))
        self.assertEqual(catmouse.Move(12, "mouse", 4), answer.moves[0])
        self.assertEqual(answer, client.query(solved.id[:8], solved.start))
        self.assertEqual("cat", client.query(solved, limit=4).outcome)
        with self.assertRaisesRegex(ValueError, "a state is needed"):
            client.query(solved.id)

    def test_line(self):
        client = self.client()
        solved = client.solve(GRID)
        self.assertEqual("home", client.line(solved).end)
        cut = client.line(solved, max=2)
        self.assertEqual((2, "max"), (len(cut.moves), cut.end))

    def test_explain_proves(self):
        client = self.client()
        solved = client.solve(GRID)
        files = []
        for content in (solved.puzzle, client.explain(solved)):
            files.append(self.folder.path / f"{len(files)}.json")
            files[-1].write_text(json.dumps(content), encoding="utf-8")
        checked = self.folder.client("check", *files)
        self.assertEqual(0, checked.returncode, checked.stderr)
        self.assertIn("The mouse wins", checked.stdout)

    def test_stats(self):
        client = self.client()
        stats = client.stats(client.solve(SMALL))
        self.assertEqual({"mouse": 17, "cat": 10, "endless": 3}, stats["mouse_to_move"])

    def test_errors_have_their_code(self):
        client = self.client()
        for code, ask in (("E_BAD_PUZZLE", lambda: client.solve([[1], [0]])),
                          ("E_UNKNOWN_ID", lambda: client.query("abcdef123456", (1, 2, "mouse"))),
                          ("E_BAD_STATE", lambda: client.query(client.solve(SMALL), (9, 2, "mouse"))),
                          ("E_METHOD", lambda: client.call("sleep"))):
            with self.assertRaises(catmouse.Error) as raised:
                ask()
            self.assertEqual(code, raised.exception.code)
            self.assertTrue(str(raised.exception).startswith(f"{code}: "))

    def test_timeout(self):
        _, holder = self.start_held()
        client = self.client()
        client.call("ping")
        client._timeout = 0.001
        with self.assertRaises(TimeoutError):
            client.solve(HELD)
        client._timeout = None
        holder.release()
        self.assertEqual("draw", client.solve(SMALL).outcome)  # and not what came too late

    def test_connecting_ends_in_time(self):
        """A daemon that takes no connection any more has a full backlog."""
        with socket.socket(socket.AF_UNIX) as listener, contextlib.ExitStack() as waiting:
            listener.bind(str(self.folder.socket))
            listener.listen(0)
            with self.assertRaises(BlockingIOError):
                while True:
                    connection = waiting.enter_context(socket.socket(socket.AF_UNIX))
                    connection.setblocking(False)
                    connection.connect(str(self.folder.socket))
            with self.assertRaisesRegex(TimeoutError, "did not take the connection"):
                self.client(timeout=0.01).call("ping")
        self.folder.socket.unlink()

    def test_a_lost_daemon_is_started_again(self):
        client = self.client()
        self.kill_daemon(client.call("status")["pid"])
        with self.assertRaises(ConnectionError):
            client.call("ping")
        self.assertEqual("pong", client.call("ping"))

    def test_no_daemon(self):
        with self.assertRaises((ConnectionRefusedError, FileNotFoundError)):
            self.client(autostart=False).call("ping")
        os.environ["CATMOUSE_AUTOSTART"] = "0"
        with self.assertRaises((ConnectionRefusedError, FileNotFoundError)):
            self.client().call("ping")
        del os.environ["CATMOUSE_AUTOSTART"]
        os.environ["PATH"] = "/nowhere"
        with self.assertRaisesRegex(FileNotFoundError, "cmclient"):
            self.client().call("ping")

    def test_a_daemon_that_does_not_start_says_why(self):
        self.folder.socket.with_name("daemon.sock").mkdir()
        with self.assertRaisesRegex(OSError, "daemon.sock"):
            self.client().call("ping")

    def test_a_folder_open_to_others_is_not_trusted(self):
        self.folder.runtime.chmod(0o755)
        with self.assertRaisesRegex(PermissionError, "0700"):
            self.client().call("ping")

    def test_many_start_one_daemon(self):
        ask = "import catmouse; print(catmouse.Client().call('status')['pid'])"
        env = {**os.environ, "PYTHONPATH": str(ROOT / "bindings/python")}
        askers = [subprocess.Popen([sys.executable, "-c", ask], env=env, stdout=subprocess.PIPE) for _ in range(6)]
        self.assertEqual(1, len({asker.communicate(timeout=DEADLINE_S)[0] for asker in askers}))

    def test_drawing(self):
        """No daemon is asked for it, so it does not matter which one has solved the puzzle."""
        solved = self.client().solve(GRID)
        os.environ["CATMOUSE_SOCKET"] = "/nowhere/daemon.sock"
        self.assertIn("<svg", solved._repr_svg_())
        self.assertNotEqual(solved.svg(), solved.svg((11, 6, "cat")))
        os.environ["PATH"] = "/nowhere"
        self.assertIsNone(solved._repr_svg_())
        self.assertRegex(repr(solved), r"^<Solved grid \w{6}: mouse in 5>$")


class Async(BindingTest):
    def run_async(self, coroutine):
        return asyncio.run(asyncio.wait_for(coroutine, DEADLINE_S))

    def test_many_at_a_time(self):
        async def ask():
            async with catmouse.AsyncClient() as client:
                graph, grid = await asyncio.gather(client.solve(SMALL), client.solve(GRID))
                answers = await asyncio.gather(*(client.query(solved) for solved in (graph, grid) * 100))
                self.assertEqual(["draw", "mouse"] * 100, [answer.outcome for answer in answers])
                self.assertEqual("home", (await client.line(grid)).end)
                self.assertEqual("mouse", (await client.explain(grid))["claim"]["outcome"])
                self.assertEqual(60, (await client.stats(graph))["states"])

        self.run_async(ask())

    def test_cancelling_a_call_ends_its_solve(self):
        async def ask():
            async with catmouse.AsyncClient() as client:
                await client.call("ping")
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(client.solve(HELD), 0.001)
                while (status := await client.call("status"))["jobs_running"] or status["jobs_queued"]:
                    pass
                self.assertEqual(0, status["solves"])
                self.assertEqual("draw", (await client.solve(SMALL)).outcome)
                self.assertEqual(0, len(client._waiting))

        self.start_held()
        self.run_async(ask())

    def test_errors(self):
        async def ask():
            async with catmouse.AsyncClient() as client:
                with self.assertRaises(catmouse.Error) as raised:
                    await client.solve([[1], [0]])
                self.assertEqual("E_BAD_PUZZLE", raised.exception.code)

        self.run_async(ask())

    def test_a_lost_daemon_is_started_again(self):
        async def ask():
            async with catmouse.AsyncClient() as client:
                pid = (await client.call("status"))["pid"]
                waiting = asyncio.ensure_future(client.solve(HELD))
                await client.call("ping")
                self.kill_daemon(pid)
                with self.assertRaises(ConnectionError):
                    await waiting
                self.assertEqual("pong", await client.call("ping"))

        self.start_held()
        self.run_async(ask())


if __name__ == "__main__":
    harness.main()
