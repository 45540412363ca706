#!/usr/bin/python3
"""What an editor is shown: lenses, hovers, repairs and the rest, with the real daemon."""
import json
import time
import unittest

from editor import Editor, apply_edits, place, range_of
from harness import ROOT, SMALL, Daemon, Folder, main, path_puzzle

URI = "file:///puzzle.catmouse"
SMALL_TEXT = json.dumps(SMALL["graph"], separators=(",", ":"))
GRID_TEXT = '{"grid": ["####F","#C...","M...."], "catJump": 1, "mouseJump": 2}'
ABLE = {
    "textDocument": {
        "codeLens": {},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
    },
    "workspace": {"workspaceEdit": {"documentChanges": True}, "codeLens": {"refreshSupport": True}},
    "window": {"workDoneProgress": True},
}


class FeatureTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Folder()
        cls.addClassCleanup(cls.folder.remove)
        cls.daemon = Daemon(cls.folder)
        cls.addClassCleanup(cls.daemon.stop)

    def setUp(self):
        self.editor = self.start()

    def start(self, capabilities=None, **options):
        started = Editor(self.folder)
        self.addCleanup(started.kill)
        started.initialize(ABLE if capabilities is None else capabilities, **options)
        return started

    def actions(self, text, begin=(0, 0), end=(99, 0), only=None):
        """Title, kind, whether preferred, and the text that comes of it."""
        if URI in self.editor.versions:
            self.editor.change(URI, text)
        else:
            self.editor.open(URI, text)
        context = {"diagnostics": [], **({"only": only} if only else {})}
        found = []
        for action in self.editor.in_text("textDocument/codeAction", URI, range=range_of(begin, end), context=context):
            change = action["edit"]["documentChanges"][0]
            self.assertEqual({"uri": URI, "version": self.editor.versions[URI]}, change["textDocument"])
            found.append((action["title"], action["kind"], action.get("isPreferred", False),
                          apply_edits(text, change["edits"])))
        return found

    def run_command(self, name, **arguments):
        return self.editor.call("workspace/executeCommand", {"command": name, "arguments": [arguments]})


class Lenses(FeatureTest):
    def test_the_verdict_and_the_best_move(self):
        self.editor.open(URI, "[[2,5],[3],[0,4,5],[1,4,5],[2,3],[0,2,3]]\n" + GRID_TEXT)
        self.assertEqual(["Draw · best: to 3", "Mouse wins in 5 plies · best: to 2:2"], self.editor.lenses(URI))

    def test_broken_text_keeps_the_last_verdict(self):
        self.editor.open(URI, SMALL_TEXT)
        self.assertEqual(["Draw · best: to 3"], self.editor.lenses(URI))
        self.editor.change(URI, ((0, 2), (0, 4), ""))
        self.assertEqual(["draw (before this edit)"], self.editor.lenses(URI))
        self.editor.change(URI, SMALL_TEXT)
        self.assertEqual(["Draw · best: to 3"], self.editor.lenses(URI))

    def test_a_puzzle_that_is_not_edited_keeps_its_verdict(self):
        self.editor.open(URI, SMALL_TEXT + "\n" + GRID_TEXT)
        self.assertEqual(2, len(self.editor.lenses(URI)))
        self.editor.change(URI, ((0, 0), (0, 1), ""))
        self.assertIn("Mouse wins in 5 plies", self.editor.lenses(URI)[-1])

    def test_buttons_that_the_editor_knows(self):
        self.editor = self.start(initializationOptions={"play": True, "picture": True})
        self.editor.open(URI, SMALL_TEXT)
        self.assertEqual(["Draw · best: to 3", "play", "picture"], self.editor.lenses(URI))

    def test_verdicts_as_diagnostics_where_nothing_else_shows_them(self):
        self.editor = self.start(capabilities={})
        self.editor.open(URI, SMALL_TEXT)
        self.assertEqual([], self.editor.diagnostics(URI))
        shown = self.editor.diagnostics(URI)
        self.assertEqual([("verdict", 3, "Draw · best: to 3")],
                         [(d["code"], d["severity"], d["message"]) for d in shown])

    def test_neovim_shows_lenses_without_saying_so(self):
        self.editor = self.start(capabilities={}, clientInfo={"name": "Neovim", "version": "0.7.2"})
        self.editor.open(URI, SMALL_TEXT)
        self.assertEqual(["Draw · best: to 3"], self.editor.lenses(URI))
        self.assertEqual(0, self.editor.quit())
        self.assertEqual([[]], [m["params"]["diagnostics"] for m in self.editor.seen if "params" in m])


class Slow(FeatureTest):
    """A puzzle that takes longer than anybody waits for a lens. It must not be solved when a test ends."""

    puzzle = json.dumps(path_puzzle(20000)["graph"], separators=(",", ":"))

    def begin_slow(self):
        self.editor.open(URI, self.puzzle)
        lenses = self.editor.lenses(URI)
        self.assertTrue(lenses[0].startswith("solving, "), lenses)

    def test_progress_can_be_cancelled(self):
        self.begin_slow()
        created = self.editor.wait(lambda m: m.get("method") == "window/workDoneProgress/create")
        self.editor.send({"id": created["id"], "result": None})
        token = created["params"]["token"]
        begun = self.editor.wait(lambda m: m.get("method") == "$/progress")["params"]
        self.assertEqual((token, "begin", True), (begun["token"], begun["value"]["kind"], begun["value"]["cancellable"]))
        self.editor.tell("window/workDoneProgress/cancel", {"token": token})
        ended = self.editor.wait(
            lambda m: m.get("method") == "$/progress" and m["params"]["value"]["kind"] == "end")
        self.assertEqual(token, ended["params"]["token"])
        self.assertEqual(["not solved: cancelled"], self.editor.lenses(URI))

    def test_progress_is_told_of_at_most_five_times_a_second(self):
        self.begin_slow()
        created = self.editor.wait(lambda m: m.get("method") == "window/workDoneProgress/create")
        self.editor.send({"id": created["id"], "result": None})
        times = []
        for _ in range(4):
            self.editor.wait(lambda m: m.get("method") == "$/progress")
            times.append(time.monotonic())
        self.assertGreater(times[3] - times[0], 0.39)

    def test_an_edit_cancels_the_solve(self):
        self.begin_slow()
        self.editor.change(URI, SMALL_TEXT)
        self.assertEqual(["Draw · best: to 3"], self.editor.lenses(URI))
        self.wait_until_nothing_is_solved()

    def wait_until_nothing_is_solved(self):
        deadline = time.monotonic() + 60
        while json.loads(self.folder.client("status", "--json").stdout)["jobs_running"]:
            self.assertLess(time.monotonic(), deadline)

    def test_shutdown_in_the_middle_of_a_solve(self):
        self.begin_slow()
        waiting = self.editor.ask("workspace/executeCommand", {"command": "catmouse.solve", "arguments": [{"uri": URI}]})
        shutdown = self.editor.ask("shutdown")
        self.assertEqual(-32800, self.editor.answer(waiting)["error"]["code"])
        self.assertIsNone(self.editor.answer(shutdown)["result"])
        self.editor.tell("exit")
        self.assertEqual(0, self.editor.process.wait(60))
        self.wait_until_nothing_is_solved()

    def test_a_cancelled_request_is_answered_once(self):
        self.begin_slow()
        waiting = self.editor.ask("workspace/executeCommand", {"command": "catmouse.query", "arguments": [{"uri": URI}]})
        self.editor.tell("$/cancelRequest", {"id": waiting})
        self.editor.tell("$/cancelRequest", {"id": waiting})
        self.assertEqual(-32800, self.editor.answer(waiting)["error"]["code"])
        self.assertTrue(self.run_command("catmouse.cancel", uri=URI)["cancelled"])
        self.assertFalse(self.run_command("catmouse.cancel", uri=URI)["cancelled"])
        self.assertEqual(0, self.editor.quit())
        self.assertEqual(1, sum(m.get("id") == waiting for m in self.editor.seen))

    def test_a_closed_file_answers_what_waits_for_it(self):
        self.editor.open(URI, self.puzzle)
        waiting = self.editor.ask("textDocument/codeLens", {"textDocument": {"uri": URI}})
        self.editor.tell("textDocument/didClose", {"textDocument": {"uri": URI}})
        self.assertIn("result", self.editor.answer(waiting))
        self.wait_until_nothing_is_solved()


class Hovers(FeatureTest):
    def hover(self, position):
        answer = self.editor.in_text("textDocument/hover", URI, position)
        return answer and answer["contents"]["value"]

    def test_a_node_a_list_and_the_head(self):
        self.editor.open(URI, SMALL_TEXT)
        on_node = self.hover((0, 35))
        self.assertIn("Mouse at 0, cat at 2, mouse to move: **Mouse has won**", on_node)
        self.assertNotIn("cat at 0", on_node)
        self.assertIn("Mouse at 3, cat at 2, mouse to move: **Cat wins in 4 plies**\n- losing: ", self.hover((0, 8)))
        self.assertIn("Mouse at 4, cat at 2", self.hover((0, 27)))
        head = self.hover((0, 0))
        for part in ("**Draw**", "graph of 6 nodes", "longest win of the mouse: 4 plies", "id d5aaf0"):
            self.assertIn(part, head)

    def test_a_cell_and_a_wall(self):
        self.editor.open(URI, GRID_TEXT)
        on_cell = self.hover((0, 22))
        self.assertIn("Mouse at 1:3, cat at 1:1, mouse to move: **Mouse wins in 3 plies**\n- winning: 1:4 (2 plies)", on_cell)
        self.assertIn("Mouse at 2:0, cat at 1:3, cat to move", on_cell)
        self.assertIsNone(self.hover((0, 11)))

    def test_broken_text_and_none(self):
        self.editor.open(URI, "// nothing here\n[[1]]")
        self.assertIsNone(self.hover((0, 3)))
        self.assertEqual("not solved: the puzzle has faults", self.hover((1, 2)))
        self.assertIsNone(self.editor.call("textDocument/hover", {"textDocument": {"uri": "file:///no"}, "position": place((0, 0))}))

    def test_plain_text_for_who_knows_no_markdown(self):
        self.editor = self.start({"textDocument": {"codeLens": {}, "hover": {"contentFormat": ["plaintext"]}}})
        self.editor.open(URI, SMALL_TEXT)
        self.assertIn("mouse to move: Mouse has won", self.hover((0, 35)))


class Repairs(FeatureTest):
    def test_each_fault_has_one_preferred_repair(self):
        for text, title, mended in (
            ("[[1, 2], [0, 2], [1]]", "Add 0 to the list of 2", "[[1, 2], [0, 2], [1, 0]]"),
            ("[[1,2],[0],[]]", "Add 0 to the list of 2", "[[1,2],[0],[0]]"),
            ("[[1,2,9],[0,2],[0,1]]", "Drop 9 from the list of 0", "[[1,2],[0,2],[0,1]]"),
            ("[[9, 1,2],[0,2],[0,1]]", "Drop 9 from the list of 0", "[[1,2],[0,2],[0,1]]"),
            ("[[1,2],[0,2,1],[0,1]]", "Remove the self-loop", "[[1,2],[0,2],[0,1]]"),
            ("[[1,2],[0,2],[0,\n 0,1]]", "Remove the duplicate", "[[1,2],[0,2],[0,1]]"),
            ('{"grid":["CM?F"],"catJump":1,"mouseJump":1}', "Make this cell empty",
             '{"grid":["CM.F"],"catJump":1,"mouseJump":1}'),
            ('{"grid":["CMMF"],"catJump":1,"mouseJump":1}', "Make this cell empty",
             '{"grid":["CM.F"],"catJump":1,"mouseJump":1}'),
            ('{"grid":["CMF"],"catJump":0,"mouseJump":1}', "Make the jump 1",
             '{"grid":["CMF"],"catJump":1,"mouseJump":1}'),
        ):
            with self.subTest(text=text):
                preferred = [a for a in self.actions(text, only=["quickfix"]) if a[2]]
                self.assertEqual([(title, "quickfix", True, mended)], preferred)

    def test_a_missing_mirror_may_be_dropped_instead(self):
        found = self.actions("[[1,2],[0,2],[1]]", only=["quickfix"])
        self.assertEqual(["Add 0 to the list of 2", "Drop 2 from the list of 0"], [a[0] for a in found])
        self.assertEqual([True, False], [a[2] for a in found])
        self.assertEqual("[[1],[0,2],[1]]", found[1][3])

    def test_all_repairs_make_a_puzzle_that_is_solved(self):
        text = "[[2,5,5,0,77],\n[3],\n[4, 5],\n[1,4],[2,3,-1],\n[0,2,3],[]]"
        title, kind, _, mended = self.actions(text, only=["source.fixAll"])[0]
        self.assertEqual(("Make all repairs", "source.fixAll.catmouse"), (title, kind))
        self.editor.change(URI, mended)
        self.assertEqual([], self.editor.diagnostics(URI))
        self.assertIn("plies", self.editor.lenses(URI)[0] + " plies")

    def test_other_forms(self):
        for text, title, made in (
            ("[[1,2],[0,2],[0,1]]", "Write as an object", '{"graph": [[1,2],[0,2],[0,1]]}'),
            ('{ "graph":[[1,2],[0,2],[0,1]] }', "Write as a bare list, as in LeetCode's box", "[[1,2],[0,2],[0,1]]"),
            (GRID_TEXT, "Write as in LeetCode's box", '["####F","#C...","M...."]\n1\n2'),
            ('["####F","#C...","M...."]\n1\n2', "Write as an object", GRID_TEXT),
        ):
            with self.subTest(text=text):
                self.assertIn((title, "refactor.rewrite", False, made), self.actions(text))

    def test_sorted_lists(self):
        found = self.actions("[[2, 1],\n[0,2],[1,0]]", only=["source.sortLists"])
        self.assertEqual([("Sort lists", "source.sortLists.catmouse", False, "[[1, 2],\n[0,2],[0,1]]")], found)


class Others(FeatureTest):
    def test_inlay_hints(self):
        self.editor.open(URI, SMALL_TEXT + "\n" + GRID_TEXT)
        hints = self.editor.in_text("textDocument/inlayHint", URI, range=range_of((0, 0), (0, 15)))
        self.assertEqual([("0 hole", 1), ("1 mouse", 7), ("2 cat", 11)],
                         [(h["label"], h["position"]["character"]) for h in hints])
        rows = self.editor.in_text("textDocument/inlayHint", URI, range=range_of((1, 0), (2, 0)))
        self.assertEqual([("0", 10), ("1", 18), ("2", 26)], [(h["label"], h["position"]["character"]) for h in rows])

    def labels(self, text, position):
        self.editor.open(URI, text)
        return [item["label"] for item in self.editor.in_text("textDocument/completion", URI, position)]

    def test_completion(self):
        self.assertEqual(["0", "3"], self.labels("[[1,2],[0],[],[2]]", (0, 12)))
        self.assertEqual(["mouseJump"], self.labels('{"grid": ["CMF"], "catJump": 1, }', (0, 32)))
        self.assertEqual(["graph", "grid", "catJump", "mouseJump"], self.labels('{"gr', (0, 4)))
        self.assertEqual([], self.labels('{"graph": [[1]], "', (0, 18)))

    def test_outline(self):
        self.editor.open(URI, "[[1,2],\n[0,2],\n[0,\n1]]\n" + GRID_TEXT)
        symbols = self.editor.in_text("textDocument/documentSymbol", URI)
        self.assertEqual([("graph of 3 nodes", 3), ("grid of 3 rows", 3)],
                         [(s["name"], len(s["children"])) for s in symbols])
        folds = self.editor.in_text("textDocument/foldingRange", URI)
        self.assertEqual([(0, 3), (2, 3)], [(f["startLine"], f["endLine"]) for f in folds])

    def test_commands(self):
        self.editor.open(URI, SMALL_TEXT)
        state = {"mouse": 3, "cat": 2, "turn": "mouse"}
        self.assertEqual("draw", self.run_command("catmouse.solve", uri=URI)["start"]["outcome"])
        self.assertEqual(4, self.run_command("catmouse.query", uri=URI, state=state)["plies"])
        self.assertEqual("caught", self.run_command("catmouse.line", uri=URI, state=state)["end"])
        self.assertEqual("max", self.run_command("catmouse.line", uri=URI, state=state, max=1)["end"])
        self.assertTrue(self.run_command("catmouse.picture", uri=URI)["svg"].startswith("<svg"))
        self.editor.open(URI, SMALL_TEXT + "\n" + GRID_TEXT)
        self.assertEqual("grid", self.run_command("catmouse.solve", uri=URI, position=place((1, 5)))["game"])
        self.assertEqual("grid", self.run_command("catmouse.solve", uri=URI, puzzle=1)["game"])
        by_row = {"mouse": [2, 1], "cat": [1, 1], "turn": "mouse"}
        self.assertEqual(5, self.run_command("catmouse.query", text=GRID_TEXT, state=by_row)["plies"])

    def test_commands_that_cannot_be_done(self):
        self.editor.open(URI, "[[1]]")
        for params, code in (
            ({"command": "catmouse.dance"}, -32602),
            ({"command": "catmouse.solve"}, -32602),
            ({"command": "catmouse.solve", "arguments": [{"uri": URI}]}, -32803),
            ({"command": "catmouse.solve", "arguments": [{"uri": URI, "puzzle": 7}]}, -32602),
            ({"command": "catmouse.query", "arguments": [{"text": SMALL_TEXT, "state": 5}]}, -32602),
            ({"command": "catmouse.query",
              "arguments": [{"text": SMALL_TEXT, "state": {"mouse": 99, "cat": 2, "turn": "cat"}}]}, -32602),
        ):
            answer = self.editor.answer(self.editor.ask("workspace/executeCommand", params))
            self.assertEqual(code, answer["error"]["code"], params)

    def test_a_bare_list_in_json_is_a_puzzle_once_it_is_asked_for(self):
        uri = "file:///other.json"
        self.editor.open(uri, "[[1,2],[0,2],[0,9]]", language="json")
        self.assertEqual([], self.editor.diagnostics(uri))
        self.assertEqual([], self.editor.lenses(uri))
        self.editor.ask("workspace/executeCommand", {"command": "catmouse.solve", "arguments": [{"uri": uri}]})
        self.assertTrue(self.editor.diagnostics(uri))


class Together(FeatureTest):
    def test_every_puzzle_of_the_examples_is_solved(self):
        for path in sorted((ROOT / "examples/puzzles").iterdir()):
            uri = f"file:///{path.name}.catmouse"
            self.editor.open(uri, path.read_text())
            self.assertEqual([], self.editor.diagnostics(uri))
            self.assertIn("best: to", self.editor.lenses(uri)[0])

    def test_a_thousand_puzzles_in_a_file(self):
        self.editor.open(URI, (SMALL_TEXT + "\n") * 1000)
        self.assertEqual(["Draw · best: to 3"] * 1000, self.editor.lenses(URI))


if __name__ == "__main__":
    main()
