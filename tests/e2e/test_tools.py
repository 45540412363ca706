#!/usr/bin/python3
"""The tools that people bring along: Neovim, socat and jq, and the clients in examples/."""
import json
import os
import re
import subprocess
import unittest

import harness
from harness import CMCLIENT, DEADLINE_S, ROOT, SMALL, DaemonTest

PUZZLE = ROOT / "examples/puzzles/graph-list.json"  # the mouse wins in 7 plies

NEOVIM_TEST = """
local channel = vim.fn.sockconnect('pipe', vim.env.CATMOUSE_SOCKET, { rpc = true })
local puzzle = vim.json.decode(table.concat(vim.fn.readfile(vim.env.PUZZLE), ''))
local solved = vim.fn.rpcrequest(channel, 'solve', { puzzle = puzzle })
local answer = vim.fn.rpcrequest(channel, 'query', { id = solved.id, state = solved.start.state })
local fine, message = pcall(vim.fn.rpcrequest, channel, 'query', { state = { mouse = 99, cat = 2, turn = 0 } })
local pong = vim.fn.rpcrequest(channel, 'ping')
print(vim.json.encode({
  solved = solved, answer = answer, fine = fine, message = tostring(message), pong = pong,
}))
"""


class Tools(DaemonTest):
    def run_tool(self, *command, **options):
        env = {
            **self.folder.env,
            "CATMOUSE_SOCKET": str(self.folder.socket),
            "PATH": os.path.dirname(CMCLIENT) + ":" + os.environ["PATH"],
            "PUZZLE": str(PUZZLE),
        }
        done = subprocess.run(
            list(map(str, command)),
            env=env,
            capture_output=True,
            text=True,
            timeout=DEADLINE_S,
            check=False,
            **options,
        )
        self.assertEqual(0, done.returncode, done.stderr + done.stdout)
        return done

    def neovim(self, *arguments):
        """What a headless Neovim printed; it prints to stderr."""
        done = self.run_tool("nvim", "--headless", "-u", "NONE", "-i", "NONE", *arguments, "-c", "qa!")
        return done.stderr.strip()

    def test_neovim_solves_queries_and_sees_an_error(self):
        script = self.folder.path / "test.lua"
        script.write_text(NEOVIM_TEST)
        said = json.loads(self.neovim("-c", f"luafile {script}"))
        start = said["solved"]["start"]
        self.assertEqual(("mouse", 7), (start["outcome"], start["plies"]))
        self.assertEqual(("mouse", 7), (said["answer"]["outcome"], said["answer"]["plies"]))
        self.assertEqual(said["answer"]["moves"][0]["to"], said["answer"]["best"])
        self.assertFalse(said["fine"])
        self.assertIn("E_BAD_STATE: ", said["message"])
        self.assertEqual("pong", said["pong"])

    def test_neovim_example(self):
        script = ROOT / "examples/hint.lua"
        said = self.neovim(PUZZLE, "-c", f"luafile {script}", "-c", "CatmouseHint")
        self.assertRegex(said, r"mouse in 7 plies; the mouse should go to \d+")
        said = self.neovim(self.stuck(), "-c", f"luafile {script}", "-c", "CatmouseHint")
        self.assertIn("draw; the mouse has no move", said)

    def stuck(self):
        """A puzzle in whose start nobody can move."""
        file = self.folder.path / "stuck.json"
        file.write_text('{"graph": [[], [], []]}')
        return file

    def test_shell_example(self):
        said = self.run_tool(ROOT / "examples/hint.sh", PUZZLE).stdout
        self.assertRegex(said, r"^mouse in 7 plies; the mouse should go to \d+\n$")
        said = self.run_tool(ROOT / "examples/hint.sh", self.stuck()).stdout
        self.assertEqual("draw; the mouse has no move\n", said)

    def test_python_example(self):
        command = ("/usr/bin/python3", ROOT / "examples/hint.py")
        said = self.run_tool(*command, PUZZLE).stdout
        self.assertRegex(said, r"^mouse in 7 plies; the mouse should go to \d+\n$")
        self.assertEqual("draw; the mouse has no move\n", self.run_tool(*command, self.stuck()).stdout)

    def test_clients_of_the_protocol(self):
        """The programs in PROTOCOL.md, each as a file of its own."""
        text = (ROOT / "proto/PROTOCOL.md").read_text()
        clients = re.findall(r"```(python|js|lua)\n(.*?)```", text, re.DOTALL)
        self.assertEqual(["python", "python", "js", "js", "lua"], [language for language, _ in clients])
        commands = {"python": "/usr/bin/python3", "js": "node"}
        for number, (language, source) in enumerate(clients):
            script = self.folder.path / f"client{number}.{language}"
            script.write_text(source)
            if language == "lua":
                said = self.neovim("-c", f"luafile {script}")
            else:
                said = self.run_tool(commands[language], script).stdout
            self.assertEqual(["draw", "3"], said.split(), source)

    def test_socat_and_jq(self):
        request = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "solve", "params": {"puzzle": SMALL}})
        said = self.run_tool(
            "bash", "-c", f'socat -t {DEADLINE_S} - "UNIX-CONNECT:$CATMOUSE_SOCKET" | jq -c .result.start.outcome',
            input=request + "\n",
        )
        self.assertEqual('"draw"\n', said.stdout)


if __name__ == "__main__":
    harness.main()
