#!/usr/bin/python3
"""The page of cmclient draw --format html, used in a real Chromium as people would.

Chromium is large, so this runs where CI=true, or by name: ./dev page. Screenshots go to the build folder.
"""
import json
import os
import re
import shutil
import statistics
import sys
import unittest

import harness
from harness import BUILD, ROOT, SMALL, Folder

LIST = ROOT / "examples/puzzles/graph-list.json"  # the mouse wins in 7 plies
GRID = ROOT / "examples/puzzles/grid-leetcode.txt"  # the mouse wins in 5 plies
LOADS = 21
EIGHT = {"grid": ["M.......", ".##..#..", "....#...", "..#...#.", ".#...#..", "...#....", ".#...##.", "......CF"],
         "catJump": 2, "mouseJump": 2}

def why_skipped():
    if os.environ.get("CI") != "true" and len(sys.argv) < 2:
        return "Chromium runs where CI=true, or by ./dev page"
    missing = [package for package, program in (("chromium", "chromium"), ("graphviz", "neato"))
               if not shutil.which(program)]
    return f"not installed: {', '.join(missing)}" if missing else ""


@unittest.skipIf(why_skipped(), why_skipped())
class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        from chromium import Chromium
        cls.folder = Folder()
        cls.addClassCleanup(cls.folder.remove)
        cls.shots = BUILD / "screenshots"
        cls.shots.mkdir(exist_ok=True)
        cls.browser = Chromium()
        cls.addClassCleanup(cls.browser.close)

    def tearDown(self):
        """Nothing was complained about, and nothing was fetched but the page itself."""
        self.assertEqual([], self.browser.complaints)
        fetched = [url for url in self.browser.requests if not url.startswith(("file:", "data:"))]
        self.assertEqual([], fetched)
        self.browser.screenshot(self.shots / f"{self.id().rpartition('.')[2]}.png")

    def page(self, puzzle, *arguments):
        path = self.folder.path / "page.html"
        path.unlink(missing_ok=True)
        done = self.folder.client("draw", "--format", "html", "--output", path, *arguments, puzzle)
        self.assertEqual(0, done.returncode, done.stderr)
        self.browser.emulate("light")
        self.browser.open(path)
        return path

    def small(self):
        path = self.folder.path / "small.json"
        path.write_text(json.dumps(SMALL), encoding="utf-8")
        return path

    def verdict(self):
        return self.browser.text("#verdict")

    def choose(self, *nodes):
        for node in nodes:
            self.browser.click(f'[data-node="{node}"] .spot')

    def pick(self, name, value):
        self.browser.click(f'input[name="{name}"][value="{value}"]')

    def moves(self):
        return self.browser.evaluate("[...document.querySelectorAll('#moves button')].map(b => b.textContent)")

    def test_a_win_on_a_graph(self):
        self.page(LIST)
        self.assertEqual("The mouse wins in 7 plies.", self.verdict())
        self.assertEqual(["to 4: The mouse wins in 6 plies.", "to 11: The cat wins in 13 plies."], self.moves())
        self.pick("side", "mouse")
        self.choose(4)
        self.assertEqual("The mouse goes to 4. The cat goes to 9. Mouse at 4, cat at 9, the mouse to move.",
                         self.browser.text("#status"))
        self.choose(5, 6, 0)
        self.assertEqual("The mouse is home: the mouse wins.", self.verdict())
        self.assertEqual([], self.moves())

    def test_a_loss_and_undo(self):
        self.page(GRID)
        self.pick("side", "mouse")
        self.choose(11)  # 2:1, below the cat
        self.assertEqual("The mouse is caught: the cat wins.", self.verdict())
        self.browser.click("#undo")
        self.assertEqual("The mouse wins in 5 plies.", self.verdict())
        self.assertIn("Mouse at 2:0, cat at 1:1, the mouse to move.", self.browser.text("#status"))
        self.assertTrue(self.browser.evaluate("document.getElementById('undo').disabled"))

    def test_placing(self):
        """Every state says what query says."""
        small = self.small()
        self.page(small)
        self.assertEqual("Nobody can force a win: a draw.", self.verdict())
        for mouse, cat, turn in ((3, 4, "cat"), (5, 2, "mouse"), (4, 4, "mouse"), (3, 1, "mouse")):
            self.pick("act", "mouse")
            self.choose(mouse)
            self.pick("act", "cat")
            self.choose(cat)
            self.pick("turn", turn)
            said = json.loads(self.folder.client("query", "--json", "--state", f"{mouse},{cat},{turn}", small).stdout)
            shown = self.moves()
            self.assertEqual([str(move["to"]) for move in said["moves"]],
                             [re.match(r"to (\d+):", move)[1] for move in shown], (mouse, cat, turn))
            self.assertEqual([move["plies"] for move in said["moves"]],
                             [int(found[1]) if (found := re.search(r"in (\d+) pl", move)) else
                              0 if "has won" in move else None for move in shown])
        self.folder.client("stop")
        self.choose(0)  # the cat cannot be put into the hole
        self.assertIn("The cat cannot stand at 0.", self.browser.text("#status"))

    def test_the_legend_has_what_can_be_seen(self):
        for puzzle, legend in ((self.small(), "mouse wins cat wins = draw; numbers are plies to the end, small ones the nodes"),
                               (GRID, "mouse wins cat wins; numbers are plies to the end, - of a game without end")):
            self.page(puzzle)
            said = self.browser.evaluate("document.querySelector('aside > p:last-child').innerText")
            self.assertEqual(legend, re.sub(r"\s+", " ", said).strip().replace(" ;", ";"))

    def test_the_best_line(self):
        self.page(GRID)
        for _ in range(5):
            self.browser.click("#step")
        self.assertEqual("The mouse is at the food: the mouse wins.", self.verdict())
        self.browser.click("#again")
        self.assertEqual("The mouse wins in 5 plies.", self.verdict())

    def test_a_draw_by_repetition(self):
        self.page(self.small())
        for _ in range(40):
            if "was there before" in self.verdict():
                break
            self.browser.click("#step")
        self.assertEqual("The position was there before: a draw.", self.verdict())

    def test_the_keyboard(self):
        """One stop for Tab, arrows between places, Enter to choose, u and b."""
        self.page(GRID)
        focus = "document.activeElement.getAttribute('aria-label')"
        self.assertEqual(1, self.browser.evaluate("document.querySelectorAll('#board [tabindex=\"0\"]').length"))
        self.browser.evaluate("document.querySelector('#board [tabindex=\"0\"]').focus()")
        self.assertEqual("2:0, mouse here, a move, The mouse wins in 5 plies.", self.browser.evaluate(focus))
        self.browser.press("ArrowRight")
        self.browser.press("ArrowRight")
        self.assertEqual("2:2, a move, The mouse wins in 3 plies.", self.browser.evaluate(focus))
        self.browser.press("Enter")
        self.assertIn("The mouse goes to 2:2.", self.browser.text("#status"))
        self.browser.press("u")
        self.assertIn("Taken back.", self.browser.text("#status"))
        self.browser.press("b")
        self.assertIn("The mouse goes to 2:2.", self.browser.text("#status"))

    def test_names_for_screen_readers(self):
        self.page(GRID)
        tree = self.browser.call("Accessibility.getFullAXTree")["nodes"]
        named = {(node["role"]["value"], node.get("name", {}).get("value")) for node in tree if "role" in node}
        for pair in (("button", "2:2, a move, The mouse wins in 3 plies."), ("button", "0:0, wall"),
                     ("button", "Undo"), ("radio", "puts the cat"), ("list", "Moves, best first"),
                     ("heading", "The mouse wins in 5 plies.")):
            self.assertIn(pair, named)
        self.assertIn("status", {role for role, _ in named})

    def test_dark(self):
        self.page(LIST)
        light = self.browser.evaluate("getComputedStyle(document.body).backgroundColor")
        self.browser.emulate("dark")
        self.assertEqual(["rgb(255, 255, 255)", "rgb(22, 24, 29)"],
                         [light, self.browser.evaluate("getComputedStyle(document.body).backgroundColor")])

    def test_an_eight_by_eight_grid(self):
        file = self.folder.path / "eight.json"
        file.write_text(json.dumps(EIGHT), encoding="utf-8")
        path = self.page(file)
        self.assertLess(path.stat().st_size, 60000)
        took = []
        for _ in range(LOADS):
            self.browser.open(path)
            took.append(self.browser.evaluate("""Number(document.documentElement.dataset.readyMs) -
                performance.getEntriesByType("navigation")[0].responseEnd"""))
        print(f"# {path.stat().st_size} bytes, interactive {statistics.median(took):.1f} ms after it was read, "
              f"the median of {LOADS} times, {max(took):.1f} ms at most")

    def test_every_state_of_a_table(self):
        """What the page reads of the table is what the solver wrote, wide cells as well."""
        long = self.folder.path / "long.json"
        long.write_text(json.dumps(harness.path_puzzle(150)), encoding="utf-8")
        self.page(long)
        sums = self.browser.evaluate("""(() => { let sum = 0, won = [0, 0];
            for (const cell of table) if (cell) { won[(cell - 1) & 1]++; sum += (cell - 1) >> 1; }
            return [data.width, table.length, sum, ...won]; })()""")
        self.assertEqual([2, 2 * 150 * 150], sums[:2])
        for state in ("75,3,mouse", "149,2,cat", "20,100,mouse"):
            said = self.folder.client("query", "--json", "--state", state, long).stdout
            said = json.loads(said)
            mouse, cat, turn = state.split(",")
            value = self.browser.evaluate(
                f"valueOf({{mouse: {mouse}, cat: {cat}, turn: {int(turn == 'cat')}}}, 0)")
            self.assertEqual((said["outcome"], said["plies"]),
                             (["mouse", "cat"][value["winner"]], value["plies"]), state)
        self.folder.client("stop")


class Size(unittest.TestCase):
    """What needs no browser."""

    def test_too_many_nodes(self):
        folder = Folder()
        self.addCleanup(folder.remove)
        path = folder.path / "path.json"
        path.write_text(json.dumps(harness.path_puzzle(2001)), encoding="utf-8")
        said = folder.client("draw", "--format", "html", path)
        self.assertEqual((2, "cmclient: html holds the table of at most 2000 nodes, and the puzzle has 2001\n"),
                         (said.returncode, said.stderr))

    def test_an_eight_by_eight_grid(self):
        folder = Folder()
        self.addCleanup(folder.remove)
        path = folder.path / "eight.json"
        path.write_text(json.dumps(EIGHT), encoding="utf-8")
        page = folder.client("draw", "--format", "html", path).stdout
        self.assertLess(len(page.encode()), 60000)
        self.assertNotRegex(page, r"(src|href)=\"(?!data:)")
        self.assertNotIn("http://", page.replace("http://www.w3.org/2000/svg", ""))


if __name__ == "__main__":
    harness.main()
