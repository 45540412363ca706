#!/usr/bin/python3
"""cmclient play: games to their end in a pipe, and on a pseudo-terminal."""
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios

import harness
from harness import CMCLIENT, DEADLINE_S, ROOT, SMALL, FolderTest

LIST = ROOT / "examples/puzzles/graph-list.json"  # the mouse wins in 7 plies
GRID = ROOT / "examples/puzzles/grid-leetcode.txt"


class Play(FolderTest):
    def play(self, *arguments, lines=(), status=0):
        done = self.folder.client("play", *arguments, stdin="".join(line + "\n" for line in lines))
        self.assertEqual(status, done.returncode, done.stderr + done.stdout)
        return done.stdout if status == 0 else done.stderr

    def small(self):
        path = self.folder.path / "small.json"
        path.write_text(json.dumps(SMALL), encoding="utf-8")
        return path

    def test_a_win(self):
        said = self.play(LIST, lines=["4", "5", "6", "0"])
        self.assertTrue(said.endswith("The mouse is home: you win.\n7 plies were played; 4 of your 4 moves were "
                                      "the best. Best play from the start: The mouse wins in 7 plies.\n"), said)
        self.assertIn("\nYou can go a to 4, b to 11.\n", said)
        self.assertNotIn("threw away", said)
        self.assertNotIn("\033", said)

    def test_a_win_on_a_grid(self):
        """By direction, by row and column, by letter."""
        right, up = "\033[C", "\033OA"
        for lines in (["right 2", "right 2", "up 2"], ["2:2", "2:4", "0:4"], ["c", "f", "a"],
                      ["Right 2", "2:4 ", " UP 2"], [right * 2, right * 2, up * 2]):
            said = self.play(GRID, lines=lines)
            self.assertIn("\n  ####F\n  #C...\n  M....\n", said)
            self.assertIn("The mouse is at the food: you win.\n5 plies", said)

    def test_a_loss_after_a_blunder(self):
        said = self.play(LIST, lines=["11", "a", "b"] + ["1", "11", "4"] * 9)
        self.assertIn("\nThat threw away a win in 7 plies.\n", said)
        self.assertIn("The mouse is caught: you lose.\n", said)

    def test_the_other_side(self):
        said = self.play("--as", "cat", "--state", "3,1,cat", self.path(), lines=["2", "3"])
        self.assertTrue(said.startswith("You are the cat;"), said)
        self.assertIn("The mouse is caught: you win.", said)

    def path(self):
        path = self.folder.path / "path.json"
        path.write_text(json.dumps(harness.path_puzzle(5)), encoding="utf-8")
        return path

    def test_a_draw_by_repetition(self):
        """Each side keeps what it has, until a position comes again."""
        lines, said = [], ""
        while "was there before" not in said:
            ranked = self.play(self.small(), lines=lines + ["?"])
            lines.append(re.findall(r"^  [a-z] to (\d)", ranked.rpartition("You can go")[2], re.MULTILINE)[0])
            said = self.play(self.small(), lines=lines)
            self.assertLess(len(lines), 30)
        self.assertIn("The position was there before: a draw.\n", said)
        self.assertIn("Best play from the start: Nobody can force a win: a draw.", said)

    def test_what_can_be_said(self):
        said = self.play(LIST, lines=["help", "?", "why", "line", "9", "nonsense", "", "undo", "quit"])
        for part in ("  undo   take your last move back\n",
                     "  a to 4        The mouse wins in 6 plies.\n  b to 11       The cat wins in 13 plies.\n",
                     "The mouse wins in 7 plies: whatever the cat does, the mouse gets home.\n",
                     "mouse to 4, cat to 9, mouse to 5, cat to 2, mouse to 6, cat to 9, mouse to 0\n",
                     "You cannot go there.\n",
                     "nonsense is no move, and nothing else to say here; help says what is, quit leaves.\n",
                     "There is nothing to take back.\n"):
            self.assertIn(part, said)
        self.assertNotIn("plies were played", said)

    def test_keys_that_mean_nothing(self):
        """They are not echoed, as the terminal would obey them. In a graph no arrow leads anywhere."""
        for puzzle, line in ((GRID, "\033[5~"), (GRID, "\033[C\033[A"), (GRID, "\033[B"), (LIST, "\033[C"), (LIST, "a\177")):
            said = self.play(puzzle, lines=[line])
            self.assertIn("\nThat is no move, and nothing else to say here; help says what is, quit leaves.\n", said)
            self.assertNotRegex(said, "[\033\177]")

    def test_staying_is_called_so(self):
        self.assertIn("  a stay        The cat wins in 3 plies.\n", self.play(GRID, lines=["?"]))

    def test_undo_and_swap(self):
        said = self.play(LIST, lines=["11", "undo", "swap", "undo", "exit", "nonsense"])
        self.assertNotIn("nonsense", said)
        self.assertEqual(2, said.count("mouse at 1, cat at 2, the mouse to move"))
        self.assertIn("You are the cat now.\nThe mouse goes to 4.\n", said)
        self.assertIn("There is nothing to take back.", said)

    def test_the_input_ends(self):
        self.assertIn("2 plies were played; your move was the best. ", self.play(LIST, lines=["4"]))
        self.assertIn("2 plies were played; your move was not the best. ", self.play(LIST, lines=["11"]))
        self.assertIn("\n1 ply was played. ", self.play("--as", "cat", LIST))

    def test_levels(self):
        """The same number has the same chances; a low level does not always play its best."""
        games = {seed: self.play("--level", "1", "--seed", seed, LIST, lines=["11"]) for seed in range(1, 30)}
        self.assertEqual(games[7], self.play("--level", "1", "--seed", "7", LIST, lines=["11"]))
        self.assertGreater(len(set(games.values())), 1)
        best = {self.play("--seed", seed, LIST, lines=["11"]) for seed in range(1, 10)}
        self.assertEqual(1, len(best))
        for level in ("0", "11"):
            self.assertIn(f"--level is {level}, not a number from 1 to 10", self.play("--level", level, LIST, status=2))

    def test_a_puzzle_on_standard_input(self):
        self.assertIn("so the puzzle must be in a FILE", self.play("-", lines=["4"], status=2))

    def test_the_last_puzzle(self):
        """Moves are read from standard input, and no puzzle."""
        self.folder.client("solve", LIST)
        said = self.play(lines=["4", "5", "6", "0"]).split("\n", 1)
        self.assertRegex(said[0], "^puzzle [0-9a-f]{6}, graph of 13 nodes, solved (just now|\\d+ \\w+ ago)$")
        self.assertEqual(self.play(LIST, lines=["4", "5", "6", "0"]), said[1])
        self.folder.client("stop")

    def test_the_limit(self):
        said = self.play("--limit", "2", LIST, lines=["4", "5"])
        self.assertIn("2 plies are played: a draw.\n", said)


class Terminal(FolderTest):
    def test_a_game_on_a_terminal(self):
        """Each prompt is answered as it comes; the board is in colour."""
        leader, follower = pty.openpty()
        process = subprocess.Popen([CMCLIENT, "play", GRID], stdin=follower, stdout=follower, stderr=follower,
                                   env={**self.folder.env, "TERM": "xterm"}, start_new_session=True)
        self.addCleanup(process.kill)
        os.close(follower)
        said = ""
        for line in ("?", "right 2", "undo", "right 2", "right 2", "up 2"):
            said += self.read_until(leader, "mouse> ")
            os.write(leader, line.encode() + b"\n")
        said += self.read_until(leader, "in 5 plies.\r\n")
        os.write(leader, b"\n")
        self.assertEqual(0, process.wait(DEADLINE_S))
        os.close(leader)
        self.assertIn("\033[36mM\033[0m", said)
        self.assertIn("The mouse is at the food: you win.", said)

    def test_the_last_move_can_be_taken_back_after_the_end(self):
        """As often as one likes; whatever else is said leaves, and so does the end of the input."""
        small = self.folder.path / "small.json"
        small.write_text(json.dumps(SMALL), encoding="utf-8")
        for goodbye in (b"quit\n", b"a\n", b"\x04"):
            leader, follower = pty.openpty()
            process = subprocess.Popen([CMCLIENT, "play", "--state", "2,3,mouse", small], stdin=follower, stdout=follower,
                                       stderr=follower, env={**self.folder.env, "TERM": "dumb"}, start_new_session=True)
            self.addCleanup(process.kill)
            os.close(follower)
            self.read_until(leader, "mouse> ")
            for line in ("4", "undo", "4", "undo", "0"):
                os.write(leader, line.encode() + b"\n")
                said = self.read_until(leader, "mouse> ")
                self.assertEqual(line == "undo", "You can go" in said, said)
                self.assertEqual(line == "4", "you lose." in said, said)
                self.assertEqual(line == "0", "you win." in said, said)
                self.assertEqual(line != "undo", "\nundo takes your last move back; anything else leaves." in said, said)
            os.write(leader, goodbye)
            self.assertEqual(0, process.wait(DEADLINE_S))
            os.close(leader)

    def test_a_graph_on_a_terminal(self):
        leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        process = subprocess.Popen([CMCLIENT, "play", LIST], stdin=follower, stdout=follower, stderr=follower,
                                   env={**self.folder.env, "TERM": "dumb"}, start_new_session=True)
        self.addCleanup(process.kill)
        os.close(follower)
        said = self.read_until(leader, "mouse> ")
        os.write(leader, b"4\n")
        self.read_until(leader, "mouse> ")
        os.write(leader, b"\x04")
        self.assertRegex(self.read_until(leader, "7 plies."), "\r\n2 plies were played; your move was the best. ")
        self.assertEqual(0, process.wait(DEADLINE_S))
        os.close(leader)
        self.assertIn("\r\nM  1: 4 11\r\n", said)
        self.assertIn("\r\n   0: 6  the hole\r\n", said)

    def read_until(self, leader, text):
        said = b""
        while text.encode() not in said:
            harness.wait_readable(leader, text)
            said += os.read(leader, 4096)
        return said.decode()


if __name__ == "__main__":
    harness.main()
