#!/usr/bin/python3
"""examples/cluster, each with its real tools, all on this machine: two hosts behind an ssh server of the test's own, two
nodes of a Slurm of its own, three daemons behind an HAProxy of its own."""
import getpass
import json
import os
import random
import secrets
import shutil
import socket
import subprocess
import unittest

import harness
from harness import CMCLIENT, DEADLINE_S, ROOT, Daemon, FolderTest
from test_batch import bare, random_graph

EXAMPLES = ROOT / "examples/cluster"
PATH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
ASK_BY_ID = os.environ["ASK_BY_ID"]
SSHD = shutil.which("sshd", path=PATH)  # wants to be called by its whole name


def needs(*programs):
    """Skips a test case where Debian's packages are not installed (cluster_packages in `dev`)."""
    missing = [name for name in programs if not shutil.which(name, path=PATH)]
    return unittest.skipIf(missing, "not here: " + ", ".join(missing))


HELD = []  # names that say which ports are taken, until this process ends


def free_ports(count):
    """Of those that the system gives to nobody by itself, and that no other run of these tests has taken."""
    ports = []
    for port in random.SystemRandom().sample(range(10000, 32768), 20000):
        name = socket.socket(socket.AF_UNIX)
        try:
            name.bind(f"\0catmouse-test-port-{port}")
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            name.close()
            continue
        HELD.append(name)
        ports.append(port)
        if len(ports) == count:
            return ports
    raise AssertionError("no port is free")


def counts_of_all(nodes):
    """What the parts must add up to."""
    whole = subprocess.run(f"nauty-geng -q -c {nodes} | {CMCLIENT} batch --summary --json", shell=True, check=True,
                           capture_output=True, text=True).stdout
    return {key: json.loads(whole)[key] for key in ("records", "mouse", "cat", "draw")}


@needs("parallel", "rsync", "ssh", "ssh-keygen", "sshd", "nauty-geng")
class Hosts(FolderTest):
    def setUp(self):
        super().setUp()
        if os.geteuid() == 0:
            os.makedirs("/run/sshd", mode=0o755, exist_ok=True)  # where sshd locks its children in; systemd makes it
        folder = self.folder.path
        for name in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True)
        port, = free_ports(1)
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

    def run_parts(self, nodes, parts, hosts, client=CMCLIENT):
        config = self.folder.path / "ssh_config"
        logins = ",".join(f"ssh -F {config} {host}" for host in hosts)
        return subprocess.run([EXAMPLES / "parallel.sh", str(nodes), str(parts), self.folder.path / "parts",
                               *([logins] if logins else [])], env={**self.folder.env, "CMCLIENT": client},
                              cwd=self.folder.path, capture_output=True, text=True, timeout=DEADLINE_S * 3, check=False)

    def test_here(self):
        """Without hosts, and with a client that is named from the folder at hand."""
        (self.folder.path / "my programs").mkdir()
        (self.folder.path / "my programs/cmclient").symlink_to(CMCLIENT)
        done = self.run_parts(6, 2, [], "my programs/cmclient")
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertRegex(done.stdout, rf"(?m)^ +{counts_of_all(6)['records']} records$")

    def test_two_hosts(self):
        """All parts, added up; one that is lost is missed; one that did not run runs now."""
        done = self.run_parts(7, 6, ["one", "two"])
        self.assertEqual(0, done.returncode, done.stderr)
        for key, count in counts_of_all(7).items():
            self.assertRegex(done.stdout, rf"(?m)^ +{count} {key}$")
        log = self.folder.path / "parts/log"
        hosts = {line.split("\t")[1].split()[-1] for line in log.read_text().splitlines()[1:]}
        self.assertEqual({"one", "two"}, hosts)
        (self.folder.path / "parts/part-3.json").unlink()
        self.assertIn("part 3/6 is missing", self.run_parts(7, 6, ["one", "two"]).stderr)
        log.write_text("".join(line for line in log.read_text().splitlines(True) if line.split("\t")[0] != "4"))
        again = self.run_parts(7, 6, ["one", "two"])
        self.assertEqual((0, done.stdout), (again.returncode, again.stdout), again.stderr)

    def test_far_daemon(self):
        """A daemon's socket, brought here by ssh."""
        self.start()
        far = self.folder.path / "far/far.sock"
        far.parent.mkdir(mode=0o700)
        tunnel = subprocess.Popen(["ssh", "-F", self.folder.path / "ssh_config", "-L", f"{far}:{self.folder.socket}", "one",
                                   "echo ready; cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(tunnel.wait)
        self.addCleanup(tunnel.stdout.close)
        self.addCleanup(tunnel.stdin.close)
        harness.wait_readable(tunnel.stdout, "the tunnel")
        self.assertEqual(b"ready\n", tunnel.stdout.readline())
        done = self.folder.client("solve", "--no-autostart", "--socket", far, ROOT / "examples/puzzles/graph-list.json")
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        self.assertIn("The mouse wins in 7 plies.", done.stdout)


@needs("munged", "slurmctld", "slurmd", "sbatch", "srun", "nauty-geng")
class Slurm(FolderTest):
    def setUp(self):
        super().setUp()
        folder, user, host = self.folder.path, getpass.getuser(), socket.gethostname().split(".")[0]
        ports = free_ports(3)
        folder.chmod(0o755)  # of the socket that munge opens to all
        for name in ("state", "spool-one", "spool-two"):
            (folder / name).mkdir()
        (folder / "key").touch(mode=0o600)
        (folder / "key").write_bytes(secrets.token_bytes(128))
        (folder / "slurm.conf").write_text(
            f"ClusterName=test\nSlurmctldHost={host}(127.0.0.1)\nSlurmctldPort={ports[0]}\n"
            f"SlurmUser={user}\nSlurmdUser={user}\n"
            f"AuthType=auth/munge\nCredType=cred/munge\nAuthInfo=socket={folder}/munge.sock\n"
            f"StateSaveLocation={folder}/state\nSlurmdSpoolDir={folder}/spool-%n\n"
            f"SlurmctldPidFile={folder}/slurmctld.pid\nSlurmdPidFile={folder}/slurmd-%n.pid\n"
            "ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nSwitchType=switch/none\nMpiDefault=none\n"
            "SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\nSchedulerType=sched/builtin\n"
            "JobAcctGatherType=jobacct_gather/none\nAccountingStorageType=accounting_storage/none\nReturnToService=2\n"
            f"NodeName=one,two NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]},{ports[2]} CPUs=1 State=UNKNOWN\n"
            "PartitionName=all Nodes=one,two Default=YES State=UP\n")
        self.folder.env.update(SLURM_CONF=f"{folder}/slurm.conf", PATH=PATH)
        self.logs = []
        self.run_service("munged", "--foreground", "--force", f"--socket={folder}/munge.sock", f"--key-file={folder}/key",
                         f"--pid-file={folder}/munged.pid", f"--log-file={folder}/munged.log",
                         f"--seed-file={folder}/seed")
        self.run_service("slurmctld", "-D", "-i")
        for node in ("one", "two"):
            self.run_service("slurmd", "-D", "-N", node)
        started = self.run_slurm("srun", "--nodes=2", "true", timeout=DEADLINE_S / 2)
        if started.returncode:
            self.skipTest("no Slurm of one's own here: " + (self.last_words() or started.stderr).strip())

    def run_service(self, *command):
        log = self.folder.path / f"{command[0]}-{command[-1]}.log".replace("/", "_")
        self.logs.append(log)
        with open(log, "w") as file:
            process = subprocess.Popen(command, env=self.folder.env, stdout=file, stderr=file, stdin=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)

    def last_words(self):
        lines = [line for log in self.logs for line in log.read_text().splitlines() if "fatal" in line]
        return lines[-1] if lines else ""

    def run_slurm(self, *command, timeout=DEADLINE_S):
        try:
            return subprocess.run(command, env=self.folder.env, capture_output=True, text=True, timeout=timeout, check=False)
        except subprocess.TimeoutExpired as late:
            return subprocess.CompletedProcess(command, 1, "", f"{command[0]} took longer than {timeout} s\n{late.stderr}")

    def run_parts(self):
        """Submits the parts, and waits for the job that adds them up. What it says."""
        parts = self.folder.path / "parts"
        said = self.run_slurm(EXAMPLES / "slurm.sh", "7", "6", parts)
        self.assertEqual(0, said.returncode, said.stderr)
        ended = self.run_slurm("srun", "--dependency=afterany:" + said.stdout.split()[-1], "true")
        self.assertEqual(0, ended.returncode, ended.stderr)
        return (parts / "merged.txt").read_text()

    def test_job_array(self):
        """A part that fails is missed; given again, the same command runs that alone, and adds up."""
        calls, client = self.folder.path / "calls", self.folder.path / "client"
        client.write_text(f"#!/bin/sh\necho $1 $SLURM_ARRAY_TASK_ID $SLURMD_NODENAME >>{calls}\n"
                          f"[ $1$SLURM_ARRAY_TASK_ID = batch3 ] && [ ! -e {self.folder.path}/mended ] && exit 1\n"
                          f'exec {CMCLIENT} "$@"\n')
        client.chmod(0o755)
        self.folder.env["CMCLIENT"] = str(client)
        self.assertEqual("cmclient: part 3/6 is missing\n", self.run_parts())
        batches = [line.split() for line in calls.read_text().splitlines() if line.startswith("batch")]
        self.assertEqual(list("012345"), sorted(words[1] for words in batches))
        self.assertEqual({"one", "two"}, {words[2] for words in batches})
        (self.folder.path / "mended").touch()
        calls.unlink()
        merged = self.run_parts()
        for key, count in counts_of_all(7).items():
            self.assertRegex(merged, rf"(?m)^ +{count} {key}$")
        self.assertEqual(["batch 3", "merge"], [" ".join(line.split()[:2]) if "batch" in line else line.split()[0]
                                                for line in calls.read_text().splitlines()])


@needs("haproxy")
class Proxy(FolderTest):
    NAMES = ("one", "two", "three")

    def setUp(self):
        super().setUp()
        folder = self.folder.runtime
        self.daemons = []
        for name in self.NAMES:
            self.daemons.append(Daemon(self.folder, "--no-store", "--socket", str(folder / f"{name}.sock")))
            self.addCleanup(self.daemons[-1].kill)
        # Its workers say READY=1 as a daemon of ours does.
        self.proxy = Daemon(self.folder, "-Ws", "-f", str(EXAMPLES / "haproxy.cfg"), command=("haproxy",),
                            env={"CATMOUSE_FOLDER": str(folder), "PATH": PATH})
        self.addCleanup(self.end_proxy)

    def end_proxy(self):
        """A master that is killed leaves its worker behind."""
        self.proxy.process.terminate()
        self.proxy.process.wait(DEADLINE_S)
        self.proxy.kill()

    def test_daemon_killed_under_load(self):
        """Every question is answered, and right: by id, which the next daemon has never heard of, and in a stream."""
        chance = random.Random(17)
        lines = [bare(nodes, random_graph(chance, nodes)) + "\n" for nodes in [*range(8, 18)] * 60]
        wanted = self.folder.client("batch", stdin="".join(lines)).stdout
        good = [(line, answer.split("\t", 1)[1]) for line, answer in zip(lines, wanted.splitlines(True))
                if not answer.startswith("bad")]
        puzzles = "".join(line for line, _ in good).encode()
        answers = "".join(answer for _, answer in good)
        all_socket = str(self.folder.runtime / "all.sock")
        half = puzzles.index(b"\n", len(puzzles) // 2) + 1
        askers = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=self.folder.env)
                  for command in [[ASK_BY_ID, all_socket]] * 6 +
                  [[CMCLIENT, "batch", "--daemon", "--no-autostart", "--socket", all_socket]] * 3]
        for asker in askers:
            asker.stdin.write(puzzles[:half])
            asker.stdin.flush()
        for asker in askers:
            harness.wait_readable(asker.stdout, "an answer")
        self.daemons[1].kill()
        said = [asker.communicate(puzzles[half:], timeout=DEADLINE_S) for asker in askers]
        for asker, (out, err) in zip(askers, said):
            self.assertEqual((0, b""), (asker.returncode, err))
            self.assertEqual(answers, "".join(line.split("\t", 1)[1] if "batch" in asker.args else line
                                              for line in out.decode().splitlines(True)))
        asked = [json.loads(self.folder.client("status", "--json", "--socket", self.folder.runtime / f"{name}.sock").stdout)
                 for name in ("one", "three")]
        self.assertTrue(all(status["solves"] for status in asked), asked)


if __name__ == "__main__":
    harness.main()
