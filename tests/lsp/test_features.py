#!/usr/bin/python3
"""What an editor is shown: lenses, hovers, repairs and the rest, with the real daemon."""
import collections
import json
import random
import re
import time
import unittest

from editor import Editor, apply_edits, is_solving, place, range_of
from harness import DEADLINE_S, ROOT, SMALL, Daemon, Folder, main, wait_until
from wire import HELD, Holder

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


def quote(text):
    """A block of Markdown in a quote."""
    return "".join(f"> {line}\n" for line in ["```catmouse", *text.split("\n"), "```"])


class FeatureTest(unittest.TestCase):
    arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.folder = Folder()
        cls.addClassCleanup(cls.folder.remove)
        cls.daemon = Daemon(cls.folder, *cls.arguments)
        cls.addClassCleanup(cls.daemon.stop)

    def setUp(self):
        self.editor = self.start()

    def start(self, capabilities=None, **options):
        started = Editor(self.folder)
        self.addCleanup(started.kill)
        started.initialize(ABLE if capabilities is None else capabilities, **options)
        return started

    def actions(self, text, begin=(0, 0), end=(99, 0), only=None, uri=URI, language="catmouse"):
        """Title, kind, whether preferred, and the text that comes of it."""
        if uri in self.editor.versions:
            self.editor.change(uri, text)
        else:
            self.editor.open(uri, text, language)
        context = {"diagnostics": [], **({"only": only} if only else {})}
        found = []
        for action in self.editor.in_text("textDocument/codeAction", uri, range=range_of(begin, end), context=context):
            change = action["edit"]["documentChanges"][0]
            self.assertEqual({"uri": uri, "version": self.editor.versions[uri]}, change["textDocument"])
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
        while is_solving(shown := self.editor.diagnostics(URI)):
            pass
        self.assertEqual([("verdict", 3, "Draw · best: to 3")],
                         [(d["code"], d["severity"], d["message"]) for d in shown])

    def test_neovim_shows_lenses_without_saying_so(self):
        self.editor = self.start(capabilities={}, clientInfo={"name": "Neovim", "version": "0.7.2"})
        self.editor.open(URI, SMALL_TEXT)
        self.assertEqual(["Draw · best: to 3"], self.editor.lenses(URI))
        self.assertEqual(0, self.editor.quit())
        self.assertEqual([[]], [m["params"]["diagnostics"] for m in self.editor.seen if "params" in m])


class Slow(FeatureTest):
    """A puzzle that takes longer than anybody waits for a lens; the daemon looks often how far it has come."""

    arguments = (*Holder.ARGUMENTS, "--memory-keep", "80")
    puzzle = json.dumps(HELD["graph"], separators=(",", ":"))

    def setUp(self):
        super().setUp()
        self.addCleanup(Holder(self.folder.socket).release)

    def begin_slow(self):
        self.editor.open(URI, self.puzzle)
        lenses = self.editor.lenses_now(URI)
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
        began = time.monotonic()
        self.editor.send({"id": created["id"], "result": None})
        for _ in range(11):
            self.editor.wait(lambda m: m.get("method") == "$/progress")
        self.assertGreater(time.monotonic() - began, 1.5)  # ten times 0.2, less what a server can be late with the first

    def test_an_edit_cancels_the_solve(self):
        self.begin_slow()
        self.editor.change(URI, SMALL_TEXT)
        self.assertEqual(["Draw · best: to 3"], self.editor.lenses(URI))
        self.wait_until_nothing_is_solved()

    def wait_until_nothing_is_solved(self):
        wait_until(lambda: not (status := json.loads(self.folder.client("status", "--json").stdout))["jobs_running"]
                   and not status["jobs_queued"], "the end of the solve")

    def test_shutdown_in_the_middle_of_a_solve(self):
        self.begin_slow()
        waiting = self.editor.ask("workspace/executeCommand", {"command": "catmouse.solve", "arguments": [{"uri": URI}]})
        shutdown = self.editor.ask("shutdown")
        self.assertEqual(-32800, self.editor.answer(waiting)["error"]["code"])
        self.assertIsNone(self.editor.answer(shutdown)["result"])
        self.editor.tell("exit")
        self.assertEqual(0, self.editor.process.wait(DEADLINE_S))
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
        self.editor.lenses(URI)  # by then the verdict is there
        answer = self.editor.in_text("textDocument/hover", URI, position)
        return answer and answer["contents"]["value"]

    def test_a_node_a_list_and_the_head(self):
        self.editor.open(URI, SMALL_TEXT)
        on_node = self.hover((0, 35))
        self.assertIn("Mouse at 0, cat at 2, mouse to move: **Mouse has won**", on_node)
        self.assertNotIn("cat at 0", on_node)
        self.assertIn("Mouse at 3, cat at 2, mouse to move: **Cat wins in 4 plies**\n- losing: ", self.hover((0, 8)))
        self.assertIn("Mouse at 4, cat at 2", self.hover((0, 27)))
        self.assertIn("Mouse at 5, cat at 2, mouse to move: **Mouse wins in 1 ply**\n- winning: 0 (at once)", self.hover((0, 4)))
        head = self.hover((0, 0))
        for part in ("**Draw**", "graph of 6 nodes", "longest win of the mouse: 4 plies", "id d5aaf0"):
            self.assertIn(part, head)
        self.editor.change(URI, "[[1,2],[0,2],[0,1]]")
        self.assertIn("longest win of the mouse: 1 ply,", self.hover((0, 0)))

    def test_a_cell_and_a_wall(self):
        self.editor.open(URI, GRID_TEXT)
        on_cell = self.hover((0, 22))
        self.assertIn("Mouse at 1:3, cat at 1:1, mouse to move: **Mouse wins in 3 plies**\n- winning: 1:4 (2 plies)", on_cell)
        self.assertIn("Mouse at 2:0, cat at 1:3, cat to move", on_cell)
        self.assertIsNone(self.hover((0, 11)))

    def test_broken_text_and_none(self):
        self.editor.open(URI, "// nothing here\n[[1]]")
        self.assertIsNone(self.hover((0, 3)))
        self.assertTrue(self.hover((1, 2)).startswith("not solved: the puzzle has faults\n\ngraph has 1 node, but"))
        self.editor.change(URI, SMALL_TEXT)
        self.hover((0, 0))
        self.editor.change(URI, "[[1,2],[0,2,2],[0,1,9]]")
        for column, fault in ((2, "graph[1] lists node 2 twice"), (12, "graph[1] lists node 2 twice"), (20, "graph[2] lists node 9")):
            self.assertRegex(self.hover((0, column)), r"^draw \(before this edit\)\n\n" + re.escape(fault))
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
            ('[[1,"2"],[0,2],[0,1]]', "Write 2 without quotes", "[[1,2],[0,2],[0,1]]"),
            ("[[1,2, null],[0,2],[0,1]]", "Drop it from the list", "[[1,2],[0,2],[0,1]]"),
            ("[[x, 1,2],[0,2],[0,1]]", "Drop it from the list", "[[1,2],[0,2],[0,1]]"),
            ("[[1,2],0,[0]]", "Write [0] here", "[[1,2],[0],[0]]"),
            ("[[1,2],[0],null]", "Write [] here", "[[1,2],[0],[]]"),
            ("[[1,2],[0,2],[0,1]", "Write the ] that is missing", "[[1,2],[0,2],[0,1]]"),
            ('{"graph": [[1,2],[0,2],[0,1]]', "Write the } that is missing", '{"graph": [[1,2],[0,2],[0,1]]}'),
            ("[[1,2],[0,2],[0,1}]", "Write ] here", "[[1,2],[0,2],[0,1]]"),
            ("[[1,2],[0,2],[0,1]]]", "Remove the ]", "[[1,2],[0,2],[0,1]]"),
            ("[[1,2],[0 2],[0,1]]", "Write a comma", "[[1,2],[0, 2],[0,1]]"),
            ("[[1,,2],[0,2],[0,1]]", "Remove the comma", "[[1,2],[0,2],[0,1]]"),
            ('["CM?F"] 1 1', "Make this cell empty", '["CM.F"] 1 1'),
            ('["CM🐈F"] 1 1', "Make this cell empty", '["CM.F"] 1 1'),
            ('["CMMF"] 1 1', "Make this cell empty", '["CM.F"] 1 1'),
            ('["cM.F"] 1 1', "Write C", '["CM.F"] 1 1'),
            ('["CMF", "."] 1 1', "Add 2 empty cells", '["CMF", "..."] 1 1'),
            ('["CMF", "...."] 1 1', "Drop the last cell", '["CMF", "..."] 1 1'),
            ('["C.F", "..."] 1 1', "Put the mouse at 0:1", '["CMF", "..."] 1 1'),
            ('["..F", ".M."] 1 1', "Put the cat at 0:0", '["C.F", ".M."] 1 1'),
            ('["C##", ".M."] 1 1', "Put the food at 1:0", '["C##", "FM."] 1 1'),
            ('{"grid":["CMF"],"catJump":0,"mouseJump":1}', "Make the jump 1",
             '{"grid":["CMF"],"catJump":1,"mouseJump":1}'),
            ('{"grid":["CMF"],"catJump":"two","mouseJump":1}', "Make the jump 1",
             '{"grid":["CMF"],"catJump":1,"mouseJump":1}'),
            ('{"grid":["CMF"],"catJump":2}', "Add mouseJump 1", '{"grid":["CMF"],"catJump":2, "mouseJump": 1}'),
            ('grid = ["CMF"], mouseJump = 2', "Add catJump 1", 'grid = ["CMF"], mouseJump = 2, catJump = 1'),
            ('["CMF"] 2', "Add mouseJump 1", '["CMF"] 2\n1'),
            ("CMF\n...\n2", "Add mouseJump 1", "CMF\n...\n2\n1"),
            ('["CMF,"..."] 1 1', "Close the quote", '["CMF","..."] 1 1'),
            ('["CMF","...] 1 1', "Close the quote", '["CMF","..."] 1 1'),
        ):
            with self.subTest(text=text):
                preferred = [a for a in self.actions(text, only=["quickfix"]) if a[2]]
                self.assertEqual([(title, "quickfix", True, mended)], preferred)
                self.editor.change(URI, mended)
                left = {d["code"] for d in self.editor.diagnostics(URI)}
                self.assertLessEqual(left, {"missing-mirror"}, mended)

    def test_what_no_single_edit_mends_has_no_repair(self):
        for text in ("[[1],[0]]", "{}", '{"graph": 7}', '["##"] 1 1'):
            with self.subTest(text=text):
                self.assertEqual([], self.actions(text, only=["quickfix"]))

    def check_preferred(self, text):
        """Of each fault that has repairs, exactly one is preferred."""
        self.actions(text)
        context = {"diagnostics": [], "only": ["quickfix"]}
        found = self.editor.in_text("textDocument/codeAction", URI, range=range_of((0, 0), (99, 0)), context=context)
        preferred = collections.Counter()
        for action in found:
            preferred[json.dumps(action["diagnostics"])] += action.get("isPreferred", False)
        self.assertLessEqual(set(preferred.values()), {1})

    def test_repairs_end(self):
        """Of puzzles in which anything was changed: nothing is left to repair after some rounds."""
        chance = random.Random(913)
        whole = ["[[2,5],[3],[0,4,5],[1,4,5],[2,3],[0,2,3]]", GRID_TEXT, '["####F","#C...","M...."]\n1\n2', "CMF\n...\n1 2"]
        for _ in range(1000):
            text = chance.choice(whole)
            for _ in range(chance.randrange(1, 4)):
                at = chance.randrange(len(text))
                text = text[:at] + chance.choice(["", *'[]{}"\',;:07CMF.# \n']) + text[at + chance.randrange(2) :]
            with self.subTest(text=text):
                self.check_preferred(text)
                for _ in range(100):
                    found = self.actions(text, only=["source.fixAll"])
                    if not found:
                        break
                    self.assertNotEqual(text, found[0][3])
                    text = found[0][3]
                self.assertEqual([], found)

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

    def test_all_repairs_mend_what_cannot_be_read_first(self):
        text = '[[2,5 5],[3],["4", 5],[1,4],[2,3]]]\n{"grid": ["C..", "???"]}'
        for mended in (
            '[[2,5, 5],[3],[4, 5],[1,4],[2,3]]\n{"grid": ["CMF", "..."], "catJump": 1, "mouseJump": 1}',
            '[[2],[3],[4, 0],[1,4],[2,3]]\n{"grid": ["CMF", "..."], "catJump": 1, "mouseJump": 1}',
        ):
            text = self.actions(text, only=["source.fixAll"])[0][3]
            self.assertEqual(mended, text)
        self.assertEqual([], self.actions(text, only=["source.fixAll"]))

    def test_other_forms(self):
        for text, title, made in (
            ("[[1,2],[0,2],[0,1]]", "Write as an object", '{"graph": [[1,2],[0,2],[0,1]]}'),
            ('{ "graph":[[1,2],[0,2],[0,1]] }', "Write as a bare list, as in LeetCode's box", "[[1,2],[0,2],[0,1]]"),
            (GRID_TEXT, "Write as in LeetCode's box", '["####F","#C...","M...."]\n1\n2'),
            ('["####F","#C...","M...."]\n1\n2', "Write as an object", GRID_TEXT),
        ):
            with self.subTest(text=text):
                self.assertIn((title, "refactor.rewrite", False, made), self.actions(text))

    def test_in_a_quote_every_line_stays_quoted(self):
        for text, title, made in (
            ("[[1,2],\n[0,2],\n[0,\n9,\n1]]", "Make all repairs", "[[1,2],\n[0,2],\n[0,\n1]]"),
            ("[[1,2],\n[0,2],\n[1,\nx]]", "Drop it from the list", "[[1,2],\n[0,2],\n[1]]"),
            ('["CMF",\n"..."]\n2', "Add mouseJump 1", '["CMF",\n"..."]\n2 1'),
            ('{"grid": ["CMF",\n"..."], "catJump": 1, "mouseJump": 2}', "Write as in LeetCode's box",
             '["CMF",\n"..."] 1 2'),
        ):
            with self.subTest(text=text):
                found = self.actions(quote(text), uri="file:///quoted.md", language="markdown")
                self.assertEqual([quote(made)], [action[3] for action in found if action[0] == title])

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
        self.assertEqual([None] * 3 + ["####F", "#C...", "M...."],
                         [row.get("detail") for s in symbols for row in s["children"]])
        folds = self.editor.in_text("textDocument/foldingRange", URI)
        self.assertEqual([(0, 3), (2, 3)], [(f["startLine"], f["endLine"]) for f in folds])

    def test_commands(self):
        self.editor.open(URI, SMALL_TEXT)
        state = {"mouse": 3, "cat": 2, "turn": "mouse"}
        self.assertEqual("draw", self.run_command("catmouse.solve", uri=URI)["start"]["outcome"])
        self.assertEqual(4, self.run_command("catmouse.query", uri=URI, state=state)["plies"])
        self.assertEqual("caught", self.run_command("catmouse.line", uri=URI, state=state)["end"])
        self.assertEqual("max", self.run_command("catmouse.line", uri=URI, state=state, max=1)["end"])
        self.assertTrue(self.run_command("catmouse.picture", text=GRID_TEXT)["svg"].startswith("<svg"))
        self.editor.open("file:///quoted.md", quote('["####F",\n"#C...",\n"M...."]\n1\n2'), "markdown")
        self.assertTrue(self.run_command("catmouse.picture", uri="file:///quoted.md")["svg"].startswith("<svg"))
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

    def test_a_picture_that_cannot_be_drawn(self):
        """Of a graph, without Graphviz on the path."""
        editor = Editor(self.folder, env={"PATH": "/nowhere"})
        self.addCleanup(editor.kill)
        editor.initialize(ABLE)
        asked = {"command": "catmouse.picture", "arguments": [{"text": SMALL_TEXT}]}
        error = editor.answer(editor.ask("workspace/executeCommand", asked))["error"]
        self.assertRegex(error["message"], r"^drawing a graph takes Graphviz's program neato.*\S$")

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

    def test_thousands_of_faults_in_a_file(self):
        """What a quote too many makes of a large puzzle: thousands of small ones, none of them sound."""
        self.editor.open(URI, '[["1"2],' + ",\n".join("[%d,%d]" % (n, n + 1) for n in range(5000)) + "]")
        self.assertEqual(1000, len(self.editor.diagnostics(URI)))
        asked = {"range": range_of((0, 0), (9999, 0)), "context": {"diagnostics": []}}
        found = self.editor.in_text("textDocument/codeAction", URI, **asked)
        self.assertLessEqual(len(found), 101)
        self.assertLessEqual(len(found[-1]["edit"]["documentChanges"][0]["edits"]), 100)

    def test_a_thousand_puzzles_in_a_file(self):
        self.editor.open(URI, (SMALL_TEXT + "\n") * 1000)
        self.assertEqual(["Draw · best: to 3"] * 1000, self.editor.lenses(URI))


if __name__ == "__main__":
    main()
