#!/usr/bin/python3
"""What an editor's user waits for, measured through the real server and daemon: `./dev bench lsp`."""
import json
import os
import pathlib
import random
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/lsp"))

from editor import Editor, is_solving  # noqa: E402
from harness import Daemon, Folder, path_puzzle  # noqa: E402

URI = "file:///puzzle.catmouse"
LENSES = {"textDocument": {"codeLens": {}}}


def random_graph(nodes, degree, chance):
    lists = [set() for _ in range(nodes)]
    for node in range(nodes):
        while len(lists[node]) < degree:
            other = chance.randrange(nodes)
            if other != node:
                lists[node].add(other)
                lists[other].add(node)
    return [sorted(neighbours) for neighbours in lists]


def percentile(times, share):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))] * 1000


def show(what, times):
    print(f"| {what} | {percentile(times, 0.5):.2f} ms | {percentile(times, 0.99):.2f} ms |", flush=True)


def keystrokes(editor, text):
    """Digits typed and taken back in a large puzzle: until its faults have come."""
    times = []
    editor.open(URI, text)
    editor.diagnostics(URI)
    line = text.count("\n") // 2
    for step in range(500):
        begin = time.perf_counter()
        if step % 2 == 0:
            editor.change(URI, ((line, 1), (line, 1), "9"))
        else:
            editor.change(URI, ((line, 1), (line, 2), ""))
        editor.diagnostics(URI)
        times.append(time.perf_counter() - begin)
    return times


def verdicts(editor, chance):
    """A puzzle of LeetCode's sizes replaced by another: until its verdict is in the lens, less the solve."""
    times = []
    editor.open(URI, "[[1,2],[0,2],[0,1]]")
    editor.lenses(URI)
    for _ in range(500):
        text = json.dumps(random_graph(chance.randrange(5, 51), 3, chance))
        begin = time.perf_counter()
        editor.change(URI, text)
        lens = editor.lenses(URI)[0]
        took = time.perf_counter() - begin
        assert "wins" in lens or "Draw" in lens, lens
        asked = {"command": "catmouse.solve", "arguments": [{"uri": URI}]}
        times.append(took - editor.call("workspace/executeCommand", asked)["solve_us"] / 1e6)
    return times


def shutdowns(folder):
    """A puzzle that takes ten seconds is being solved: until `shutdown` is answered."""
    times = []
    text = json.dumps(path_puzzle(20000)["graph"])
    for _ in range(30):
        editor = Editor(folder)
        editor.initialize(LENSES)
        editor.open(URI, text)
        while not is_solving(lenses := editor.lenses_now(URI)):
            assert "best" not in lenses[0], "the solve has ended before anybody looked"
        begin = time.perf_counter()
        editor.call("shutdown")
        times.append(time.perf_counter() - begin)
        editor.tell("exit")
        assert editor.process.wait(60) == 0
        editor.kill()
    return times


def processor_ms(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def resident_kib(pid):
    """What it alone has in memory, and with what it shares with other programs."""
    status = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
    sizes = {line.split(":")[0]: int(line.split()[1]) for line in status.splitlines()[1:]}
    return sizes["Private_Clean"] + sizes["Private_Dirty"], sizes["Rss"]


def main():
    chance = random.Random(913)
    folder = Folder()
    daemon = Daemon(folder)
    try:
        large = "[" + ",\n".join(json.dumps(row) for row in random_graph(5000, 5, chance)) + "]\n"
        editor = Editor(folder)
        editor.initialize(LENSES)
        print("| what | median | 99 of 100 within |\n|---|---|---|")
        show("verdict in the lens after an edit, 5 to 50 nodes, less the solve", verdicts(editor, chance))
        before = processor_ms(editor.process.pid)
        times = keystrokes(editor, large)
        spent = processor_ms(editor.process.pid) - before
        show(f"faults after a keystroke, 5,000 nodes, {len(large) // 1000} kB", times)
        editor.quit()
        editor.kill()
        show("the answer to shutdown in the middle of a solve", shutdowns(folder))
        print(f"\nA keystroke in that puzzle takes {spent / len(times):.2f} ms of the server's processor time.")

        editor = Editor(folder)
        editor.initialize(LENSES)
        editor.open(URI, "[[2,5],[3],[0,4,5],[1,4,5],[2,3],[0,2,3]]")
        editor.lenses(URI)
        before = processor_ms(editor.process.pid)
        time.sleep(10)
        spent = processor_ms(editor.process.pid) - before
        own, all_of_it = resident_kib(editor.process.pid)
        print(f"At rest: {spent:.0f} ms of processor time in 10 s, "
              f"{all_of_it / 1024:.1f} MiB in memory, {own / 1024:.1f} MiB of it its own.")
        editor.quit()
    finally:
        daemon.stop()
        folder.remove()


if __name__ == "__main__":
    main()
