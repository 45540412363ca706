#!/usr/bin/python3
"""cmclient draw: text, svg and dot of both games, through a Graphviz that is there, missing or broken."""
import json
import os
import re
import shutil
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree

import harness
from harness import ROOT, SMALL, FolderTest

GRID = {"grid": ["####F", "#C...", "M...."], "catJump": 1, "mouseJump": 2}
SVG = "{http://www.w3.org/2000/svg}"

# Stands for Graphviz: nodes in a row.
NEATO = """#!/usr/bin/python3
import re, sys
nodes = re.findall(r"^  (\\d+);", sys.stdin.read(), re.MULTILINE)
print("graph 1", len(nodes), 1)
for node in nodes:
    print("node", node, node, 0.5, "0.6 0.6", node, "solid circle black lightgrey")
print("stop")
"""


class Draw(FolderTest):
    def setUp(self):
        super().setUp()
        self.graph = self.file("graph.json", SMALL)
        self.grid = self.file("grid.json", GRID)

    def file(self, name, value):
        path = self.folder.path / name
        path.write_text(json.dumps(value), encoding="utf-8")
        return path

    def draw(self, *arguments, status=0, **options):
        done = self.folder.client("draw", *arguments, **options)
        self.assertEqual(status, done.returncode, done.stderr + done.stdout)
        return done

    def program(self, name, text):
        """Puts a program of that name where nothing else is to be found."""
        folder = self.folder.path / "bin"
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
        (folder / name).chmod(0o755)
        return {"PATH": str(folder)}

    def test_grid_as_text(self):
        self.assertEqual("The mouse wins in 5 plies.\n"
                         "mouse at 2:0, cat at 1:1, the mouse to move\n"
                         "\n"
                         "   ##   ##   ##   ## F m0\n"
                         "   ## C c0   m3   m3   m1\n"
                         " M m5   m5  m3*   m3   m1\n",
                         self.draw(self.grid).stdout.partition("\n\nM mouse")[0] + "\n")
        self.assertIn("\033[97;44m m0\033[0m", self.draw("--color", "always", self.grid).stdout)

    def test_text_on_a_narrow_terminal(self):
        """Nothing is wider than it, and no word is cut."""
        for puzzle in (self.grid, self.graph):
            whole = self.draw(puzzle).stdout
            drawn = subprocess.run(["script", "-qec", f"stty cols 40; {harness.CMCLIENT} draw --color never {puzzle}", "/dev/null"],
                                   env={**self.folder.env, "TERM": "dumb"}, stdin=subprocess.DEVNULL, capture_output=True,
                                   text=True, check=True).stdout
            legend = drawn.replace("\r\n", "\n").rpartition("\n\n")[2]
            self.assertLessEqual(max(map(len, legend.splitlines())), 40, legend)
            self.assertEqual(whole.rpartition("\n\n")[2].split(), legend.split())

    def test_graph_as_text(self):
        lines = self.draw("--state", "3,2,cat", "--for", "mouse", self.graph).stdout.splitlines()
        self.assertEqual("mouse at 3, cat at 2, the cat to move", lines[1])
        self.assertEqual(["H", "0", "m0", "2", "5"], lines[4].split())
        self.assertEqual("C", lines[6][0])

    def test_values_are_those_of_query(self):
        """Every place of the text says what query says of the mouse there."""
        for node, line in enumerate(self.draw(self.graph).stdout.splitlines()[4:10]):
            said = json.loads(self.folder.client("query", "--json", "--state", f"{node},2,mouse", self.graph).stdout)
            words = {"mouse": "m", "cat": "c", "draw": "="}[said["outcome"]]
            words += "" if said["plies"] is None else str(said["plies"])
            self.assertEqual(words, line[7:].split()[0].rstrip("*"))
        self.folder.client("stop")

    def svg(self, *arguments, **options):
        """Parsed; what it shows as text, and how many places of each kind."""
        text = self.draw("--format", "svg", *arguments, **options).stdout
        self.assertNotRegex(text, r"(href|src|url\((?!#))")  # needs no other file
        root = ElementTree.fromstring(text)
        kinds = [element.get("class")[6:] for element in root.find(f"{SVG}g") if
                 (element.get("class") or "").startswith("place ")]
        return root, ["".join(element.itertext()) for element in root.iter(f"{SVG}text")], kinds

    def test_grid_as_svg(self):
        root, words, kinds = self.svg(self.grid)
        self.assertEqual("The mouse wins in 5 plies.", root.find(f"{SVG}title").text)
        self.assertEqual((5, 9, 1), (kinds.count("wall"), kinds.count("mouse"), kinds.count("cat")))
        for word in ("food", "M", "C", "the best move", "the cat wins; - as the game has no end", "0", "4"):
            self.assertIn(word, words)

    def test_graph_as_svg(self):
        root, words, kinds = self.svg(self.graph, env=self.program("neato", NEATO))
        self.assertEqual("Nobody can force a win: a draw.", root.find(f"{SVG}title").text)
        self.assertEqual(7, len(kinds))  # the hole has two rings
        self.assertEqual(7, len(root.findall(f".//{SVG}line[@class='edge']")))
        self.assertEqual(2, len(root.findall(f".//{SVG}g[@class='best']")))  # one of them the legend's
        for word in ("= nobody can force a win", "hole", "small: the node"):
            self.assertIn(word, words)

    def test_large_graphs_take_sfdp(self):
        large = self.file("large.json", harness.path_puzzle(400))
        _, _, kinds = self.svg(large, env=self.program("sfdp", NEATO))
        self.assertEqual(401, len(kinds))

    def test_graphviz_is_missing(self):
        env = {"PATH": str(self.folder.path)}
        kept = self.folder.path / "picture.svg"
        kept.write_text("older", encoding="utf-8")
        said = self.draw("--format", "svg", "-o", kept, self.graph, status=2, env=env).stderr
        self.assertEqual("cmclient: drawing a graph takes Graphviz's program neato, which is missing: install the "
                         "package graphviz\n", said)
        self.assertEqual("older", kept.read_text(encoding="utf-8"))
        self.svg(self.grid, env=env)

    def test_graphviz_fails(self):
        for text in ("#!/bin/sh\nexit 1\n", "#!/bin/sh\necho graph 1 1 1\n", "#!/bin/sh\necho node 7 1 1\n"):
            said = self.draw("--format", "svg", self.graph, status=2, env=self.program("neato", text)).stderr
            self.assertEqual("cmclient: neato could not lay the graph out\n", said)

    def test_dot(self):
        said = self.draw("--format", "dot", self.graph, env={"PATH": str(self.folder.path)}).stdout
        self.assertEqual(6, len(re.findall(r"^  \d+ \[label=", said, re.MULTILINE)))
        self.assertEqual(7, len(re.findall(r"^  \d+ -- \d+", said, re.MULTILINE)))
        self.assertIn("dot is for graphs", self.draw("--format", "dot", self.grid, status=2).stderr)

    @unittest.skipUnless(shutil.which("neato"), "Graphviz is not installed")
    def test_graphviz_itself(self):
        _, _, kinds = self.svg(self.graph)
        self.assertEqual(7, len(kinds))
        dot = self.draw("--format", "dot", self.graph).stdout
        subprocess.run(["dot", "-Tplain"], input=dot, text=True, capture_output=True, check=True)

    def test_output(self):
        path = self.folder.path / "grid.svg"
        self.assertEqual("", self.draw("--format", "svg", "-o", path, self.grid).stdout)
        self.assertEqual(self.draw("--format", "svg", self.grid).stdout, path.read_text(encoding="utf-8"))
        said = self.draw("-o", self.folder.path / "no/such", self.grid, status=2).stderr
        self.assertIn("cannot open", said)
        if os.path.exists("/dev/full"):
            self.assertIn("cannot write /dev/full", self.draw("-o", "/dev/full", self.grid, status=2).stderr)

    def test_finished_games(self):
        """No move is left: no arrow but the legend's."""
        self.assertIn("The cat has won.", self.draw("--state", "2,2,mouse", self.graph).stdout)
        root, _, _ = self.svg("--state", "6,6,mouse", self.grid)
        self.assertEqual(1, len(root.findall(f".//{SVG}g[@class='best']")))

    def test_the_picture_of_the_readme(self):
        """It is what the command makes."""
        drawn = self.draw("--format", "svg", ROOT / "examples/puzzles/garden.json").stdout
        self.assertEqual((ROOT / "docs/garden.svg").read_text(encoding="utf-8"), drawn)

    def test_every_example(self):
        for puzzle in (ROOT / "examples/puzzles").iterdir():
            self.draw(puzzle)
            self.svg(puzzle, env=self.program("neato", NEATO))


if __name__ == "__main__":
    harness.main()
