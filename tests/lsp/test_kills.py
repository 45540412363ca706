#!/usr/bin/python3
"""Editor, server and daemon, each killed in turn: nothing stays behind, nothing hangs."""
import json
import os
import signal
import subprocess
import sys
import textwrap
import unittest

from editor import Editor, Ended
from harness import DEADLINE_S, Daemon, Folder, main, wait_until
from wire import HELD, Holder

URI = "file:///puzzle.catmouse"
SMALL = "[[2,5],[3],[0,4,5],[1,4,5],[2,3],[0,2,3]]"
SLOW = json.dumps(HELD["graph"], separators=(",", ":"))
LENSES = {"textDocument": {"codeLens": {}}}


class Kills(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.remove)

    def start(self, **options):
        started = Editor(self.folder, **options)
        self.addCleanup(started.kill)
        started.initialize(LENSES)
        return started

    def open_slow(self):
        """A daemon that does not solve what an editor has opened; and the editor."""
        daemon = Daemon(self.folder, *Holder.ARGUMENTS)
        self.addCleanup(daemon.kill)
        self.addCleanup(Holder(self.folder.socket).release)
        started = self.start()
        started.open(URI, SLOW)
        self.assertTrue(started.lenses_now(URI)[0].startswith("solving"))
        return daemon, started

    def test_the_server_is_killed_in_a_solve(self):
        daemon, started = self.open_slow()
        started.process.kill()
        with self.assertRaises(Ended):
            started.receive()
        again = self.start()
        again.open(URI, SMALL)
        self.assertEqual(["Draw · best: to 3"], again.lenses(URI))
        wait_until(lambda: not json.loads(self.folder.client("status", "--json").stdout)["jobs_queued"], "its solve to end")
        self.assertEqual(0, again.quit())
        daemon.stop()

    def test_the_daemon_is_killed_and_started_again(self):
        self.addCleanup(self.folder.client, "stop", "--no-autostart")
        started = self.start()
        started.open(URI, SMALL)
        self.assertEqual(["Draw · best: to 3"], started.lenses(URI))
        for _ in range(2):
            pid = json.loads(self.folder.client("status", "--json").stdout)["pid"]
            gone = os.pidfd_open(pid)
            os.kill(pid, signal.SIGKILL)
            Editor.wait_readable(gone)
            os.close(gone)
            answer = started.in_text("textDocument/hover", URI, (0, 3))
            self.assertIn("Mouse at 2", answer["contents"]["value"])
        self.assertEqual(0, started.quit())
        self.assertNotIn("window/showMessage", [m.get("method") for m in started.seen])

    def test_the_daemon_is_killed_in_a_solve(self):
        self.addCleanup(self.folder.client, "stop", "--no-autostart")
        daemon, started = self.open_slow()
        os.kill(daemon.process.pid, signal.SIGKILL)
        started.change(URI, SMALL)
        self.assertEqual(["Draw · best: to 3"], started.lenses(URI))
        self.assertEqual(0, started.quit())

    def test_a_request_outlives_the_daemon(self):
        self.addCleanup(self.folder.client, "stop", "--no-autostart")
        daemon, started = self.open_slow()
        asked = {"command": "catmouse.query", "arguments": [{"text": SMALL}]}
        os.kill(daemon.process.pid, signal.SIGSTOP)
        waiting = started.ask("workspace/executeCommand", asked)
        started.tell("textDocument/didClose", {"textDocument": {"uri": URI}})
        os.kill(daemon.process.pid, signal.SIGKILL)
        self.assertEqual("draw", started.answer(waiting)["result"]["outcome"])
        self.assertEqual(0, started.quit())

    def test_the_daemon_is_lost_for_good(self):
        daemon = Daemon(self.folder)
        self.addCleanup(daemon.kill)
        started = self.start(env={"CATMOUSE_AUTOSTART": "0"})
        started.open(URI, SMALL)
        self.assertEqual(["Draw · best: to 3"], started.lenses(URI))
        daemon.kill()
        for text in (SMALL + " ", SMALL + "\n[[1,2],[0,2],[0,1]]", "[[1,2],[0,2],[0,1]]"):
            started.change(URI, text)
            started.lenses(URI)
        self.assertIn("no daemon", started.lenses(URI)[0])
        self.assertEqual(0, started.quit())
        said = [m for m in started.seen if m.get("method") == "window/showMessage"]
        self.assertEqual(1, len(said), said)

    def test_the_editor_is_killed(self):
        """An editor that has the server's pipes dies; one that hands them on dies, too, by its process id."""
        daemon = Daemon(self.folder)
        self.addCleanup(daemon.stop)
        script = textwrap.dedent("""
            import os, sys
            sys.path.insert(0, sys.argv[1])
            from editor import Editor, harness
            class Here: env = dict(os.environ)
            started = Editor(Here)
            started.initialize()
            started.open("file:///x.catmouse", sys.argv[2])
            started.diagnostics("file:///x.catmouse")
            print(started.process.pid, flush=True)
            sys.stdin.read()
        """)
        parent = subprocess.Popen(
            [sys.executable, "-c", script, os.path.dirname(os.path.abspath(__file__)), SMALL],
            env={**self.folder.env, **{k: os.environ[k] for k in ("CMDAEMON", "CMCLIENT", "BUILD_FOLDER")}},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        server = os.pidfd_open(int(parent.stdout.readline()))
        parent.kill()
        parent.wait()
        parent.stdin.close()
        parent.stdout.close()
        Editor.wait_readable(server)
        os.close(server)


if __name__ == "__main__":
    main()
