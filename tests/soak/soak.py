#!/usr/bin/python3
"""soak.py MINUTES: keeps a daemon under mixed load, with peers misbehaving and restarts, and watches it.

It fails when an answer is wrong, or when resident memory or descriptors grow. The first fifth of the time
holds the restarts, one by SIGTERM and one by SIGKILL; growth is looked for in the long life that follows,
between its second quarter and its last.
"""
import pathlib
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
import harness
from load import Client, Tally, Vandal
from wire import MsgpackConnection

CLIENTS, VANDALS = 4, 2
SAMPLE_S = 0.5
GROWTH = 1.1  # of the medians; what is more is a leak
SLACK = {"resident_kB": 4096, "descriptors": 8}
LIMITS = {
    "--cache-max": 8 << 20,
    "--memory-max": 256 << 20,
    "--store-max": 16 << 20,
    "--unread-time-max": 2000,
    "--message-time-max": 5000,
}


def arguments():
    """The limits that this daemon knows."""
    said = subprocess.run([harness.CMDAEMON, "--help"], capture_output=True, text=True, check=True)
    known = ((flag, str(limit)) for flag, limit in LIMITS.items() if flag in said.stdout)
    return [word for pair in known for word in pair]


class Soak:
    def __init__(self, minutes):
        self.end = time.monotonic() + 60 * minutes
        self.part_s = 60 * minutes / 10
        self.folder, self.tally = harness.Folder(), Tally()
        self.leaving, self.restarting, self.running = (threading.Event() for _ in range(3))
        self.lives, self.samples, self.statuses = 0, [], []

    def start(self):
        self.lives += 1
        self.daemon = harness.Daemon(self.folder, *arguments())
        self.restarting.clear()
        self.running.set()

    def stop(self, end):
        self.note_status()
        self.running.clear()
        self.restarting.set()
        end(self.daemon)

    def note_status(self):
        with MsgpackConnection(self.folder.socket) as connection:
            self.statuses.append(connection.call("status"))

    def sample(self):
        with open(f"/proc/{self.daemon.process.pid}/status", encoding="ascii") as status:
            fields = dict(line.split(":", 1) for line in status)
        self.samples.append((int(fields["VmRSS"].split()[0]), self.daemon.open_files()))

    def live(self, seconds):
        """Watches one life of the daemon."""
        self.samples = []
        end = min(self.end, time.monotonic() + seconds)
        while time.monotonic() < end and not self.tally.wrong:
            if self.daemon.process.poll() is not None:
                self.tally.blame(f"the daemon ended by itself:\n{self.daemon.output()}")
                return
            self.sample()
            time.sleep(SAMPLE_S)

    def run(self):
        self.start()
        actors = [Client(self, seed) for seed in range(CLIENTS)]
        actors += [Vandal(self, 1000 + seed) for seed in range(VANDALS)]
        for actor in actors:
            actor.start()
        for end in (harness.Daemon.stop, harness.Daemon.kill):
            self.live(self.part_s)
            if not self.tally.wrong:
                self.stop(end)
                self.start()
        self.live(float("inf"))
        self.leaving.set()
        for actor in actors:
            actor.join(harness.DEADLINE_S)
            if actor.is_alive():
                self.tally.blame(f"{actor} was left without an answer")
        self.stop(harness.Daemon.stop)
        self.folder.remove()

    def medians(self, column, begin, end):
        count = len(self.samples)
        part = sorted(row[column] for row in self.samples[int(begin * count) : int(end * count)])
        return part[len(part) // 2]

    def report(self):
        """True when all is well."""
        print("asked and checked, or misdone:", dict(sorted(self.tally.counts.items())))
        for key in ("requests", "solves", "hits", "misses"):
            print(f"{key}:", sum(status[key] for status in self.statuses))
        print(f"lives: {self.lives}, samples of the last: {len(self.samples)}")
        well = self.tally.wrong is None
        for column, (name, slack) in enumerate(SLACK.items()):
            before, after = self.medians(column, 0.25, 0.5), self.medians(column, 0.75, 1)
            peak = max(row[column] for row in self.samples)
            grows = after > GROWTH * before + slack
            print(f"{name}: {before}, then {after}, {peak} at most", "- GROWS" if grows else "")
            well = well and not grows
        print("all answers right" if self.tally.wrong is None else f"WRONG: {self.tally.wrong}")
        return well


if __name__ == "__main__":
    soak = Soak(float(sys.argv[1]))
    soak.run()
    sys.exit(not soak.report())
