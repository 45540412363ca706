#!/usr/bin/python3
"""What people paste, a file each in tests/data/pastes/: the paste, a line with the exit status, what cmclient says."""
import re
import unittest

import harness
from harness import ROOT, DaemonTest

MARK = re.compile(rb"^======== exit status (\d)\n", re.MULTILINE)


def settled(said):
    """Without what differs from run to run."""
    return re.sub(r", solved in [\d.]+ (µs|ms|s|minutes?)|, known already", "", said)


class Pastes(DaemonTest):
    def test_every_paste(self):
        pastes = sorted((ROOT / "tests/data/pastes").glob("*.txt"))
        self.assertGreaterEqual(len(pastes), 60)
        for path in pastes:
            paste, status, said = MARK.split(path.read_bytes())
            with self.subTest(path.name):
                done = self.folder.client("solve", stdin=paste.decode())
                self.assertEqual((said.decode(), int(status)), (settled(done.stdout + done.stderr), done.returncode))


if __name__ == "__main__":
    harness.main()
