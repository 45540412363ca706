#!/usr/bin/python3
"""cmclient as people and scripts use it: each command, each form of a puzzle, each exit status."""
import json
import os
import pty
import select
import signal
import subprocess
import time

import harness
from harness import CMCLIENT, DEADLINE_S, SMALL, DaemonTest, FolderTest
from wire import JsonConnection

GRID = {"grid": ["####F", "#C...", "M...."], "catJump": 1, "mouseJump": 2}
BOX = '["####F","#C...","M...."]\n1\n2\n'


class Client(DaemonTest):
    def run_client(self, *arguments, status=0, **options):
        done = self.folder.client(*arguments, **options)
        self.assertEqual(status, done.returncode, done.stderr + done.stdout)
        return done

    def test_every_case(self):
        for puzzle, outcome, plies in harness.cases():
            said = self.run_client("solve", "--json", stdin=json.dumps(puzzle)).stdout
            start = json.loads(said)["start"]
            self.assertEqual((outcome, plies), (start["outcome"], start["plies"]), puzzle)
            state = start["state"]
            text = f"{state['mouse']},{state['cat']},{state['turn']}"
            answer = json.loads(self.run_client("query", "--json", "--state", text).stdout)
            self.assertEqual((outcome, plies), (answer["outcome"], answer["plies"]), puzzle)
            self.assertTrue(json.loads(self.run_client("verify", "--json").stdout)["correct"])

    def test_leetcode_answers(self):
        words = {"graph": {"draw": "0\n", "mouse": "1\n", "cat": "2\n"},
                 "grid": {"mouse": "true\n", "cat": "false\n"}}
        for puzzle, outcome, _ in harness.cases():
            said = self.run_client("solve", "--leetcode", stdin=json.dumps(puzzle)).stdout
            self.assertEqual(words["graph" if "graph" in puzzle else "grid"][outcome], said)

    def test_forms_of_a_puzzle(self):
        same = [json.dumps(GRID), BOX, BOX.replace("\n", "\r\n")]
        ids = {json.loads(self.run_client("solve", "--json", "-", stdin=text).stdout)["id"] for text in same}
        self.assertEqual(1, len(ids))
        same = [json.dumps(SMALL), json.dumps(SMALL["graph"]), json.dumps(SMALL["graph"]) + "\n"]
        ids = {json.loads(self.run_client("solve", "--json", stdin=text).stdout)["id"] for text in same}
        self.assertEqual(1, len(ids))

    def test_row_and_column(self):
        file = self.folder.path / "grid.txt"
        file.write_text(BOX)
        by_cell = self.run_client("query", "--json", "--state", "10,6,mouse", file).stdout
        self.assertEqual(by_cell, self.run_client("query", "--json", "--state", "2:0,1:1,0", file).stdout)
        shown = self.run_client("query", "--state", "2:0,1:1,0", file).stdout
        self.assertIn("  ####F\n  #C...\n  M", shown)
        self.assertNotIn("\033", shown)

    def test_every_command(self):
        solved = json.loads(self.run_client("solve", "--json", stdin=json.dumps(SMALL)).stdout)
        id_ = solved["id"]
        self.assertIn("a draw", self.run_client("query", "--state", "1,2,0", "--id", id_[:8]).stdout)
        self.assertIn("was there before", self.run_client("line", "--state", "1,2,0", "--id", id_).stdout)
        self.assertIn("undecided", self.run_client("stats", "--id", id_).stdout)
        self.assertIn("Correct: 60", self.run_client("verify", "--id", id_).stdout)
        self.assertIn(id_[:12], self.run_client("list").stdout)
        self.assertIn("requests", self.run_client("status").stdout)
        self.assertEqual("pong\n", self.run_client("ping").stdout)
        self.assertEqual(f"{self.folder.socket}\n", self.run_client("sockname").stdout)
        self.assertIn("Forgot 1 puzzle", self.run_client("evict", id_).stdout)
        self.assertIn("E_UNKNOWN_ID: ", self.run_client("stats", "--id", id_, status=1).stderr)
        self.run_client("clear")
        self.assertIn("No puzzle", self.run_client("list").stdout)

    def test_refusals_and_misuse(self):
        bad = json.dumps({"graph": [[2, 9], [3], [0], [1]]})
        self.assertEqual("E_BAD_PUZZLE: graph[0] lists node 9, but there are 4 nodes\n",
                         self.run_client("solve", stdin=bad, status=1).stderr)
        for arguments in (["nothing"], ["solve", "/nonexistent"], ["query"], ["query", "--state", "1,2"],
                          ["query", "--state", "1,2,dog"], ["list", "more"], ["ping", "--frob"], []):
            said = self.run_client(*arguments, stdin="", status=2).stderr
            self.assertIn("cmclient: ", said)
        self.run_client("solve", stdin="no json", status=2)

    def on_terminal(self, *arguments, env=None):
        """What cmclient writes to a terminal."""
        master, slave = pty.openpty()
        file = self.folder.path / "grid.txt"
        file.write_text(BOX)
        done = subprocess.run([CMCLIENT, *arguments, str(file)], env={**self.folder.env, **(env or {})},
                              stdin=subprocess.DEVNULL, stdout=slave, timeout=DEADLINE_S, check=True)
        os.close(slave)
        said = os.read(master, 1 << 16).decode()
        os.close(master)
        self.assertEqual(0, done.returncode)
        return said

    def test_colour_on_a_terminal_only(self):
        self.assertIn("\033[", self.on_terminal("query", "--state", "10,6,0"))
        self.assertNotIn("\033[", self.on_terminal("query", "--state", "10,6,0", env={"NO_COLOR": "1"}))

    def keep_busy(self):
        """Has the daemon solve two large puzzles, so that a third takes long enough to be watched."""
        connection = JsonConnection(self.folder.socket)
        self.addCleanup(connection.socket.close)
        for nodes in (13000, 13001):
            connection.send("solve", {"puzzle": harness.path_puzzle(nodes)})
        self.wait_jobs(2)

    def wait_jobs(self, count):
        deadline = time.monotonic() + DEADLINE_S
        with JsonConnection(self.folder.socket) as connection:
            while True:
                status = connection.call("status")
                if status["jobs_running"] + status["jobs_queued"] >= count:
                    return
                self.assertLess(time.monotonic(), deadline)

    def start_slow(self, **options):
        file = self.folder.path / "slow.json"
        file.write_text(json.dumps(harness.path_puzzle(13002)))
        self.keep_busy()
        return subprocess.Popen([CMCLIENT, "solve", str(file)], env=self.folder.env, **options)

    def test_interrupt_cancels_the_solve(self):
        client = self.start_slow(text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.wait_jobs(3)
        client.send_signal(signal.SIGINT)
        _, said = client.communicate(timeout=DEADLINE_S)
        self.assertEqual((1, "E_CANCELLED: the request was cancelled\n"), (client.returncode, said))

    def test_progress_on_a_terminal(self):
        master, slave = pty.openpty()
        client = self.start_slow(stdout=subprocess.DEVNULL, stderr=slave)
        os.close(slave)
        ready, _, _ = select.select([master], [], [], DEADLINE_S)
        self.assertTrue(ready)
        said = os.read(master, 1 << 16).decode()
        client.send_signal(signal.SIGINT)
        client.wait(DEADLINE_S)
        os.close(master)
        self.assertIn("solving: ", said)


class Unreachable(FolderTest):
    def test_no_daemon(self):
        for command in (["status"], ["list"], ["stop"], ["ping", "--no-autostart"]):
            done = self.folder.client(*command)
            self.assertEqual(3, done.returncode, command)
            self.assertIn("no daemon is running", done.stderr)


if __name__ == "__main__":
    harness.main()
