-- The best move of the puzzle in the current buffer, shown by :CatmouseHint. Neovim speaks to the
-- daemon by itself: no plugin, no client program.
--
--     cmclient ping && nvim -c 'luafile examples/hint.lua' -c CatmouseHint examples/puzzles/grid.json

local function socket_path()
  if (vim.env.CATMOUSE_SOCKET or '') ~= '' then
    return vim.env.CATMOUSE_SOCKET
  elseif (vim.env.XDG_RUNTIME_DIR or '') ~= '' then
    return vim.env.XDG_RUNTIME_DIR .. '/catmouse/daemon.sock'
  end
  return '/tmp/catmouse-' .. vim.loop.getuid() .. '/daemon.sock'
end

local function hint()
  local puzzle = vim.json.decode(table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\n'))
  local channel = vim.fn.sockconnect('pipe', socket_path(), { rpc = true })
  local solved = vim.fn.rpcrequest(channel, 'solve', { puzzle = puzzle })
  local answer = vim.fn.rpcrequest(channel, 'query', { id = solved.id, state = solved.start.state })
  vim.fn.chanclose(channel)
  local plies = answer.plies == vim.NIL and '' or (' in %d plies'):format(answer.plies)
  local move = answer.best == vim.NIL and 'has no move' or ('should go to %d'):format(answer.best)
  print(('%s%s; the %s %s'):format(answer.outcome, plies, answer.state.turn, move))
end

vim.api.nvim_create_user_command('CatmouseHint', hint, {})
