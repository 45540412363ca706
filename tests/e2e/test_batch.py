#!/usr/bin/python3
"""cmclient batch: every form of a stream, every way to print it, and whatever may go wrong with one."""
import fcntl
import gzip
import itertools
import json
import os
import pty
import random
import re
import resource
import signal
import socket
import struct
import subprocess
import termios
import time

import harness
from harness import CMCLIENT, DEADLINE_S, DaemonTest, FolderTest

NODES = 7
RECORD_BYTES = 64 << 20
TOO_LONG = "it is longer than the 64 MB that one record may have"
MEMORY_BYTES = 3 << 30  # of address space: threads, their stacks, and a window of the stream


def legal_graphs(nodes):
    """Every labelled graph in which all can move, as sets of edges."""
    pairs = list(itertools.combinations(range(nodes), 2))
    for bits in range(1 << len(pairs)):
        edges = [pair for at, pair in enumerate(pairs) if bits >> at & 1]
        lists = neighbours(nodes, edges)
        if all(lists) and lists[2] != [0]:
            yield edges


def random_graph(chance, nodes):
    return [pair for pair in itertools.combinations(range(nodes), 2) if chance.random() < 3 / nodes]


def neighbours(nodes, edges):
    lists = [[] for _ in range(nodes)]
    for a, b in edges:
        lists[a].append(b)
        lists[b].append(a)
    return [sorted(found) for found in lists]


def six_bits(bits):
    bits += "0" * (-len(bits) % 6)
    return "".join(chr(63 + int(bits[at:at + 6], 2)) for at in range(0, len(bits), 6))


def count_of_nodes(nodes):
    return chr(63 + nodes) if nodes < 63 else "~" + six_bits(f"{nodes:018b}")


def graph6(nodes, edges):
    present = {(min(edge), max(edge)) for edge in edges}
    columns = ((a, b) for b in range(1, nodes) for a in range(b))
    return count_of_nodes(nodes) + six_bits("".join("01"[pair in present] for pair in columns))


def sparse6(nodes, edges):
    """As formats.txt of nauty has it, without its case for few nodes: there the padding is never an edge here."""
    width, bits, current = (nodes - 1).bit_length(), "", 0
    for b, a in sorted((max(edge), min(edge)) for edge in edges):
        if b == current:
            bits += "0"
        elif b == current + 1:
            bits += "1"
        else:
            bits += "1" + f"{b:0{width}b}" + "0"
        current = b
        bits += f"{a:0{width}b}"
    bits += "1" * (-len(bits) % 6)
    return ":" + count_of_nodes(nodes) + six_bits(bits)


def edge_list(nodes, edges):
    return "\n".join([f"{nodes} {len(edges)}"] + [f"{a} {b}" for a, b in edges])


def dimacs(nodes, edges):
    return "\n".join(["c a graph", f"p edge {nodes} {len(edges)}"] + [f"e {a + 1} {b + 1}" for a, b in edges])


def path(nodes):
    return json.dumps(harness.path_puzzle(nodes))


def bare(nodes, edges):
    return json.dumps(neighbours(nodes, edges))


def in_object(nodes, edges):
    return json.dumps({"puzzle": {"graph": neighbours(nodes, edges)}, "tag": nodes})


FORMS = {"graph6": graph6, "sparse6": sparse6, "edges": edge_list, "dimacs": dimacs, "json": bare}


class Batch(FolderTest):
    def batch(self, *arguments, stdin="", status=0, **options):
        if isinstance(stdin, list):
            stdin = "".join(line + "\n" for line in stdin)
        if isinstance(stdin, str):
            stdin = stdin.encode()
        done = subprocess.run([CMCLIENT, "batch", *map(str, arguments)], input=stdin, env=self.folder.env,
                              capture_output=True, timeout=DEADLINE_S * 5, check=False, **options)
        done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
        self.assertEqual(status, done.returncode, done.stderr[-2000:] + done.stdout[-2000:])
        return done

    def lines(self, *arguments, **options):
        return self.batch(*arguments, **options).stdout.splitlines()

    def summary(self, *arguments, **options):
        return json.loads(self.batch("--summary", "--json", *arguments, **options).stdout)

    def test_every_case(self):
        """The answers that are known, and each in its place."""
        known = list(harness.cases())
        wanted = [(outcome, "-" if plies is None else str(plies)) for _, outcome, plies in known]
        said = self.lines(stdin=[json.dumps(puzzle) for puzzle, _, _ in known])
        self.assertEqual(wanted, [tuple(line.split("\t")[1:]) for line in said])

    def test_counts(self):
        """All 26,640 legal graphs of 6 nodes, whatever the number of threads."""
        stream = "\n".join(graph6(6, edges) for edges in legal_graphs(6)) + "\n"
        one = self.summary("--threads", 1, stdin=stream)
        self.assertEqual((26640, 540, 18986, 7114, 0), tuple(one[key] for key in ("answers", "draw", "mouse", "cat", "bad")))
        self.assertEqual(one, self.summary("--threads", 5, stdin=stream))
        self.assertEqual(self.lines("--threads", 1, stdin=stream), self.lines("--threads", 5, stdin=stream))

    def test_forms(self):
        """The same graphs in each form, told apart or named, alone or mixed, give the same lines."""
        chance = random.Random(913)
        graphs = [(nodes, random_graph(chance, nodes)) for nodes in [*range(3, 62), 63, 64, 65, 66, 100, 200] * 3]
        wanted = self.lines(stdin=[bare(*graph) for graph in graphs])
        self.assertEqual(len(graphs), len(wanted))
        self.assertEqual({"mouse", "cat", "draw"}, {line.split("\t")[1] for line in wanted})
        for form, write in FORMS.items():
            stream = [write(*graph) for graph in graphs]
            self.assertEqual(wanted, self.lines(stdin=stream), form)
            self.assertEqual(wanted, self.lines("--from", form, stdin=stream), form)
        writers = [*FORMS.values(), in_object]
        mixed = [chance.choice(writers)(*graph) for graph in graphs]
        self.assertEqual(wanted, self.lines(stdin=mixed))

    def test_headers(self):
        self.assertEqual(self.lines(stdin="DQw\n"), self.lines(stdin=">>graph6<<DQw\n"))
        self.assertEqual(self.lines(stdin="DQw\n"), self.lines(stdin="\ufeff\r\n# a comment\r\nDQw\r\n"))
        self.assertEqual(self.lines(stdin=":DaY_~\n"), self.lines(stdin=">>sparse6<<:DaY_~"))

    def test_boxes(self):
        """LeetCode's box, many cases, graphs and grids."""
        box = '[[1,3],[0],[3],[0,2]]\n["####F","#C...","M...."]\n1\n2\n[[2],[2],[0,1]]\n["M.C...F"]\n1\n4\n'
        self.assertEqual(["4\tmouse\t1", "15\tmouse\t5", "3\tcat\t1", "7\tmouse\t3"], self.lines(stdin=box))
        self.assertEqual(["1", "true", "2", "true"], self.lines("--leetcode", stdin=box))
        self.assertEqual(["1", "true", "2", "true"], self.lines("--leetcode", "--from", "leetcode", stdin=box))

    def test_packed(self):
        stream = "".join(graph6(5, edges) + "\n" for edges in legal_graphs(5)).encode()
        wanted = self.lines(stdin=stream)
        half = len(stream) // 2
        self.assertEqual(wanted, self.lines(stdin=gzip.compress(stream)))
        self.assertEqual(wanted, self.lines(stdin=gzip.compress(stream[:half]) + gzip.compress(stream[half:])))
        zstd = subprocess.run(["zstd", "-q", "-c"], input=stream, capture_output=True, check=True).stdout
        self.assertEqual(wanted, self.lines(stdin=zstd + b""))
        damaged = bytearray(zstd)
        damaged[-1] ^= 1  # of the checksum
        cut = self.batch(stdin=gzip.compress(stream)[:-300], status=2)
        self.assertEqual("cmclient: compressed data ends too early in standard input\n", cut.stderr)
        self.assertEqual(wanted[:len(cut.stdout.splitlines())], cut.stdout.splitlines())
        self.assertIn("damaged zstd data in standard input", self.batch(stdin=damaged, status=2).stderr)

    def test_files(self):
        """One after another, whether the last line of each ends or not; none of them missing."""
        first, second = self.folder.path / "first.g6", self.folder.path / "second.json.gz"
        first.write_text("DQw")
        second.write_bytes(gzip.compress(b"[[1,3],[0],[3],[0,2]]"))
        self.assertEqual(["5\tcat\t4", "4\tmouse\t1", "3\tcat\t1"],
                         self.lines(first, second, "-", stdin="[[2],[2],[0,1]]"))
        gone = self.batch(first, self.folder.path / "gone", second, status=2)
        self.assertEqual("5\tcat\t4\n", gone.stdout)
        self.assertRegex(gone.stderr, "^cmclient: cannot open .*gone: No such file or directory\n$")

    def test_questions(self):
        """A state, a limit and a tag of a record's own; the best move."""
        puzzle = harness.SMALL
        state = {"mouse": 3, "cat": 2, "turn": "mouse"}
        records = [{"puzzle": puzzle, "tag": {"name": 'a "b"', "at": [1, None]}},
                   {"puzzle": puzzle, "state": state, "tag": 7},
                   {"puzzle": puzzle, "state": {**state, "turn": 1}, "limit": 2},
                   {"puzzle": {"grid": ["M.C...F"], "catJump": 1, "mouseJump": 4}, "limit": 1},
                   {"puzzle": {"grid": ["M.C...F"], "catJump": 1, "mouseJump": 4}, "state":
                    {"mouse": [0, 3], "cat": [0, 2], "turn": "mouse"}}]
        said = [json.loads(line) for line in
                self.lines("--json", "--best", stdin=[json.dumps(record) for record in records])]
        self.assertEqual({"record": 1, "nodes": 6, "outcome": "draw", "plies": None, "best": 3, "tag": records[0]["tag"]},
                         said[0])
        self.assertEqual(7, said[1]["tag"])
        self.assertEqual(("cat", None), (said[3]["outcome"], said[3]["plies"]))
        self.assertEqual(("mouse", 1, 6), (said[4]["outcome"], said[4]["plies"], said[4]["best"]))
        with_daemon = [json.loads(line) for line in self.lines(
            "--json", "--best", "--daemon", stdin=[json.dumps(record) for record in records])]
        self.folder.client("stop")
        self.assertEqual(with_daemon, said)

    def test_best_and_table_agree(self):
        """--best takes the way of the whole table, without it the verdict's: the answers are the same."""
        chance = random.Random(7)
        stream = [graph6(nodes, random_graph(chance, nodes)) for nodes in [*range(4, 40)] * 20]
        best = [line.split("\t") for line in self.lines("--best", stdin=stream)]
        self.assertEqual(self.lines(stdin=stream), ["\t".join(line[:3]) for line in best])
        self.assertTrue(all(line[3] == "-" or line[3].isdigit() for line in best))

    def test_roles(self):
        """Other roles are another numbering; all of them are every ordered triple."""
        chance = random.Random(1728)
        for nodes in (5, 8, 70):
            edges = random_graph(chance, nodes) + [(0, 3)]
            roles = chance.sample(range(nodes), 3)
            numbers = roles + [node for node in range(nodes) if node not in roles]
            turned = [(numbers.index(a), numbers.index(b)) for a, b in edges]
            wanted = self.lines(stdin=[bare(nodes, sorted(set(map(tuple, map(sorted, turned)))))])
            for form in (bare, graph6, edge_list):
                said = self.lines("--roles", ",".join(map(str, roles)), stdin=[form(nodes, sorted(set(edges)))])
                self.assertEqual(wanted, said)
        graph = bare(6, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (1, 4)])
        every = [line.split("\t") for line in self.lines("--roles", "all", stdin=[graph])]
        self.assertEqual([[str(node) for node in triple] for triple in itertools.permutations(range(6), 3)],
                         [line[3:] for line in every])
        for line in every:
            self.assertEqual(["\t".join(line[:3])], self.lines("--roles", ",".join(line[3:]), stdin=[graph]))

    def test_bad_records(self):
        stream = ["DQw", "[[1],[0,9],[]]", "DQwww", "[[1,3],[0],[3],[0,2]]", "x\x01", '{"puzzle":[[1]],"who":1}',
                  "3 1\n0 3", "3 2\n0 1", "p edge 3 1\ne 0 1", "4 1\n2 2", '{"puzzle":[[1,3],[0],[3],[0,2]],"tag":nul}',
                  '["M.F"]\n1\n1']
        done = self.batch(stdin=stream, status=1)
        self.assertEqual(["5\tcat\t4", "bad: record 2: graph[1] lists node 9, but there are 3 nodes",
                          "bad: record 3: graph6 of 5 nodes takes 3 bytes, but there are 5", "4\tmouse\t1",
                          "bad: record 5: byte 2 is 0x01, which no graph6 has"], done.stdout.splitlines()[:5])
        for words in ('"who" is none of puzzle, state, limit and tag', "an edge joins 0 and 3, but there are 3 nodes",
                      "its first line says 2 edges, but there are 1", "an edge joins node 0, but DIMACS counts",
                      "an edge joins node 2 to itself", "tag: byte 4 of the JSON", "the grid has no C"):
            self.assertIn(words, done.stdout)
        only = self.lines("--only", "bad", stdin=stream, status=1)
        self.assertEqual([line for line in done.stdout.splitlines() if line.startswith("bad: ")], only)
        self.assertEqual(2, len(self.lines("--strict", stdin=stream, status=1)))
        summary = self.summary(stdin=stream, status=1)
        self.assertEqual((12, 2, 10), (summary["records"], summary["answers"], summary["bad"]))
        self.assertEqual(10, sum(reason["count"] for reason in summary["reasons"]))
        self.assertIn({"count": 1, "reason": "graph[N] lists node N, but there are N nodes"}, summary["reasons"])
        said = [json.loads(line) for line in self.lines("--json", stdin=stream, status=1)]
        self.assertEqual("graph[1] lists node 9, but there are 3 nodes", said[1]["bad"])

    def test_only_and_longest(self):
        chance = random.Random(5)
        stream = [graph6(9, random_graph(chance, 9)) for _ in range(3000)]
        every = [line.split("\t") for line in self.lines(stdin=stream)]
        for outcome in ("mouse", "cat", "draw"):
            self.assertEqual(["\t".join(line) for line in every if line[1] == outcome],
                             self.lines("--only", outcome, stdin=stream))
        won = [(-int(line[2]), at) for at, line in enumerate(every) if line[2] != "-"]
        wanted = [stream[at] for _, at in sorted(won)[:25]]
        self.assertEqual(wanted, self.lines("--longest", 25, stdin=stream))
        box = '["####F","#C...","M...."]\n1\n2'
        self.assertEqual(box.splitlines(), self.lines("--longest", 1, stdin=["[[1,3],[0],[3],[0,2]]", box]))
        summary = self.summary("--longest", 3, stdin=stream)
        self.assertEqual(wanted[:3], [win["puzzle"] for win in summary["list"]])
        shown = self.batch("--summary", stdin=stream).stdout
        self.assertIn(f"longest win of the mouse: {summary['longest'][0]['win']['plies']} plies", shown)

    def test_slow_stream(self):
        """What has come is answered, though more may follow."""
        with subprocess.Popen([CMCLIENT, "batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              env=self.folder.env) as process:
            for record, answer in (("DQw", "5\tcat\t4"), ("[[1,3],[0],[3],[0,2]]", "4\tmouse\t1")):
                process.stdin.write(record.encode() + b"\n")
                process.stdin.flush()
                harness.wait_readable(process.stdout, "the answer to a record")
                self.assertEqual(answer, process.stdout.readline().decode().rstrip())
            process.stdin.close()
            self.assertEqual(0, process.wait(DEADLINE_S))

    def test_interrupted(self):
        """Ctrl-C prints what was counted so far, and ends with 130."""
        for arguments, channel in ((["--summary"], "stdout"), ([], "stderr")):
            with subprocess.Popen([CMCLIENT, "batch", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, env=self.folder.env) as process:
                process.stdin.write(b"DQw\n" * 100000)
                process.stdin.flush()
                if not arguments:
                    harness.wait_readable(process.stdout, "an answer")
                    os.read(process.stdout.fileno(), 1)
                else:
                    self.wait_consumed(process.stdin)
                process.send_signal(signal.SIGINT)
                said = dict(zip(("stdout", "stderr"), process.communicate(timeout=DEADLINE_S)))
                self.assertEqual(130, process.returncode)
                self.assertRegex(said[channel].decode(), r"^ *\d+ records\n")

    def wait_consumed(self, pipe):
        """Until the reader has taken all that was written."""
        deadline = time.monotonic() + DEADLINE_S
        while struct.unpack("i", fcntl.ioctl(pipe.fileno(), termios.FIONREAD, b"\0\0\0\0"))[0]:
            self.assertLess(time.monotonic(), deadline)
            os.sched_yield()

    def test_reader_gone(self):
        stream = self.folder.path / "many.g6"
        stream.write_text("DQw\n" * 300000)
        with subprocess.Popen([CMCLIENT, "batch", stream], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=self.folder.env) as process:
            process.stdout.read(10)
            process.stdout.close()
            self.assertEqual(b"", process.stderr.read())
            self.assertEqual(-signal.SIGPIPE, process.wait(DEADLINE_S))

    def on_terminal(self, *arguments, also=(), **options):
        """A run whose standard error, and what else is named, is a terminal of its own, and that terminal's other end."""
        leader, follower = pty.openpty()
        self.addCleanup(os.close, leader)
        channels = {"stdin": subprocess.DEVNULL, "stderr": follower, **{name: follower for name in also}}
        process = subprocess.Popen([CMCLIENT, "batch", *map(str, arguments)], **channels,
                                   start_new_session=True, env=self.folder.env, **options,
                                   preexec_fn=lambda: fcntl.ioctl(follower, termios.TIOCSCTTY, 0))
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        os.close(follower)
        return process, leader

    def read_until(self, leader, pattern):
        """Until the terminal shows it, or (None) to its end."""
        said = b""
        while pattern is None or not re.search(pattern, said):
            harness.wait_readable(leader, f"{pattern} after {said[-500:]}")
            try:
                said += os.read(leader, 4096)
            except OSError:  # Linux says EIO at a terminal's end
                self.assertIsNone(pattern, said[-500:])
                break
        return said

    def long_file(self):
        """Much longer to answer than a test may take."""
        chance = random.Random(12)
        lines = "".join(graph6(20, random_graph(chance, 20)) + "\n" for _ in range(2000))
        path = self.folder.path / "long.g6"
        path.write_text(lines * 500)
        return path

    def test_progress(self):
        """What is done, how fast, and the time left; Ctrl-C wipes that, tells the sum so far, and ends with 130."""
        for arguments, sum_on_terminal in ((["--roles", "all"], True), (["--roles", "all", "--summary"], False)):
            process, leader = self.on_terminal(*arguments, self.long_file(), stdout=subprocess.PIPE if not sum_on_terminal
                                               else subprocess.DEVNULL)
            self.read_until(leader, rb"\r\x1b\[K[1-9]\d* done, \d+ a second, \d+(\.\d)? (s|minutes?|hours?|days?) left")
            os.write(leader, b"\x03")
            if not sum_on_terminal:
                self.assertRegex(process.stdout.read(), rb"^ *[1-9]\d* records\n")
                process.stdout.close()
            rest = self.read_until(leader, None)
            self.assertEqual(130, process.wait(DEADLINE_S))
            wiped = rest.rindex(b"\r\x1b[K") + 4
            self.assertRegex(rest[wiped:], rb"^ *[1-9]\d* records\r\n" if sum_on_terminal else rb"^$")

    def test_no_progress_among_lines(self):
        """Lines on the same terminal are the progress."""
        process, leader = self.on_terminal("--roles", "all", self.long_file(), also=["stdout"])
        said = self.read_until(leader, rb"(?s)^.{500000}")
        process.kill()
        self.assertNotIn(b" done, ", said)

    def test_typed(self):
        process, leader = self.on_terminal(also=["stdin", "stdout"])
        said = self.read_until(leader, rb"Type or paste puzzles, one a line; Ctrl-D ends them\.\r\n")
        for typed, answer in ((b"DQw\n", rb"5\tcat\t4\r\n"), (b"[[2],[2],[0,1]]\n", rb"3\tcat\t1\r\n")):
            os.write(leader, typed)
            said += self.read_until(leader, answer)
        os.write(leader, b"\x04")
        said += self.read_until(leader, None)
        self.assertEqual(0, process.wait(DEADLINE_S))
        self.assertNotIn(b" done, ", said)

    def test_reader_gone_from_terminal(self):
        """Nothing of the progress stays behind."""
        process, leader = self.on_terminal("--roles", "all", self.long_file(), stdout=subprocess.PIPE)
        self.read_until(leader, rb" done, ")
        process.stdout.close()
        rest = self.read_until(leader, None)
        self.assertEqual(-signal.SIGPIPE, process.wait(DEADLINE_S))
        self.assertTrue(rest.endswith(b"\r\x1b[K"), rest[-200:])

    def feed(self, path, text):
        """A pipe by name that holds this already, and ends when it is closed."""
        pipe = os.open(path, os.O_RDWR)
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, 1 << 20)
        self.assertEqual(len(text), os.write(pipe, text))
        return os.fdopen(pipe, "rb", buffering=0)

    def test_checkpoint(self):
        """Killed at any time and gone on with, a run says what one that was left alone says."""
        chance = random.Random(3)
        stream, pipe = self.folder.path / "stream.g6", self.folder.path / "pipe"
        lines = [graph6(9, random_graph(chance, 9)) + "\n" for _ in range(30000)]
        stream.write_text("".join(lines))
        os.mkfifo(pipe)
        out, checkpoint = self.folder.path / "out", self.folder.path / "checkpoint"
        command = [CMCLIENT, "batch", "--roles", "all", "--checkpoint", checkpoint, "--resume"]
        wanted = self.batch("--roles", "all", stream).stdout
        for part in (5000, 10000, 20000):  # the rest is never there, lest it ends before it is killed
            before = checkpoint.read_bytes() if checkpoint.exists() else b""
            with (self.feed(pipe, "".join(lines[:part]).encode()), open(out, "ab") as file,
                  subprocess.Popen([*command, pipe], stdout=file, env=self.folder.env) as process):
                harness.wait_until(lambda: checkpoint.exists() and checkpoint.read_bytes() != before, "a checkpoint")
                self.assertIsNone(process.poll())
                process.kill()
            with open(out, "ab") as more:
                more.write(b"half a li")
        command.append(stream)
        with open(out, "ab") as file:
            self.assertEqual(0, subprocess.run(command, stdout=file, env=self.folder.env, check=False).returncode)
        self.assertTrue(out.read_text() == wanted)
        other = self.batch("--roles", "1,2,3", "--checkpoint", checkpoint, "--resume", stream, status=2,)
        self.assertIn("asked something else", other.stderr)
        stream.write_text("DQw\n" + stream.read_text())
        with open(out, "ab") as file:
            done = subprocess.run(command, stdout=file, stderr=subprocess.PIPE, env=self.folder.env, check=False)
        self.assertEqual((2, b"cmclient: the input does not begin with what the checkpoint has read\n"),
                         (done.returncode, done.stderr))
        piped = self.batch("--checkpoint", checkpoint, stdin="DQw\n", status=2)
        self.assertIn("writes its lines to a file", piped.stderr)
        checkpoint.write_text('{"catmouse_checkpoint":1,"asked":')
        self.assertIn("is no checkpoint", self.batch("--checkpoint", checkpoint, "--resume", "--summary", status=2).stderr)

    def test_bounded_memory(self):
        """A line of 1 GB, and a whole graph6 of 10^5 nodes, are bad records like any other."""
        nodes = 100000
        digits = -(-nodes * (nodes - 1) // 12)
        script = ("import sys\nout = sys.stdout.buffer\nout.write(b'DQw\\n')\n"
                  "for _ in range(4096): out.write(b'A' * (1 << 18))\n"
                  f"out.write(b'\\nDQw\\n{count_of_nodes(nodes)}')\n"
                  f"for _ in range({digits} >> 18): out.write(b'?' * (1 << 18))\n"
                  f"out.write(b'?' * ({digits} % (1 << 18)) + b'\\nDQw')\n")

        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))

        with subprocess.Popen(["/usr/bin/python3", "-c", script], stdout=subprocess.PIPE) as writer:
            done = subprocess.run([CMCLIENT, "batch", "--threads", "2"], stdin=writer.stdout, capture_output=True,
                                  text=True, preexec_fn=None if harness.sanitized() else limit, timeout=DEADLINE_S * 5,
                                  check=False, env=self.folder.env)
        self.assertEqual((1, ["5\tcat\t4", "bad: record 2: " + TOO_LONG, "5\tcat\t4", "bad: record 4: " + TOO_LONG,
                              "5\tcat\t4"]),
                         (done.returncode, done.stdout.splitlines()))
        huge = [":" + count_of_nodes(nodes) + "~", "~" + six_bits(f"{nodes:018b}") + "?" * 100,
                "[" + "[" * 1000, "4000000000 1\n0 1"]
        said = self.lines(stdin=huge, status=1)
        self.assertEqual(4, len(said))
        self.assertTrue(all(line.startswith("bad: ") for line in said[1:]), said)

    def test_long_records_of_several_lines(self):
        """They are one bad record each, with all their lines."""
        edges = RECORD_BYTES // 4 + 100000  # of four bytes or more
        for long in (f"5 {edges}\n" + "0 1\n" * edges, f"p edge 5 {edges}\n" + "e 1 2\n" * edges + "c the end\n",
                     '["####F' + "#" * (RECORD_BYTES + 100000) + '"]\n1\n2\n'):
            said = self.lines(stdin="DQw\n" + long + "DQw\n", status=1)
            self.assertEqual(["5\tcat\t4", "bad: record 2: " + TOO_LONG, "5\tcat\t4"], said[:4])

    def test_checkpoint_in_a_long_record(self):
        """Killed while it passes over a line that is too long, a run goes on before that line."""
        stream, out, checkpoint = (self.folder.path / name for name in ("stream", "out", "checkpoint"))
        before = "DQw\n" * 1000
        stream.write_text(before + "A" * (RECORD_BYTES + (1 << 20)) + "\nDQw\n")
        command = [CMCLIENT, "batch", "--checkpoint", checkpoint, "--resume"]
        with open(out, "ab") as file, subprocess.Popen(command, stdin=subprocess.PIPE, stdout=file,
                                                       env=self.folder.env) as process:
            process.stdin.write(stream.read_bytes()[:-5])
            process.stdin.flush()
            self.wait_consumed(process.stdin)
            deadline = time.monotonic() + DEADLINE_S
            while not checkpoint.exists() or json.loads(checkpoint.read_text())["bytes_read"] == 0:
                self.assertLess(time.monotonic(), deadline)
                os.sched_yield()
            process.kill()
        self.assertEqual(len(before), json.loads(checkpoint.read_text())["bytes_read"])
        with open(out, "ab") as file:
            done = subprocess.run([*command, stream], stdout=file, env=self.folder.env, check=False)
        self.assertEqual(1, done.returncode)
        self.assertEqual(["5\tcat\t4"] * 1000 + ["bad: record 1001: " + TOO_LONG, "5\tcat\t4"],
                         out.read_text().splitlines())

    def test_random_bytes(self):
        chance = random.Random(11)
        done = self.batch("--summary", "--json", stdin=chance.randbytes(10 ** 6), status=1)
        summary = json.loads(done.stdout)
        self.assertGreater(summary["bad"], 1000)
        self.assertEqual(summary["records"], summary["bad"] + summary["answers"])

    def test_misuse(self):
        for arguments, words in ((["--roles", "1,1,2"], "not three different nodes"), (["--from", "xml"], "--from"),
                                 (["--resume"], "--resume needs --checkpoint"), (["--threads", "5000"], "at most 1024"),
                                 (["--part", "1/2"], "--part goes with --summary --json"),
                                 (["--summary", "--json", "--part", "2/2"], "not RES/MOD"),
                                 (["--json", "--leetcode"], "not both")):
            done = self.batch(*arguments, status=2)
            self.assertIn(words, done.stdout if "--json" in arguments else done.stderr)
        said = self.lines("--roles", "1,2,9", stdin=["DQw", '["MCF"]\n1\n1'], status=1)
        self.assertEqual(["bad: record 1: --roles names node 9, but there are 5 nodes",
                          "bad: record 2: --roles names nodes of a graph, but this is a grid"], said)


class Merge(FolderTest):
    """Parts of a stream, summed up each for itself, and put together."""

    def setUp(self):
        super().setUp()
        chance = random.Random(8)
        self.stream = [graph6(8, random_graph(chance, 8)) for _ in range(400)] + ["[[9],[],[]]"]
        self.parts = [self.part(res, 4, self.stream[res::4]) for res in range(4)]

    def part(self, res, mod, stream, *arguments, name=None):
        done = self.folder.client("batch", "--summary", "--json", "--longest", 5, "--part", f"{res}/{mod}", *arguments,
                                  stdin="".join(line + "\n" for line in stream))
        path = self.folder.path / (name or f"part-{res}.json")
        path.write_text(done.stdout)
        return path

    def refused(self, words, *files):
        done = self.folder.client("merge", *files)
        self.assertEqual((1, ""), (done.returncode, done.stdout), done.stderr)
        self.assertIn(words, done.stderr)

    def test_sum(self):
        whole = json.loads(self.folder.client("batch", "--summary", "--json", "--longest", 5, stdin="\n".join(self.stream)).stdout)
        merged = json.loads(self.folder.client("merge", "--json", *reversed(self.parts)).stdout)
        for key in ("records", "answers", "mouse", "cat", "draw", "bad", "reasons", "complete"):
            self.assertEqual(whole[key], merged[key], key)
        self.assertEqual([win["plies"] for win in whole["list"]], [win["plies"] for win in merged["list"]])
        self.assertEqual([(one["winner"], one["win"]["plies"]) for one in whole["longest"]],
                         [(one["winner"], one["win"]["plies"]) for one in merged["longest"]])
        self.assertEqual(merged["answers"], json.loads(self.folder.client(
            "merge", "--json", "-", stdin="".join(part.read_text() for part in self.parts)).stdout)["answers"])
        self.assertIn("401 records\n", self.folder.client("merge", *self.parts).stdout)

    def test_missing(self):
        self.refused("part 2/4 is missing", self.parts[0], self.parts[1], self.parts[3])
        self.refused("parts 1/4 to 3/4 are missing", self.parts[0])
        self.refused("part 3/4 is missing", *self.parts[:3])

    def test_twice(self):
        again = self.part(1, 4, self.stream[1::4], name="again.json")
        self.refused("part 1/4 is there twice", *self.parts, again)
        self.refused("read the same", self.parts[0], self.part(1, 2, self.stream[0::4], name="same.json"),
                     self.part(0, 2, self.stream[0::4], name="other.json"))
        self.refused("read the same", self.part(1, 2, self.stream[0::4], name="same.json"),
                     self.part(0, 2, self.stream[0::4], name="other.json"))

    def test_not_the_same_question(self):
        self.refused("answers", *self.parts[:3], self.part(3, 4, self.stream[3::4], "--roles", "1,2,3"))
        self.refused("one of 5 parts", *self.parts[:3], self.part(3, 5, self.stream[3::4]))

    def test_interrupted(self):
        self.refused("did not come to its end", *self.parts[:3], self.part(3, 4, ["nonsense"], "--strict"))

    def test_no_summary(self):
        for text in ("", "{}", "nonsense\n", self.parts[0].read_text()[:-20]):
            self.parts[0].write_text(text)
            done = self.folder.client("merge", *self.parts)
            self.assertEqual(2, done.returncode)
            self.assertIn("part-0.json", done.stderr)


class AskingTheDaemon(DaemonTest):
    def test_same_bytes(self):
        chance = random.Random(2)
        stream = [graph6(nodes, random_graph(chance, nodes)) for nodes in range(3, 40)] * 3 + ["[[9],[],[]]", "nonsense"]
        stream += [json.dumps(puzzle) for puzzle, _, _ in harness.cases()]
        text = "\n".join(stream) + "\n"
        for arguments in ([], ["--best"], ["--json"], ["--roles", "2,0,1"], ["--summary"]):
            here = self.folder.client("batch", *arguments, stdin=text)
            there = self.folder.client("batch", "--daemon", *arguments, stdin=text)
            self.assertEqual((here.stdout, here.returncode), (there.stdout, there.returncode))
            self.assertEqual(1, here.returncode)


    def test_many_records(self):
        """Far more questions than the daemon takes at once; bad ones among them keep their places."""
        chance = random.Random(4)
        stream = [graph6(nodes, random_graph(chance, nodes)) for nodes in [*range(4, 9)] * 1000]
        for at in range(0, len(stream), 97):
            stream[at] = "[[9],[],[]]"
        text = "\n".join(stream) + "\n"
        here = self.folder.client("batch", "--json", stdin=text)
        self.assertEqual(here.stdout, self.folder.client("batch", "--daemon", "--json", stdin=text).stdout)
        every = "\n".join(stream[:40]) + "\n"
        self.assertEqual(self.folder.client("batch", "--best", "--roles", "all", stdin=every).stdout,
                         self.folder.client("batch", "--best", "--roles", "all", "--daemon", stdin=every).stdout)


class SmallDaemon(DaemonTest):
    """It refuses what is more than it can do: some for good, some for now."""

    arguments = ("--queue-max", "8", "--memory-max", "67108864", "--no-store")

    def test_refused(self):
        puzzles = [path(nodes) for nodes in (30, 3000, 40)]
        said = self.folder.client("batch", "--daemon", stdin="\n".join(puzzles) + "\n")
        self.assertEqual(1, said.returncode)
        lines = said.stdout.splitlines()
        self.assertRegex(lines[1], "^bad: record 2: .*memory")
        self.assertEqual(self.folder.client("batch", stdin=puzzles[0] + "\n" + puzzles[2] + "\n").stdout.splitlines(),
                         [lines[0], lines[2]])

    def test_busy(self):
        chance = random.Random(6)
        text = "".join(graph6(40, random_graph(chance, 40)) + "\n" for _ in range(500))
        self.assertEqual(self.folder.client("batch", stdin=text).stdout,
                         self.folder.client("batch", "--daemon", stdin=text).stdout)


class LosingTheDaemon(FolderTest):
    def half_way(self, stream, end):
        """Asks a daemon about a stream, of which the second half comes once `end` has ended the daemon."""
        half = len(stream) // 2
        with subprocess.Popen([CMCLIENT, "batch", "--daemon"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=self.folder.env) as process:
            process.stdin.write("".join(stream[:half]).encode())
            process.stdin.flush()
            harness.wait_readable(process.stdout, "an answer")
            end()
            out, err = process.communicate("".join(stream[half:]).encode(), timeout=DEADLINE_S)
        return process.returncode, out.decode(), err.decode()

    def setUp(self):
        super().setUp()
        chance = random.Random(10)
        self.stream = [graph6(8, random_graph(chance, 8)) + "\n" for _ in range(6000)]
        self.wanted = self.folder.client("batch", stdin="".join(self.stream)).stdout

    def test_killed(self):
        """Its successor is asked what it had not answered."""
        daemon = self.start()
        said = self.half_way(self.stream, daemon.kill)
        self.folder.client("stop")
        self.assertEqual((0, self.wanted, ""), said)

    def test_leaving(self):
        self.start()
        said = self.half_way(self.stream, lambda: self.folder.client("stop"))
        self.folder.client("stop")
        self.assertEqual((0, self.wanted, ""), said)

    def test_no_successor(self):
        """What was answered is there, and a sentence."""
        daemon = self.start()
        self.folder.env["CATMOUSE_AUTOSTART"] = "0"
        status, out, err = self.half_way(self.stream, daemon.kill)
        self.assertEqual(3, status)
        self.assertTrue(self.wanted.startswith(out) and out.endswith("\n"), out[-200:])
        self.assertRegex(err, r"^cmclient: no daemon is running \(nobody listens on .*\)\n$")

    def test_daemon_that_never_answers(self):
        """One that takes connections and drops them is tried three times, and no more."""
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(self.folder.socket))
            listener.listen()
            with subprocess.Popen([CMCLIENT, "batch", "--daemon"], stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                                  env=self.folder.env) as process:
                process.stdin.write(b"DQw\n")
                process.stdin.close()
                for _ in range(3):
                    harness.wait_readable(listener, "a connection")
                    listener.accept()[0].close()
                self.assertEqual(b"cmclient: the daemon closed the connection before it answered\n", process.stderr.read())
                self.assertEqual(3, process.wait(DEADLINE_S))

    def test_no_daemon(self):
        done = self.folder.client("batch", "--daemon", "--no-autostart", stdin="DQw\n")
        self.assertEqual(3, done.returncode)
        self.assertRegex(done.stderr, r"^cmclient: no daemon is running \(nobody listens on .*\)\n$")


if __name__ == "__main__":
    harness.main()
