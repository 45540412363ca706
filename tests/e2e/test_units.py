#!/usr/bin/env python3
"""What systemd itself says of the units as they are installed: nothing to complain about, and little exposed."""
import re
import shutil
import subprocess
import unittest

import harness
from harness import BUILD, CMDAEMON, ROOT, FolderTest

EXPOSURE_MAX = 1.5  # of 10


@unittest.skipUnless(shutil.which("systemd-analyze"), "no systemd here")
class Units(FolderTest):
    def analyze(self, *arguments):
        done = subprocess.run(["systemd-analyze", *arguments], env=self.folder.env, timeout=harness.DEADLINE_S,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(0, done.returncode, done.stdout)
        return done.stdout

    def units(self):
        """The socket and its service, which runs the daemon where it was built."""
        service = (BUILD / "systemd/catmouse.service").read_text()
        service, replaced = re.subn(r'^ExecStart=".*/cmdaemon"$', f'ExecStart="{CMDAEMON}"', service, flags=re.MULTILINE)
        self.assertEqual(1, replaced)
        path = self.folder.runtime / "catmouse.service"
        path.write_text(service)
        return path, shutil.copy(ROOT / "systemd/catmouse.socket", self.folder.runtime)

    def test_verified(self):
        self.assertEqual("", self.analyze("verify", "--user", "--man=no", *map(str, self.units())))

    def test_exposure(self):
        said = self.analyze("security", "--offline=true", str(self.units()[0]))
        self.assertLessEqual(float(re.search(r"exposure level for \S+: ([\d.]+)", said)[1]), EXPOSURE_MAX)


if __name__ == "__main__":
    harness.main()
