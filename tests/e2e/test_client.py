#!/usr/bin/python3
"""cmclient as people and scripts use it: each command, each form of a puzzle, each exit status."""
import json
import os
import pty
import re
import signal
import subprocess
import termios
import time

import harness
from harness import CMCLIENT, CMDAEMON, DEADLINE_S, ROOT, SMALL, DaemonTest, FolderTest
from wire import HELD, Holder, JsonConnection

GRID = {"grid": ["####F", "#C...", "M...."], "catJump": 1, "mouseJump": 2}
BOX = '["####F","#C...","M...."]\n1\n2\n'


class ClientTest(DaemonTest):
    def run_client(self, *arguments, status=0, **options):
        done = self.folder.client(*arguments, **options)
        self.assertEqual(status, done.returncode, done.stderr + done.stdout)
        return done

    def on_terminal(self, *arguments, columns=80, env=None, interrupt=False):
        """What cmclient writes to a terminal, stdout and stderr, and its exit status."""
        master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (24, columns))
        client = subprocess.Popen([CMCLIENT, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=slave,
                                  stderr=slave, env={**self.folder.env, "TERM": "xterm", **(env or {})})
        os.close(slave)
        said = b""
        try:
            while chunk := os.read(master, 1 << 16):
                said += chunk
                if interrupt and b"solving: " in said:
                    client.send_signal(signal.SIGINT)
                    interrupt = False
        except OSError:  # the terminal's other end is closed
            pass
        os.close(master)
        return said.decode(), client.wait(DEADLINE_S)


class Client(ClientTest):
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
        same = [json.dumps(GRID), BOX, BOX.replace("\n", "\r\n"), "\ufeff " + BOX]
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

    def test_row_and_column_of_a_known_grid(self):
        """By id and of the puzzle last solved, the daemon knows how wide the grid is."""
        id_ = json.loads(self.run_client("solve", "--json", stdin=BOX).stdout)["id"]
        by_cell = self.run_client("query", "--json", "--state", "10,6,mouse").stdout
        for which in ([], ["--id", id_[:7].upper()]):
            self.assertEqual(by_cell, self.run_client("query", "--json", "--state", "2:0, 1:1, 0", *which).stdout)
            self.assertIn("  1. to 2:2 ", self.run_client("query", "--state", "2:0,1:1,0", *which).stdout)
            self.assertIn("  1. mouse to 2:2       2:2,1:1,cat      only move\n", self.run_client("line", "--state", "2:0,1:1,0", *which).stdout)
            self.assertRegex(self.run_client("stats", *which).stdout, r"longest win of the cat: .* from \d:\d,\d:\d,")
            for command in ("stats", "verify"):
                self.assertEqual(5, json.loads(self.run_client(command, "--json", *which).stdout)["cols"])
        self.assertIn("  1. to 2:2 ", self.run_client("query", "--state", "10,6,0").stdout)
        for place, row, col in (("3:0", 3, 0), ("2:5", 2, 5), ("4294967295:1", 4294967295, 1)):
            said = self.run_client("query", "--state", f"{place},1:1,0", status=1).stderr
            self.assertEqual(f"E_BAD_STATE: state.mouse is row {row}, column {col}, but the grid has 3 rows and "
                             "5 columns\n", said)
        unknown = self.run_client("query", "--state", "2:0,1:1,0", "--id", "0123456789", status=1)
        self.assertIn("E_UNKNOWN_ID: ", unknown.stderr)
        self.run_client("solve", stdin=json.dumps(SMALL))
        self.assertNotIn("cols", json.loads(self.run_client("stats", "--json").stdout))
        said = self.run_client("line", "--state", "0:1,1:1,0", status=1).stderr
        self.assertEqual("E_BAD_STATE: state.mouse is a row and a column, but the puzzle is a graph\n", said)

    def test_a_puzzle_on_standard_input(self):
        """Whoever pipes a puzzle in means it; one that is closed or empty leaves the last one."""
        text, last = json.dumps(SMALL), json.dumps(harness.path_puzzle(6))
        small, path = self.id_of(text), self.id_of(last)
        for command in (["query"], ["line"], ["stats"], ["verify"]):
            for arguments in (command, [*command, "-"]):
                self.id_of(last)
                said = json.loads(self.run_client(*arguments, "--json", stdin=text).stdout)
                self.assertEqual(small, said["id"], arguments)
            self.id_of(last)
            for nothing in ("", "\n"):
                said = json.loads(self.run_client(*command, "--json", stdin=nothing).stdout)
                self.assertEqual(path, said["id"], command)
            closed = ["sh", "-c", f'exec "$0" {command[0]} --json <&-', CMCLIENT]
            said = json.loads(subprocess.run(closed, env=self.folder.env, capture_output=True, check=True).stdout)
            self.assertEqual(path, said["id"], command)

    def test_names_of_several_in_one_text(self):
        """Each is listed by what is its own."""
        self.run_client("clear")
        text = "graph = [[2],[2],[0,1]]\n[[1,3],[0],[3],[0,2]]\n"
        self.run_client("solve", stdin=text)
        said = self.run_client("list").stdout
        self.assertRegex(said, r"\n\w{6} graph = \[\[2\]")
        self.assertRegex(said, r"\n\w{6} \[\[1,3\]")
        cases = self.folder.path / "cases.txt"
        cases.write_text(text, encoding="utf-8")
        self.run_client("solve", cases)
        said = self.run_client("list").stdout
        self.assertIn("cases.txt, case 1", said)
        self.assertIn("cases.txt, case 2", said)

    def test_list_names_what_was_asked_about(self):
        for nodes, command in zip(range(20, 24), ("query", "line", "stats", "verify")):
            file = self.folder.path / f"asked-by-{command}.json"
            file.write_text(json.dumps(harness.path_puzzle(nodes)))
            self.run_client(command, file)
            self.assertRegex(self.run_client("list").stdout, rf"(?m)^\w{{6}} asked-by-{command}\.json +{nodes} - ")

    def test_the_last_puzzle(self):
        """It is this user's, whatever others solve, and every answer about it names it."""
        small, other = self.id_of(json.dumps(SMALL)), harness.path_puzzle(7)
        stranger = {"XDG_STATE_HOME": str(self.folder.path / "stranger")}
        self.run_client("solve", stdin=json.dumps(other), env=stranger)
        ago = r"solved (just now|\d+ \w+ ago)"
        named = rf"puzzle {small[:6]}, graph of 6 nodes, {ago}\n"
        for command in ("query", "line", "stats", "verify"):
            self.assertRegex(self.run_client(command).stdout, "^" + named)
            self.assertEqual(small, json.loads(self.run_client(command, "--json").stdout)["id"])
            self.assertNotRegex(self.run_client(command, stdin=json.dumps(SMALL)).stdout, ago)
        for command in ("explain", "draw", "play"):
            self.assertRegex(self.run_client(command).stdout, "^" + named)
        self.assertIn("graph of 7 nodes, solved", self.run_client("stats", env=stranger).stdout)
        self.run_client("evict", small)
        for command in ("query", "explain", "draw", "play"):
            said = self.run_client(command, status=1).stderr
            self.assertIn("E_UNKNOWN_ID: ", said)
            self.assertRegex(said, f"The last puzzle {small[:6]}, graph of 6 nodes, {ago}, is no longer kept")
        nobody = {"XDG_STATE_HOME": str(self.folder.path / "nobody")}
        for command in ("query", "explain", "draw", "play"):
            said = self.run_client(command, env=nobody, status=2).stderr
            self.assertIn("no puzzle is given and none was solved yet", said)

    def test_start(self):
        """Where no state is given, it is the puzzle's own start."""
        for text, start, shown in ((json.dumps(SMALL), {"mouse": 1, "cat": 2, "turn": "mouse"}, "1,2,mouse"),
                                   (BOX, {"mouse": 10, "cat": 6, "turn": "mouse"}, "2:0,1:1,mouse")):
            id_ = self.id_of(text)
            for arguments in ([], ["--start"], ["--id", id_[:8]]):
                for command in ("query", "line"):
                    said = json.loads(self.run_client(command, "--json", *arguments).stdout)
                    self.assertEqual(start, said["state"], arguments)
            self.assertIn(f"\nstart {shown}\n", self.run_client("solve", stdin=text).stdout)
        grid = self.id_of(BOX)
        other = self.id_of(json.dumps(harness.path_puzzle(8)))
        stranger = {"XDG_STATE_HOME": str(self.folder.path / "stranger")}
        for command in ("query", "line", "explain", "draw", "play"):
            self.assertIn("\nmouse at 2:0, cat at 1:1, the mouse to move\n" if command != "explain" else
                          "mouse at 2:0, cat at 1:1; ", self.run_client(command, "--id", grid[:6].upper()).stdout)
            said = self.run_client(command, "--id", other, env=stranger, status=2).stderr
            self.assertIn(f"no puzzle that you solved has id {other}, and an id does not say where the players "
                          "start: give --state M,C,T", said)
        self.run_client("query", "--start", "--state", "1,2,0", status=2)

    def test_faults_are_shown_where_they_are(self):
        file = self.folder.path / "bad.json"
        file.write_text('{"graph": [[2,9],\n [3],[0],[1]]}')
        said = self.run_client("solve", file, status=1).stderr
        self.assertEqual("E_BAD_PUZZLE: graph[0] lists node 9, but there are 4 nodes\n"
                         f"\n{file}, line 1, column 15:\n"
                         '  {"graph": [[2,9],\n'
                         "                ^\n"
                         "  write a node from 0 to 3\n", said)
        for command in ("query", "line", "stats", "verify", "explain"):
            self.assertEqual(said, self.run_client(command, file, status=1).stderr)
        said = self.run_client("solve", stdin='[[2],[3],[0],"\x1b[2J"]', status=1).stderr
        self.assertIn("\\x1b[2J", said)
        self.assertNotIn("\x1b", said)

    def test_a_graph_behind_a_grid(self):
        """The grid's columns are not the graph's."""
        for name, puzzle in (("grid.json", GRID), ("graph.json", SMALL)):
            (self.folder.path / name).write_text(json.dumps(puzzle))
        said = self.run_client("solve", "grid.json", "graph.json", cwd=self.folder.path).stdout
        self.assertEqual(["start 2:0,1:1,mouse", "start 1,2,mouse"], re.findall("start .*", said))

    def test_several_puzzles(self):
        text = f"graph = {SMALL['graph']}\n{BOX}[[2],[3],[0,3],[1,2]]"
        said = self.run_client("solve", stdin=text).stdout
        self.assertEqual(["case 1", "case 2", "case 3"], [line for line in said.splitlines() if "case" in line])
        self.assertEqual("0\ntrue\n2\n", self.run_client("solve", "--leetcode", stdin=text).stdout)
        done = self.run_client("solve", "--leetcode", stdin="[[1]] " + text, status=1)
        self.assertEqual("0\ntrue\n2\n", done.stdout)
        self.assertIn("E_BAD_PUZZLE: graph has 1 node", done.stderr)
        said = self.run_client("query", stdin=text, status=2).stderr
        self.assertIn("standard input holds 3 puzzles, and query is about one", said)
        files = []
        for name, puzzle in (("one", SMALL), ("two", harness.path_puzzle(5)), ("three", GRID)):
            files.append(self.folder.path / f"{name}.json")
            files[-1].write_text(json.dumps(puzzle))
        self.assertEqual("0\n1\ntrue\n", self.run_client("solve", "--leetcode", *files).stdout)
        said = self.run_client("solve", "--json", *files).stdout
        self.assertEqual(3, len([json.loads(line) for line in said.splitlines()]))

    def test_limit_is_said(self):
        """A limit of 2n plies, as published answers take it, is wrong here."""
        puzzle = next(puzzle for puzzle, outcome, plies in harness.cases()
                      if "graph" in puzzle and plies and plies > 2 * len(puzzle["graph"]))
        text, limit = json.dumps(puzzle), 2 * len(puzzle["graph"])
        shown = self.run_client("query", "--limit", limit, stdin=text).stdout
        self.assertIn("No win within the limit: a draw.\n", shown)
        self.assertNotIn("Nobody can force", shown)
        said = shown.splitlines()[0]
        self.assertRegex(said, rf"^Within {limit} plies: a draw; without a limit the \w+ wins in \d+ plies\.$")
        self.assertEqual(said, self.run_client("line", "--limit", limit, stdin=text).stdout.splitlines()[0])
        cut = self.run_client("line", "--limit", 3, harness.ROOT / "examples/puzzles/graph-list.json").stdout
        self.assertTrue(cut.startswith("Within 3 plies: a draw; without a limit the mouse wins in 7 plies.\n"), cut)
        self.assertTrue(cut.endswith("     cut by the limit of 3 plies\n"), cut)
        said = self.run_client("query", "--limit", 1000, stdin=text).stdout.splitlines()[0]
        self.assertRegex(said, r"^Within 1000 plies: the \w+ wins in \d+ plies, as without a limit\.$")

    def test_line_shows_states(self):
        """Each is a --state, from which the rest of the line goes on; and a piece that stays, stays."""
        said = self.run_client("line", stdin=BOX).stdout
        plies = re.findall(r"^ +\d+\. (\w+) +(?:to|stays at) (\S+) +(\S+)", said, re.MULTILINE)
        self.assertEqual(5, len(plies))
        self.assertIn("stays at", said)
        rest = self.run_client("line", "--state", plies[1][2]).stdout
        self.assertEqual([ply[2] for ply in plies[2:]],
                         [state for _, _, state in
                          re.findall(r"^ +\d+\. (\w+) +(?:to|stays at) (\S+) +(\S+)", rest, re.MULTILINE)])
        drawn = self.run_client("line", "--pictures", "2", stdin=BOX).stdout
        self.assertEqual(3, drawn.count("####F"))

    def test_list_and_evict(self):
        file = self.folder.path / "a name.json"
        file.write_text(BOX)
        small = self.id_of(json.dumps(SMALL))
        self.run_client("solve", file)
        said = self.run_client("list").stdout
        self.assertRegex(said, rf"(?m)^{small[:6]} {{\"graph\": \[\[2, 5\], \[3\]\S* +6 draw +(now|\d+ \w+)$")
        self.assertRegex(said, r"(?m)^f8153c a name.json +15 mouse 5 +(now|\d+ \w+)$")
        narrow, _ = self.on_terminal("list", columns=40)
        self.assertTrue(all(len(line) <= 40 for line in narrow.splitlines()), narrow)
        self.assertIn("Forgot 2 puzzles", self.run_client("evict", small[:8], file).stdout)
        said = self.run_client("evict", small[:8], "f8153c", status=1)
        self.assertEqual(2, said.stderr.count("E_UNKNOWN_ID"))
        self.assertIn("f8153 is no file, and no id: that is 6 digits or more", self.run_client("evict", "f8153", status=2).stderr)

    def test_status(self):
        self.assertLessEqual(len(self.run_client("status").stdout.splitlines()), 6)
        self.assertRegex(self.run_client("status", "--limits").stdout, r"(?m)^memory_bytes +\S+ GB$")

    def test_failures_as_json(self):
        for arguments, stdin, status, name, words in (
            (["solve", "--leetcode"], "", 2, None, "give --json or --leetcode, not both"),
            (["solve"], "[[1]]", 1, "E_BAD_PUZZLE", "graph has 1 node, but"),
            (["solve"], "hello", 2, None, "this is no part of a puzzle"),
            (["solve", "/nonexistent"], "", 2, None, "cannot open /nonexistent"),
            (["query", "--id", "0123456789", "--state", "1,2,0"], "", 1, "E_UNKNOWN_ID", ""),
            (["query", "--id", "0123456789", "--state", "1,2,dog"], "", 2, None, "'dog' is neither"),
        ):
            done = self.run_client(*arguments, "--json", stdin=stdin, status=status)
            self.assertEqual("", done.stderr)
            error = json.loads(done.stdout)["error"]
            self.assertEqual(name, error["name"])
            self.assertIn(words, error["message"])

    def id_of(self, text):
        return json.loads(self.run_client("solve", "--json", stdin=text).stdout)["id"]

    def test_every_command(self):
        solved = json.loads(self.run_client("solve", "--json", stdin=json.dumps(SMALL)).stdout)
        id_ = solved["id"]
        self.assertIn("a draw", self.run_client("query", "--state", "1,2,0", "--id", id_[:8]).stdout)
        self.assertIn("was there before", self.run_client("line", "--state", "1,2,0", "--id", id_).stdout)
        stats = self.run_client("stats", "--id", id_).stdout
        self.assertTrue(stats.startswith("graph of 6 nodes, 60 of 72 states can be asked about\n"), stats)
        self.assertIn("endless", stats)
        self.assertIn("Correct: 60", self.run_client("verify", "--id", id_).stdout)
        self.assertIn(id_[:6], self.run_client("list").stdout)
        self.assertIn("requests", self.run_client("status").stdout)
        self.assertEqual("pong\n", self.run_client("ping").stdout)
        self.assertEqual(f"{self.folder.socket}\n", self.run_client("sockname").stdout)
        self.assertIn("Forgot 1 puzzle", self.run_client("evict", id_).stdout)
        self.assertIn("E_UNKNOWN_ID: ", self.run_client("stats", "--id", id_, status=1).stderr)
        self.run_client("clear")
        self.assertIn("No puzzle", self.run_client("list").stdout)

    def test_json_is_the_result_map(self):
        """One line each, and the very map that the socket gives."""
        id_ = json.loads(self.run_client("solve", "--json", stdin=BOX).stdout)["id"]
        start = {"mouse": 10, "cat": 6, "turn": "mouse"}
        at_start = ["--state", "10,6,mouse", "--id", id_]
        with JsonConnection(self.folder.socket) as connection:
            for arguments, params in (
                (["query", *at_start], {"id": id_, "state": start}),
                (["query", *at_start, "--limit", "3"], {"id": id_, "state": start, "limit": 3}),
                (["line", *at_start, "--max", "2"], {"id": id_, "state": start, "max": 2}),
                (["stats", "--id", id_], {"id": id_}),
                (["verify", "--id", id_], {"id": id_}),
                (["ping"], {}),
            ):
                said = self.run_client(*arguments, "--json").stdout
                self.assertEqual(1, said.count("\n"))
                self.assertEqual(connection.call(arguments[0], **params), json.loads(said))
            for command in ("list", "status"):
                said = json.loads(self.run_client(command, "--json").stdout)
                self.assertEqual(connection.call(command).keys(), said.keys())
        self.assertEqual(1, json.loads(self.run_client("evict", id_, "--json").stdout)["evicted"])
        self.assertIn("evicted", json.loads(self.run_client("clear", "--json").stdout))

    def test_incomplete_boxes(self):
        grid = BOX.splitlines()[0]
        for rest, complaint in (("", "no catJump"), ("\n1", "no mouseJump"), ("\n1.5\n2", "catJump is 1.5"),
                                ("\n0\n1", "catJump is 0")):
            said = self.run_client("solve", stdin=grid + rest, status=1).stderr
            self.assertRegex(said, f"^E_BAD_PUZZLE: .*{complaint}")
        said = self.run_client("solve", stdin=grid + "\n1\n2\n3", status=2).stderr
        self.assertIn("the number 3 belongs to no puzzle", said)

    def test_refusals(self):
        """The same words and status, whether the client or the daemon sees what is wrong."""
        for puzzle, complaint in (({"graph": [[2, 9], [3], [0], [1]]}, "graph[0] lists node 9, but there are 4 nodes"),
                                  ({"graph": [[1], [0], "x"]}, 'graph[2] is "x", not a list')):
            said = self.run_client("solve", stdin=json.dumps(puzzle), status=1).stderr
            self.assertEqual(f"E_BAD_PUZZLE: {complaint}", said.splitlines()[0])

    def test_misuse(self):
        for arguments, complaint in (
            (["nothing"], "no command is called nothing"),
            (["/dev/null"], "no command is called /dev/null; did you mean cmclient solve /dev/null?"),
            (["solve", "[[1],[0]]"], "no file is called [[1],[0]]; pipe a puzzle itself in: echo '[[2]"),
            (["ping", "--frob"], "no option is called --frob"),
            (["ping", "--timeout", "soon"], "--timeout is soon, not a time"),
            (["ping", "--timeout", "99999999999"], "--timeout is 99999999999, not a time"),
            (["query", "--limit", "4294967295"], "--limit is 4294967295, not a number from 0 to 4294967294"),
            (["list", "more"], "list takes no argument, but got more"),
            (["stats", "a", "b"], "what is b?"),
            (["evict"], "evict needs ID|FILE..."),
            (["solve", "/nonexistent"], "cannot open /nonexistent: No such file"),
            (["solve", "/"], "cannot read /: Is a directory"),
            (["solve"], "standard input is empty"),
            (["query", "--state", "1,2"], "the turn is missing; write mouse, cat and turn, such as 1,2,mouse"),
            (["query", "--state", "1,2,dog"], "'dog' is neither mouse nor cat"),
            (["query", "--state", "x,2,0"], "the mouse is at no node"),
            (["query", "--state", "1,2,0", "--max", "1"], "no option is called --max"),
            (["query", "--state", "1,2,0", "--id", "0" * 65], "is no id: that is 6 to 64 digits"),
            (["query", "--state", "1,2,0", "--id", "012345", "-"], "give a FILE or --id, not both"),
            (["stats", "--limit", "3"], "stats takes no --limit"),
            (["ping", "--socket", "/" + "x" * 120], "more than the 107 allowed"),
        ):
            said = self.run_client(*arguments, status=2).stderr
            self.assertIn("cmclient: ", said)
            self.assertIn(complaint, said)
            done = self.run_client("--json", *arguments, status=2)
            self.assertIn(complaint, json.loads(done.stdout)["error"]["message"])
            self.assertEqual("", done.stderr)
        said = self.run_client("solve", stdin="?", status=2).stderr
        self.assertIn("standard input, line 1, column 1:\n  ?\n  ^\n", said)

    def test_misuse_is_json_wherever_that_is_asked_for(self):
        for arguments in (["quer", "--json"], ["solve", "--frob", "--json"], ["--json", "solve", "--color", "blue"]):
            done = self.run_client(*arguments, status=2)
            self.assertIsNone(json.loads(done.stdout)["error"]["name"])
            self.assertEqual("", done.stderr)

    def test_start_is_the_default(self):
        for command in ("query", "line", "explain", "draw"):
            said = [self.run_client(command, *start, stdin=BOX).stdout for start in ([], ["--start"])]
            self.assertEqual(*said, command)
        self.assertIn("You are the mouse", self.run_client("play", "--start", ROOT / "examples/puzzles/grid.json").stdout)

    def test_beginning(self):
        said = self.run_client(status=2).stdout.splitlines()
        self.assertEqual(5, len(said))
        self.assertTrue(all(len(line) <= 90 for line in said))

    def test_help(self):
        said = self.run_client("--help").stdout
        self.assertEqual(said, self.run_client("help").stdout)
        self.assertEqual(said, self.run_client("-h").stdout)
        self.assertEqual(self.run_client("line", "--help").stdout, self.run_client("help", "line").stdout)
        self.assertTrue(all(len(line) < 100 for line in said.splitlines()), said)
        self.assertRegex(self.run_client("--version").stdout, r"^cmclient \d+\.\d+\.\d+\n$")

    def test_answer_that_cannot_be_written(self):
        """One that stdio passes on in one piece leaves nothing behind to be written at the end."""
        star = {"graph": [[1], [0, *range(2, 300)], *([1] for _ in range(2, 300))]}
        self.id_of(json.dumps(star))
        for command in (["status"], ["query", "--json", "--state", "1,2,mouse"], ["--help"], ["--version"]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([CMCLIENT, *command], env=self.folder.env, stdout=full,
                                      stderr=subprocess.PIPE, text=True, timeout=DEADLINE_S, check=False)
            self.assertEqual((2, "cmclient: cannot write the answer\n"), (done.returncode, done.stderr), command)

    def test_help_that_cannot_be_written(self):
        for option in ("--help", "--version"):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([CMDAEMON, option], stdout=full, stderr=subprocess.PIPE, text=True,
                                      timeout=DEADLINE_S, check=False)
            self.assertEqual((2, "cmdaemon: cannot write the answer\n"), (done.returncode, done.stderr), option)

    def type(self, *lines):
        """Has cmclient solve what is typed at a terminal; its status, and what it said on stdout and on stderr."""
        master, slave = pty.openpty()
        client = subprocess.Popen([CMCLIENT, "solve", "--leetcode"], stdin=slave, env=self.folder.env, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        os.close(slave)
        for line in lines:
            os.write(master, line.encode())
        out, err = client.communicate(timeout=DEADLINE_S)
        os.close(master)
        return client.returncode, out, err

    def test_typed_at_a_terminal(self):
        """The end of the puzzle is the end of the input; what is pasted behind it goes with it."""
        grid, cat, mouse = BOX.splitlines(keepends=True)
        for lines, answer in ((["[[2,5],[3],\n", "[0,4,5],[1,4,5],[2,3],[0,2,3]]\n"], "0\n"), ([grid, cat, mouse], "true\n"),
                              (["####F\n", "#C...\n", "M....\n", "catJump = 1, mouseJump = 2\n"], "true\n"),
                              ([f"Input: graph = {SMALL['graph']}\nOutput: 0\n"], "0\n")):
            status, out, err = self.type(*lines)
            self.assertEqual((0, answer), (status, out), err)
            self.assertTrue(err.startswith("Type or paste a puzzle"), err)
        status, _, err = self.type(grid, "\n")
        self.assertEqual(1, status)
        self.assertIn("puzzle has a grid but no catJump", err)
        status, _, err = self.type("[[1]" + ", [0]" * 2000 + "]\n")
        self.assertEqual(2, status)
        self.assertIn("a terminal cuts lines at 4095 bytes", err)

    def test_colour_on_a_terminal_only(self):
        file = self.folder.path / "grid.txt"
        file.write_text(BOX)
        query = ["query", "--state", "10,6,0", file]
        self.assertIn("\033[", self.on_terminal(*query)[0])
        for env in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            self.assertNotIn("\033[", self.on_terminal(*query, env=env)[0])

    def test_narrow_terminal(self):
        file = self.folder.path / "grid.txt"
        file.write_text(BOX)
        plain = {"NO_COLOR": "1"}
        query = ["query", "--state", "10,6,0", file]
        self.assertIn("####F", self.on_terminal(*query, columns=7, env=plain)[0])
        self.assertNotIn("####F", self.on_terminal(*query, columns=6, env=plain)[0])
        wide = self.on_terminal("draw", file, columns=25, env=plain)[0].splitlines()
        self.assertIn(" M m5   m5  m3*   m3   m1", wide)
        self.assertEqual(["M mouse, C cat,", "F food, # wall;", "* best move"], wide[7:10])
        narrow = self.on_terminal("draw", file, columns=24, env=plain)[0].splitlines()
        self.assertEqual(["####F", "#Cmmm", "Mmmmm"], narrow[3:6])
        self.assertEqual("best move: to 2:2", narrow[-1])
        said, _ = self.on_terminal("stats", file, columns=30, env=plain)
        bars = [line for line in said.splitlines() if "#" in line]
        self.assertTrue(bars)
        self.assertTrue(all(len(line) < 30 for line in bars), said)

    def test_interrupt_while_the_puzzle_is_read(self):
        client = subprocess.Popen([CMCLIENT, "solve", "-"], stdin=subprocess.PIPE, env=self.folder.env, bufsize=0)
        client.stdin.write(b" " * (1 << 20))  # more than a pipe holds: the client is reading by then
        client.send_signal(signal.SIGINT)
        self.assertEqual(-signal.SIGINT, client.wait(DEADLINE_S))
        client.stdin.close()


class Held(ClientTest):
    """A solve that goes on for as long as one likes."""

    arguments = Holder.ARGUMENTS

    def setUp(self):
        holder = Holder(self.folder.socket)
        self.addCleanup(holder.release)

    def wait_solve(self, nodes):
        """Until a puzzle of so many nodes waits to be solved."""
        deadline = time.monotonic() + DEADLINE_S
        with JsonConnection(self.folder.socket) as connection:
            while True:
                listed = connection.call("list")["tables"]
                if any((entry["nodes"], entry["where"]) == (nodes, "solving") for entry in listed):
                    return
                self.assertLess(time.monotonic(), deadline)

    def test_no_answer_in_time(self):
        """The option that gives more time is named."""
        file = self.folder.path / "slow.json"
        file.write_text(json.dumps(HELD))
        said = self.run_client("solve", "--timeout", "10ms", file, status=3).stderr
        self.assertEqual("cmclient: no answer within 10 ms\n--timeout gives it more; 0 waits for ever.\n", said)

    def test_interrupt_cancels_the_solve(self):
        file = self.folder.path / "slow.json"
        file.write_text(json.dumps(HELD))
        client = subprocess.Popen(
            [CMCLIENT, "solve", str(file)], env=self.folder.env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.wait_solve(len(HELD["graph"]))
        client.send_signal(signal.SIGINT)
        _, said = client.communicate(timeout=DEADLINE_S)
        self.assertEqual((1, "E_CANCELLED: the request was cancelled\n"), (client.returncode, said))

    def test_progress_on_a_terminal(self):
        """The line is gone before anything else is said."""
        file = self.folder.path / "slow.json"
        file.write_text(json.dumps(HELD))
        for command in (["solve"], ["query", "--state", "1,2,0"]):
            said, status = self.on_terminal(*command, file, columns=20, interrupt=True)
            self.assertEqual(1, status)
            lines = said.split("\r\033[K")
            self.assertTrue(lines[1].startswith("solving: "), said)
            self.assertTrue(all(len(line) < 20 for line in lines[:-1]), said)
            self.assertEqual("E_CANCELLED: the request was cancelled\r\n", lines[-1])


class Unreachable(FolderTest):
    def test_no_daemon(self):
        for command in (["status"], ["list"], ["stop"], ["ping", "--no-autostart"]):
            done = self.folder.client(*command)
            self.assertEqual(3, done.returncode, command)
            self.assertIn("no daemon is running", done.stderr)


if __name__ == "__main__":
    harness.main()
