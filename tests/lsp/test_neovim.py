#!/usr/bin/python3
"""The plugin in a real Neovim, headless: what it shows, mends, plays, and leaves behind."""
import json
import os
import shutil
import subprocess
import unittest

import editor  # noqa: F401, it knows where the harness lies

from harness import CMCLIENT, DEADLINE_S, ROOT, Daemon, Folder, main, wait_readable, wait_until
from wire import HELD, Holder

PRELUDE = """
local deadline = %d
local said = {}
function say(name, value) said[name] = value end
function await(what, condition)
  if not vim.wait(deadline, condition, 5) then
    say('late', what)
    finish()
  end
end
function finish()
  vim.fn.writefile({ vim.json.encode(said) }, vim.env.SAID)
  vim.cmd('qa!')
end
function lenses()
  local texts = {}
  for _, lens in ipairs(vim.lsp.codelens.get(0)) do table.insert(texts, lens.command.title) end
  return table.concat(texts, ' | ')
end
function body()
%s
end
local fine, message = xpcall(body, debug.traceback)
if not fine then say('error', message) end
finish()
""" % (DEADLINE_S * 1000, "%s")

BROKEN = "[[1,2],\n[0,2],\n  [1]]\n"


@unittest.skipUnless(shutil.which("nvim"), "there is no Neovim")
class Neovim(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Folder()
        cls.addClassCleanup(cls.folder.remove)
        cls.daemon = Daemon(cls.folder, *Holder.ARGUMENTS)
        cls.addClassCleanup(cls.daemon.stop)

    def run_in(self, name, text, script):
        """What the script said, in a buffer of that name and text."""
        file = self.folder.path / name
        file.write_text(text)
        code = self.folder.path / "script.lua"
        code.write_text(PRELUDE % script)
        said = self.folder.path / "said"
        said.unlink(missing_ok=True)
        env = {
            **self.folder.env,
            "PATH": os.path.dirname(CMCLIENT) + ":" + os.environ["PATH"],
            "SAID": str(said),
            "XDG_STATE_HOME": str(self.folder.path / "state"),
            "XDG_DATA_HOME": str(self.folder.path / "data"),
            "XDG_CONFIG_HOME": str(self.folder.path / "config"),
        }
        done = subprocess.run(
            ["nvim", "--headless", "-u", "NONE", "-i", "NONE", "--cmd", f"set rtp^={ROOT}/editors/nvim",
             "-c", "filetype on", "-c", "runtime! ftdetect/*.lua plugin/catmouse.lua", "-c", f"edit {file}",
             "-c", f"luafile {code}"],
            env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=DEADLINE_S * 2, check=False,
        )
        self.assertTrue(said.exists(), done.stderr)
        result = json.loads(said.read_text())
        self.assertNotIn("error", result, result)
        self.assertNotIn("late", result, str(result) + done.stderr)
        return result

    def test_diagnostics_a_repair_and_the_verdict(self):
        said = self.run_in("broken.catmouse", BROKEN, """
          await('diagnostics', function() return #vim.diagnostic.get(0) > 0 end)
          local found = vim.diagnostic.get(0)[1]
          say('fault', { found.lnum, found.col, found.end_col, found.code, found.source })
          vim.api.nvim_win_set_cursor(0, { found.lnum + 1, found.col })
          local titles = {}
          vim.ui.select = function(items, options, choose)
            for _, item in ipairs(items) do table.insert(titles, (options.format_item(item))) end
            choose(items[1], 1)
          end
          vim.lsp.buf.code_action()
          await('repair', function() return vim.api.nvim_buf_get_lines(0, 2, 3, false)[1] ~= '  [1]]' end)
          say('titles', titles)
          say('text', vim.api.nvim_buf_get_lines(0, 0, -1, false))
          await('no diagnostics', function() return #vim.diagnostic.get(0) == 0 end)
          vim.cmd('doautocmd TextChanged')
          await('lens', function() return lenses():find('best') end)
          say('lens', lenses())
        """)
        self.assertEqual([0, 4, 5, "missing-mirror", "catmouse"], said["fault"])
        self.assertEqual(["Add 0 to the list of 2", "Drop 2 from the list of 0", "Make all repairs"], said["titles"])
        self.assertEqual(["[[1,2],", "[0,2],", "  [1,0]]"], said["text"])
        self.assertEqual("Mouse wins in 1 ply · best: to 0 | play | picture", said["lens"])

    def test_an_edit_changes_the_lens(self):
        said = self.run_in("edit.catmouse", "[[1,2],[0,2],[0,1]]\n", """
          await('lens', function() return lenses():find('Mouse wins in 1 ply') end)
          vim.api.nvim_buf_set_lines(0, 0, -1, false, { '[[2],[3],[0,3],[1,2]]' })
          vim.cmd('doautocmd TextChanged')
          await('another lens', function() return lenses():find('^Draw') or lenses():find('^Cat') end)
          say('lens', lenses())
        """)
        self.assertRegex(said["lens"], "^(Draw|Cat)")

    def test_a_block_in_a_quote_of_markdown(self):
        said = self.run_in("notes.md", "> ```catmouse\n> [[1,2],[0,2],[0,1]]\n> ```\n", """
          await('lens', function() return lenses():find('best') end)
          say('lens', lenses())
        """)
        self.assertEqual("Mouse wins in 1 ply · best: to 0 | play | picture", said["lens"])

    def test_json_keeps_its_type_and_other_json_is_let_be(self):
        said = self.run_in("puzzle.json", '{"graph": [[1,2],[0,2],[0,1]]}\n', """
          await('server', function() return require('catmouse').client(0) end)
          say('type', vim.bo.filetype)
          vim.cmd('edit ' .. vim.fn.tempname() .. '.json')
          say('other', require('catmouse').client(0) ~= nil)
        """)
        self.assertEqual({"type": "json", "other": False}, said)

    def test_commands(self):
        said = self.run_in("commands.catmouse", "[[1,2],[0,2],[0,1]]\n", """
          local notes = {}
          vim.notify = function(text) table.insert(notes, text) end
          await('server', function() return require('catmouse').client(0) end)
          vim.cmd('Catmouse solve')
          await('a note', function() return #notes > 0 end)
          say('notes', notes)
          say('names', vim.fn.getcompletion('Catmouse ', 'cmdline'))
          vim.cmd('Catmouse query 1 2 cat')
          local function float()
            for _, window in ipairs(vim.api.nvim_list_wins()) do
              if vim.api.nvim_win_get_config(window).relative ~= '' then return window end
            end
          end
          await('a window', float)
          say('query', vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(float()), 0, -1, false))
          vim.cmd('Catmouse stop')
          await('the end', function() return #vim.lsp.get_active_clients() == 0 end)
        """)
        self.assertEqual(["Mouse wins in 1 ply"], said["notes"])
        self.assertEqual(["line", "picture", "play", "query", "solve", "stop"], said["names"])
        self.assertEqual(["Cat wins in 1 ply", "to 1      Cat has won"], [line.strip() for line in said["query"]])

    def test_play(self):
        said = self.run_in("play.catmouse", "[[2,5],[3],[0,4,5],[1,4,5],[2,3],[0,2,3]]\n", """
          await('server', function() return require('catmouse').client(0) end)
          local function lines() return vim.api.nvim_buf_get_lines(0, 0, -1, false) end
          local function shows(text) return table.concat(lines(), '\\n'):find(text, 1, true) end
          vim.cmd('Catmouse play')
          await('the panel', function() return vim.bo.filetype == 'catmouse-play' and shows('Mouse at 1') end)
          say('first', lines())
          say('at', vim.api.nvim_get_current_line())
          local function move_to(node)
            for row, line in ipairs(lines()) do
              if line:match('^  to ' .. node .. ' ') then vim.api.nvim_win_set_cursor(0, { row, 0 }) end
            end
            require('catmouse.play').move()
          end
          move_to(3)
          await('the reply', function() return shows('Mouse at 3, cat at 5') end)
          move_to(4)
          await('the reply', function() return not shows('Mouse at 3') and shows('mouse to move') end)
          say('second', lines())
          require('catmouse.play').undo()
          await('back', function() return shows('Mouse at 3, cat at 5') end)
          require('catmouse.play').undo()
          await('back to the start', function() return shows('Mouse at 1, cat at 2') end)
          vim.cmd('close')
        """)
        self.assertEqual(["Mouse at 1, cat at 2, you are the mouse.", "Draw, mouse to move.", "  to 3      Draw", "",
                          "Enter moves, u takes back, s changes sides, q closes."], said["first"])
        self.assertEqual("  to 3      Draw", said["at"])
        self.assertTrue(said["second"][0].startswith("Mouse at 4"), said["second"])

    def test_no_panel_for_a_puzzle_with_faults(self):
        said = self.run_in("faults.catmouse", BROKEN, """
          local notes = {}
          vim.notify = function(text) table.insert(notes, text) end
          await('server', function() return require('catmouse').client(0) end)
          vim.cmd('Catmouse play')
          await('a note', function() return #notes > 0 end)
          say('notes', notes)
          say('windows', #vim.api.nvim_list_wins())
        """)
        self.assertEqual({"notes": ["catmouse: graph[0] lists node 2, but graph[2] does not list node 0"], "windows": 1},
                         said)

    def test_play_on_a_grid_tells_what_was_thrown_away(self):
        said = self.run_in("grid.catmouse", '{"grid": ["####F","#C...","M...."], "catJump": 1, "mouseJump": 2}\n', """
          await('server', function() return require('catmouse').client(0) end)
          local function lines() return vim.api.nvim_buf_get_lines(0, 0, -1, false) end
          local function shows(text) return table.concat(lines(), '\\n'):find(text, 1, true) end
          vim.cmd('Catmouse play')
          await('the board', function() return vim.bo.filetype == 'catmouse-play' and shows('#C...') end)
          say('board', { unpack(lines(), 1, 3) })
          vim.api.nvim_win_set_cursor(0, { 3, 1 })
          require('catmouse.play').move()
          await('the game', function() return shows('threw away') end)
          say('note', shows('That threw away a win in 5.') ~= nil)
        """)
        self.assertEqual(["####F", "#C...", "M...."], said["board"])
        self.assertTrue(said["note"])

    def test_health(self):
        said = self.run_in("health.catmouse", "[[1,2],[0,2],[0,1]]\n", """
          await('server', function() return require('catmouse').client(0) end)
          vim.cmd('checkhealth catmouse')
          say('report', table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n'))
        """)
        self.assertIn("the daemon answers", said["report"])
        self.assertNotIn("ERROR", said["report"])

    def test_nothing_is_left_behind(self):
        said = self.run_in("left.catmouse", "[[1,2],[0,2],[0,1]]\n", """
          await('lens', function() return lenses():find('Mouse') end)
          say('done', true)
        """)
        self.assertTrue(said["done"])
        self.wait_for_servers_end()

    def test_progress_of_a_slow_solve_that_ends_with_the_editor(self):
        holder = Holder(self.folder.socket)
        self.addCleanup(holder.release)
        said = self.run_in("slow.catmouse", json.dumps(HELD), """
          local function deep()
            local found = vim.lsp.util.get_progress_messages and vim.lsp.util.get_progress_messages()
              or { { message = vim.lsp.status() } }
            for _, progress in ipairs(found) do
              if (progress.message or ''):find('%d+ plies deep') then return progress end
            end
          end
          local shown
          await('progress', function() shown = shown or deep() return shown end)
          say('title', shown.title or 'Solving')
          await('a lens', function() return lenses():find('^solving, %d+ plies deep') end)
        """)
        self.assertEqual("Solving", said["title"])
        self.wait_for_servers_end()
        wait_until(lambda: not json.loads(self.folder.client("status", "--json").stdout)["jobs_queued"],
                   "the end of its solve")

    def wait_for_servers_end(self):
        """Of language servers that run with this test's folder in their environment. They end with their input."""
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as line, open(f"/proc/{pid}/environ", "rb") as env:
                    ours = b"cmlsp" in line.read() and str(self.folder.path).encode() in env.read()
                ended = os.pidfd_open(int(pid)) if ours else None
            except OSError:
                continue
            if ours:
                wait_readable(ended, "the end of a language server")
                os.close(ended)

    def test_one_server_for_all_buffers(self):
        other = self.folder.path / "other.catmouse"
        other.write_text("[[1,2],[0,2],[0,1]]\n")
        said = self.run_in("one.catmouse", "[[1,2],[0,2],[0,1]]\n", f"""
          await('server', function() return require('catmouse').client(0) end)
          vim.cmd('edit {other}')
          await('server of the other', function() return require('catmouse').client(0) end)
          say('servers', #vim.lsp.get_active_clients())
        """)
        self.assertEqual(1, said["servers"])

    def test_help_tags_are_those_of_the_help(self):
        tags = (ROOT / "editors/nvim/doc/tags").read_text()
        copy = self.folder.path / "doc"
        copy.mkdir()
        shutil.copy(ROOT / "editors/nvim/doc/catmouse.txt", copy)
        subprocess.run(["nvim", "--headless", "-u", "NONE", "-i", "NONE", "-c", f"helptags {copy}", "-c", "q"],
                       check=True, timeout=DEADLINE_S, stdin=subprocess.DEVNULL, capture_output=True)
        self.assertEqual((copy / "tags").read_text(), tags)


if __name__ == "__main__":
    main()
