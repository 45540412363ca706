#!/usr/bin/python3
"""examples/cluster: parts of a stream on two hosts, which are this machine behind an ssh server of the test's own."""
import getpass
import json
import os
import shutil
import socket
import subprocess
import unittest

import harness
from harness import CMCLIENT, DEADLINE_S, ROOT, FolderTest

NEEDED = ["parallel", "rsync", "ssh", "ssh-keygen", "nauty-geng"]
SSHD = shutil.which("sshd", path="/usr/sbin:/usr/bin")
MISSING = [name for name in NEEDED if not shutil.which(name)] + ([] if SSHD else ["sshd"])


@unittest.skipIf(MISSING, "not here: " + ", ".join(MISSING))
class Parallel(FolderTest):
    def setUp(self):
        super().setUp()
        if os.geteuid() == 0 and not os.path.isdir("/run/sshd"):
            self.skipTest("as root, sshd needs /run/sshd")
        folder = self.folder.path
        for name in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        (folder / "sshd_config").write_text(
            f"Port {port}\nListenAddress 127.0.0.1\nHostKey {folder}/host\nPidFile none\nUsePAM no\nStrictModes no\n"
            f"AuthorizedKeysFile {folder}/user.pub\nPermitRootLogin yes\n")
        (folder / "ssh_config").write_text(
            f"Host one two\n HostName 127.0.0.1\n Port {port}\n User {getpass.getuser()}\n IdentityFile {folder}/user\n"
            f" UserKnownHostsFile {folder}/known\n StrictHostKeyChecking no\n LogLevel ERROR\n IdentitiesOnly yes\n")
        self.sshd = subprocess.Popen([SSHD, "-D", "-e", "-f", folder / "sshd_config"], stderr=subprocess.PIPE)
        self.addCleanup(self.end_sshd)
        harness.wait_readable(self.sshd.stderr, "the ssh server to listen")
        self.assertIn(b"listening", self.sshd.stderr.readline())

    def end_sshd(self):
        self.sshd.kill()
        self.sshd.wait()
        self.sshd.stderr.close()

    def run_parts(self, nodes, parts, hosts):
        config = self.folder.path / "ssh_config"
        logins = ",".join(f"ssh -F {config} {host}" for host in hosts)
        return subprocess.run([ROOT / "examples/cluster/parallel.sh", str(nodes), str(parts), self.folder.path / "parts",
                               *([logins] if logins else [])], env={**self.folder.env, "CMCLIENT": CMCLIENT},
                              capture_output=True, text=True, timeout=DEADLINE_S * 3, check=False)

    def test_two_hosts(self):
        """All parts, added up; one that is lost is missed; one that did not run runs now."""
        done = self.run_parts(7, 6, ["one", "two"])
        self.assertEqual(0, done.returncode, done.stderr)
        whole = subprocess.run(f"nauty-geng -q -c 7 | {CMCLIENT} batch --summary --json", shell=True, check=True,
                               capture_output=True, text=True).stdout
        counts = {key: json.loads(whole)[key] for key in ("records", "mouse", "cat", "draw")}
        for key, count in counts.items():
            self.assertRegex(done.stdout, rf"(?m)^ +{count} {key}$")
        log = self.folder.path / "parts/log"
        hosts = {line.split("\t")[1].split()[-1] for line in log.read_text().splitlines()[1:]}
        self.assertEqual({"one", "two"}, hosts)
        (self.folder.path / "parts/part-3.json").unlink()
        self.assertIn("part 3/6 is missing", self.run_parts(7, 6, ["one", "two"]).stderr)
        log.write_text("".join(line for line in log.read_text().splitlines(True) if line.split("\t")[0] != "4"))
        again = self.run_parts(7, 6, ["one", "two"])
        self.assertEqual((0, done.stdout), (again.returncode, again.stdout), again.stderr)


if __name__ == "__main__":
    harness.main()
