#!/usr/bin/python3
"""cmclient judge: right and wrong solvers in each language, and programs that misbehave."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time
import unittest

import harness
import solvers
from harness import CMCLIENT, DEADLINE_S, FolderTest

PATIENT = ["--time", "10min"]  # as slow as a machine may be
QUICK = ["--count", "40", *PATIENT]

# A right solver: rounds over all states, until nothing changes any more.
CPP = """
class Solution {
public:
    int catMouseGame(vector<vector<int>>& graph) {
        cout << "solving" << endl;
        int n = graph.size();
        vector<int> won(2 * n * n, 0);
        auto at = [&](int m, int c, int t) -> int& { return won[(t * n + m) * n + c]; };
        for (int t = 0; t < 2; t++)
            for (int i = 0; i < n; i++) {
                at(i, i, t) = 2;
                at(0, i, t) = 1;
            }
        for (bool changed = true; changed;) {
            changed = false;
            for (int t = 0; t < 2; t++)
                for (int m = 1; m < n; m++)
                    for (int c = 1; c < n; c++) {
                        if (at(m, c, t)) continue;
                        bool all = true, some = false;
                        for (int to : graph[t ? c : m]) {
                            if (t && !to) continue;
                            int found = t ? at(m, to, 0) : at(to, c, 1);
                            some |= found == t + 1;
                            all &= found == 2 - t;
                        }
                        if (some || all) {
                            at(m, c, t) = some ? t + 1 : 2 - t;
                            changed = true;
                        }
                    }
        }
        return WRONG at(1, 2, 0);
    }
};
"""

C = """
int catMouseGame(int** graph, int graphSize, int* graphColSize) {
    int n = graphSize;
    char won[2][50][50];
    memset(won, 0, sizeof won);
    printf("solving\\n");
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < n; i++) {
            won[t][i][i] = 2;
            won[t][0][i] = 1;
        }
    for (int changed = 1; changed;) {
        changed = 0;
        for (int t = 0; t < 2; t++)
            for (int m = 1; m < n; m++)
                for (int c = 1; c < n; c++) {
                    if (won[t][m][c]) continue;
                    int from = t ? c : m, all = 1, some = 0;
                    for (int i = 0; i < graphColSize[from]; i++) {
                        int to = graph[from][i];
                        if (t && !to) continue;
                        int found = t ? won[0][m][to] : won[1][to][c];
                        some |= found == t + 1;
                        all &= found == 2 - t;
                    }
                    if (some || all) {
                        won[t][m][c] = some ? t + 1 : 2 - t;
                        changed = 1;
                    }
                }
    }
    return WRONG won[0][1][2];
}
"""

JAVASCRIPT = """
var catMouseGame = function(graph) {
    console.log("solving");
    const n = graph.length, won = new Array(2 * n * n).fill(0);
    const at = (m, c, t) => (t * n + m) * n + c;
    for (let t = 0; t < 2; t++)
        for (let i = 0; i < n; i++) {
            won[at(i, i, t)] = 2;
            won[at(0, i, t)] = 1;
        }
    for (let changed = true; changed;) {
        changed = false;
        for (let t = 0; t < 2; t++)
            for (let m = 1; m < n; m++)
                for (let c = 1; c < n; c++) {
                    if (won[at(m, c, t)]) continue;
                    const found = graph[t ? c : m].filter(to => !t || to).map(to => t ? won[at(m, to, 0)] : won[at(to, c, 1)]);
                    const some = found.includes(t + 1), all = found.every(one => one === 2 - t);
                    if (some || all) {
                        won[at(m, c, t)] = some ? t + 1 : 2 - t;
                        changed = true;
                    }
                }
    }
    return WRONG won[at(1, 2, 0)];
};
"""

JAVA = """
class Solution {
    public int catMouseGame(int[][] graph) {
        System.out.println("solving");
        int n = graph.length;
        int[][][] won = new int[2][n][n];
        for (int t = 0; t < 2; t++)
            for (int i = 0; i < n; i++) {
                won[t][i][i] = 2;
                won[t][0][i] = 1;
            }
        for (boolean changed = true; changed;) {
            changed = false;
            for (int t = 0; t < 2; t++)
                for (int m = 1; m < n; m++)
                    for (int c = 1; c < n; c++) {
                        if (won[t][m][c] != 0) continue;
                        boolean all = true, some = false;
                        for (int to : graph[t == 1 ? c : m]) {
                            if (t == 1 && to == 0) continue;
                            int found = t == 1 ? won[0][m][to] : won[1][to][c];
                            some |= found == t + 1;
                            all &= found == 2 - t;
                        }
                        if (some || all) {
                            won[t][m][c] = some ? t + 1 : 2 - t;
                            changed = true;
                        }
                    }
        }
        return WRONG won[0][1][2];
    }
}
"""

# Reads the box, a case at a time or all of it, and answers right.
PROGRAM = "#!/usr/bin/python3\nimport json, sys\nfrom collections import deque\n" + solvers.graph_solver() + """
for line in sys.stdin:
    print(Solution().catMouseGame(json.loads(line)))
"""


class Judge(FolderTest):
    def write(self, name, text, mode=0o644):
        path = self.folder.path / name
        path.write_text(text)
        path.chmod(mode)
        return path

    def judge(self, *arguments, status):
        done = self.folder.client("judge", *arguments)
        self.assertEqual(status, done.returncode, done.stdout + done.stderr)
        return done

    def judged(self, *arguments, status=1):
        return json.loads(self.judge("--json", *arguments, status=status).stdout)

    def assert_solvable(self, found):
        """What is said of the puzzle that was shown is what solve says."""
        start = json.loads(self.folder.client("solve", "--json", stdin=json.dumps(found["puzzle"])).stdout)["start"]
        self.folder.client("stop")
        self.assertEqual((start["outcome"], start["plies"]), (found["outcome"], found["plies"]))

    def test_right(self):
        for name, text in (("graph.py", solvers.graph_solver()), ("grid.py", solvers.grid_solver())):
            said = self.judge(self.write(name, text), *QUICK, status=0).stdout
            self.assertRegex(said, r"^Accepted: \d+ cases, the slowest in \d+ ms\.\nLimits: 10min a case, 1G of memory, ")

    def test_known_mistakes(self):
        """Each is told by its name, on a puzzle that cannot be smaller."""
        known = {1: "ended after n turns", 2: "ended after 2n turns", 3: "ended after 3n turns",
                 4: "ended after 4n turns", "constant": "always gives the same answer", "hole": "the cat may enter the hole",
                 "mouse stays": "the mouse may stay", "cat stays": "the cat may stay", "cat first": "the cat moved first",
                 "repeats": "repeated whoever is to move"}
        for mistake, words in known.items():
            found = self.judged(self.write("solution.py", solvers.graph_solver(mistake)), *QUICK)
            self.assertEqual("Wrong Answer", found["verdict"], mistake)
            self.assertIn(words, found["mistake"] or "", mistake)
            self.assert_solvable(found)
            if mistake == 2:
                self.assertEqual((8, 17, "0"), (len(found["puzzle"]["graph"]), found["plies"], found["said"]))
                self.assertEqual(17, len(found["line"]))
        known = {1: "ended after n turns", "constant": "always gives the same answer", "nobody stays": "nobody may stay",
                 "over walls": "jump over walls", "cat first": "the cat moved first", "jumps swapped": "were swapped"}
        for mistake, words in known.items():
            found = self.judged(self.write("solution.py", solvers.grid_solver(mistake)), "--count", 200, *PATIENT)
            self.assertIn(words, found["mistake"] or "", mistake)
            self.assert_solvable(found)

    def test_bound_before_board(self):
        """As most people write it: a win on the very last turn is not seen."""
        text = ("class Solution:\n    def catMouseGame(self, graph):\n        @cache\n        def who(turn, mouse, cat):\n"
                "            if turn == 2 * len(graph): return 0\n            if mouse == 0: return 1\n"
                "            if mouse == cat: return 2\n            mine = 1 + turn % 2\n"
                "            found = [who(turn + 1, to, cat) if mine == 1 else who(turn + 1, mouse, to)\n"
                "                     for to in graph[mouse if mine == 1 else cat] if to or mine == 1]\n"
                "            return mine if mine in found else 0 if 0 in found else 3 - mine\n"
                "        return who(0, 1, 2)\n")
        found = self.judged(self.write("solution.py", text), *QUICK)
        self.assertEqual("answers as if the game ended after 2n - 1 turns", found["mistake"])

    def test_for_people(self):
        said = self.judge(self.write("solution.py", solvers.graph_solver(2)), *QUICK, status=1).stdout
        self.assertRegex(said, r"^Wrong Answer on case \d+ of \d+; the smallest that shows it:\n\n\[\[2,5,7\],")
        for words in ("\nIt says: 0\nRight is: 1. The mouse wins in 17 plies.\n",
                      "\nIt answers as if the game ended after 2n turns.\n", "\nBest play: ", "H    0   m0  2 5 7\n"):
            self.assertIn(words, said)

    def languages(self, name, program, right):
        if not shutil.which(program):
            self.skipTest(f"no {program} here")
        self.judge(self.write(name, right.replace("WRONG", "")), *QUICK, status=0)
        found = self.judged(self.write(name, right.replace("WRONG", "2 *")), *QUICK)
        self.assertEqual("Wrong Answer", found["verdict"])
        self.assert_solvable(found)

    def test_cpp(self):
        self.languages("solution.cpp", "g++", CPP)

    def test_c(self):
        self.languages("solution.c", "gcc", C)

    def test_javascript(self):
        self.languages("solution.js", "node", JAVASCRIPT)

    def test_typescript(self):
        """Where node reads it; else a sentence says what does."""
        text = JAVASCRIPT.replace("var catMouseGame = function(graph)",
                                  "var catMouseGame = function(graph: number[][]): number")
        said = self.folder.client("judge", *QUICK, self.write("solution.ts", text.replace("WRONG", "")))
        if said.returncode == 2:
            self.assertRegex(said.stderr, r"^cmclient: (node v[\d.]+ cannot read TypeScript: node 22\.13 and later can, "
                             r"or any node with the package typescript|node is needed for TypeScript: .*)\n$")
            self.skipTest(said.stderr.strip())
        self.languages("solution.ts", "node", text)
        done = self.judge(self.write("solution.ts", "function catMouseGame(graph: number[][]): number { return"), status=1)
        self.assertIn("does not compile", done.stderr)

    @unittest.skipUnless(os.environ.get("CI") == "true" or "JUDGE_JAVA" in os.environ, "long: runs with CI=true")
    def test_java(self):
        self.languages("Solution.java", "javac", JAVA)

    def test_does_not_compile(self):
        done = self.judge(self.write("solution.c", "int catMouseGame(int** graph) { return nothing; }\n"), status=1)
        self.assertIn("does not compile", done.stderr)
        self.assertIn("nothing", done.stderr)

    def test_crash(self):
        text = ("class Solution:\n    def catMouseGame(self, graph):\n"
                "        if len(graph) > 4: raise ValueError('too many nodes')\n"
                "        return right(graph)\n" + solvers.graph_solver().replace("class Solution", "class Right") +
                "\ndef right(graph):\n    return Right().catMouseGame(graph)\n")
        found = self.judged(self.write("solution.py", text), *QUICK)
        self.assertEqual(("Runtime Error", None, 5), (found["verdict"], found["said"], len(found["puzzle"]["graph"])))
        self.assertRegex(found["last_words"], r"^Traceback [^\n]*\n  File [^\n]*/solution\.py(.|\n)*\nValueError: too many nodes\n$")
        self.assertNotIn("/python.py", found["last_words"])
        said = self.judge(*PATIENT, "--", self.write("dies", "#!/bin/sh\nkill -SEGV $$\n", 0o755), status=1).stdout
        self.assertIn("It ends without an answer, with signal 11 (Segmentation fault).", said)

    def test_loop(self):
        text = "class Solution:\n    def catMouseGame(self, graph):\n        while True: pass\n"
        found = self.judged(self.write("solution.py", text), "--time", "300ms")
        self.assertEqual("Time Limit Exceeded", found["verdict"])
        said = self.judge(self.write("solution.py", text), "--time", "300ms", status=1).stdout
        self.assertIn("Time Limit Exceeded on case 1 of 518:\n", said)
        self.assertIn("\nIt says nothing within 300ms.\n", said)

    def test_rubbish(self):
        text = "class Solution:\n    def catMouseGame(self, graph):\n        return RETURNED\n"
        for returned in ("None", "'banana'", "[1]"):
            found = self.judged(self.write("solution.py", text.replace("RETURNED", returned)), *QUICK)
            self.assertEqual(("Wrong Answer", returned), (found["verdict"], found["said"]))
        for text in ("#!/bin/sh\necho what a graph\n", "#!/bin/sh\nhead -c 100000 /dev/zero | tr '\\0' x\n"):
            found = self.judged(*PATIENT, "--", self.write("rubbish", text, 0o755))
            self.assertEqual("Wrong Answer", found["verdict"])
            self.assertLess(len(found["said"]), 300)

    def test_memory(self):
        text = "class Solution:\n    def catMouseGame(self, graph):\n        return len(bytearray(1 << 30))\n"
        found = self.judged(self.write("solution.py", text), "--memory", "600M", *PATIENT)
        self.assertEqual("Runtime Error", found["verdict"])
        self.assertIn("MemoryError", found["last_words"])

    def test_forks(self):
        """Whatever it leaves behind is killed with it, sessions of its own too."""
        marks = self.folder.path / "marks"
        marks.mkdir()
        text = (f"#!/bin/sh\n(setsid sh -c 'echo $$ >{marks}/$$; exec sleep 1000' &)\n(sleep 1000 &)\n"
                "sleep 1000 & echo 7\n")
        found = self.judged(*PATIENT, "--", self.write("forks", text, 0o755))
        self.assertEqual("Wrong Answer", found["verdict"])
        running = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
        self.assertNotIn(str(marks), running)
        for mark in marks.iterdir():
            self.assertFalse(pathlib.Path(f"/proc/{mark.name}").exists())

    def test_files(self):
        """Where the system can confine files, nothing is written outside the scratch folder, which goes."""
        target = self.folder.path / "written"
        text = (f"class Solution:\n    def catMouseGame(self, graph):\n        open('here', 'w').close()\n"
                f"        open({str(target)!r}, 'w').close()\n        return 0\n")
        found = self.judged(self.write("solution.py", text), "--count", 4, *PATIENT)
        if not found["files_confined"]:
            self.skipTest("this system cannot confine files")
        self.assertEqual("Runtime Error", found["verdict"])
        self.assertIn("PermissionError", found["last_words"])
        self.assertFalse(target.exists())

    def test_programs(self):
        """A program asked once a case, all cases in one run, several at once."""
        program = self.write("program", PROGRAM, 0o755)
        for options in (["--count", 12], ["--stream"], ["--count", 12, "--jobs", 4]):
            found = self.judged(*PATIENT, *options, "--", program, status=0)
            self.assertEqual("Accepted", found["verdict"])
        wrong = self.write("wrong", PROGRAM.replace("print(", "print(1 + "), 0o755)
        for options in ([], ["--stream"], ["--jobs", 4]):
            self.assertEqual("Wrong Answer", self.judged(*PATIENT, *options, "--", wrong)["verdict"])
        short = self.write("short", "#!/bin/sh\nread line\necho 0\n", 0o755)
        found = self.judged(*PATIENT, "--stream", "--", short)
        self.assertEqual(("Runtime Error", 2), (found["verdict"], found["case"]))

    def test_same_seed(self):
        """Judged twice, a solver is told the same; another seed brings other cases."""
        path = self.write("solution.py", solvers.graph_solver("cat first"))
        one, again = (self.judged(path, *QUICK, "--seed", 5, "--jobs", jobs) for jobs in (1, 3))
        for key in ("puzzle", "case", "mistake"):
            self.assertEqual(one[key], again[key])

    def test_interrupted(self):
        path = self.write("solution.py", "class Solution:\n    def catMouseGame(self, graph):\n        while True: pass\n")
        with subprocess.Popen([CMCLIENT, "judge", "--time", "1h", path], env=self.folder.env,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as process:
            deadline = time.monotonic() + DEADLINE_S
            while not self.descendants(process.pid):
                self.assertLess(time.monotonic(), deadline)
                os.sched_yield()
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        deadline = time.monotonic() + DEADLINE_S
        while str(path) in subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout:
            self.assertLess(time.monotonic(), deadline, "the judged program outlives its judge")

    def descendants(self, pid):
        found = subprocess.run(["ps", "-eo", "ppid=,pid="], capture_output=True, text=True, check=True).stdout
        children = [pair.split() for pair in found.splitlines()]
        keepers = [child for parent, child in children if parent == str(pid)]
        return [child for parent, child in children if parent in keepers]

    def test_misuse(self):
        for arguments, words in ((["gone.py"], "cannot read gone.py"), ([], "needs SOLUTION"),
                                 ([self.write("x.rb", "")], "ends in none of"),
                                 ([self.write("x.py", "print(1)")], "has neither catMouseGame nor canMouseWin"),
                                 (["--", "./gone"], "cannot run ./gone"),
                                 (["--", "no-such-program"], "cannot run no-such-program: it is no program")):
            self.assertIn(words, self.judge(*arguments, status=2).stderr)


if __name__ == "__main__":
    harness.main()
