-- A panel to play a puzzle in: Enter moves, the best reply follows, u takes back, s changes sides, q closes.
local catmouse = require('catmouse')
local M = {}

local games = {} -- by the panel's buffer

local function other(turn)
  return turn == 'mouse' and 'cat' or 'mouse'
end

-- Rows of a grid, from the outline of the file. nil for a graph.
local function board_of(symbols, position)
  for _, symbol in ipairs(symbols or {}) do
    local first, last = symbol.range.start, symbol.range['end']
    local after = position.line > first.line or (position.line == first.line and position.character >= first.character)
    local before = position.line < last.line or (position.line == last.line and position.character <= last.character)
    if symbol.name:match('^grid') and after and before then
      local rows = {}
      for _, row in ipairs(symbol.children) do
        table.insert(rows, (row.detail:gsub('[MC]', '.')))
      end
      return rows
    end
  end
end

local function draw_board(game, lines)
  for index, row in ipairs(game.board or {}) do
    local cells = row
    for letter, node in pairs({ M = game.state.mouse, C = game.state.cat }) do
      local column = node % game.cols
      if math.floor(node / game.cols) == index - 1 then
        cells = cells:sub(1, column) .. letter .. cells:sub(column + 2)
      end
    end
    table.insert(lines, cells)
    game.targets[#lines] = index - 1
  end
  if game.board then
    table.insert(lines, '')
  end
end

local function draw(game)
  local answer = game.answer
  local lines = {}
  game.targets, game.nodes = {}, {}
  draw_board(game, lines)
  table.insert(
    lines,
    ('Mouse at %s, cat at %s, you are the %s.'):format(
      catmouse.place(game.state.mouse, game.cols),
      catmouse.place(game.state.cat, game.cols),
      game.side
    )
  )
  table.insert(lines, catmouse.value(answer.outcome, answer.plies) .. (answer.over and '.' or (', ' .. game.state.turn .. ' to move.')))
  if game.note then
    table.insert(lines, game.note)
  end
  for _, move in ipairs(answer.moves) do
    table.insert(lines, ('  to %-6s %s'):format(catmouse.place(move.to, game.cols), catmouse.value(move.outcome, move.plies)))
    game.nodes[#lines] = move.to
    game.first_move = game.first_move or #lines
  end
  vim.list_extend(lines, { '', 'Enter moves, u takes back, s changes sides, q closes.' })
  vim.bo[game.panel].modifiable = true
  vim.api.nvim_buf_set_lines(game.panel, 0, -1, false, lines)
  vim.bo[game.panel].modifiable = false
end

-- What a move gave away, if anything.
local function judge(before, mover, after)
  local plies = before.plies ~= vim.NIL and before.plies or nil
  if before.outcome == mover and after.outcome ~= mover then
    return plies and ('That threw away a win in %d.'):format(plies) or 'That threw away a win.'
  elseif before.outcome == 'draw' and after.outcome == other(mover) then
    return 'That threw away a draw.'
  end
end

local function take(game, answer)
  game.state, game.answer, game.cols = answer.state, answer, answer.cols
end

local ask

local function go(game, node)
  local before, mover = game.answer, game.state.turn
  table.insert(game.past, { state = game.state, note = game.note })
  local state = vim.deepcopy(game.state)
  state[mover] = node
  state.turn = other(mover)
  ask(game, state, function(answer)
    if mover == game.side then
      game.note = judge(before, mover, answer)
    end
    local best = answer.best
    draw(game)
    if not answer.over and state.turn ~= game.side and best ~= vim.NIL and best ~= nil then
      go(game, best)
    end
  end)
end

ask = function(game, state, done)
  local arguments = vim.tbl_extend('force', game.where, { state = state })
  catmouse.ask(game.source, 'query', arguments, function(answer)
    if vim.api.nvim_buf_is_valid(game.panel) then
      take(game, answer)
      done(answer)
    end
  end)
end

local function chosen(game)
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  if game.targets[row] then
    return game.targets[row] * game.cols + column
  end
  return game.nodes[row]
end

function M.move()
  local game = games[vim.api.nvim_get_current_buf()]
  local node = chosen(game)
  for _, move in ipairs(game.answer.moves) do
    if move.to == node then
      return go(game, node)
    end
  end
  vim.notify('catmouse: no such move')
end

-- Back to where the same side was to move.
function M.undo()
  local game = games[vim.api.nvim_get_current_buf()]
  local past
  repeat
    past = table.remove(game.past) or past
  until #game.past == 0 or past.state.turn == game.side
  if past then
    game.note = past.note
    ask(game, past.state, function()
      draw(game)
    end)
  end
end

function M.swap()
  local game = games[vim.api.nvim_get_current_buf()]
  game.side = other(game.side)
  draw(game)
  if game.state.turn ~= game.side and not game.answer.over then
    go(game, game.answer.best)
  end
end

local function open_panel()
  vim.cmd('botright vnew')
  local panel = vim.api.nvim_get_current_buf()
  vim.bo[panel].buftype = 'nofile'
  vim.bo[panel].bufhidden = 'wipe'
  vim.bo[panel].swapfile = false
  vim.bo[panel].filetype = 'catmouse-play'
  for keys, action in pairs({ ['<CR>'] = M.move, u = M.undo, s = M.swap, q = '<Cmd>close<CR>' }) do
    vim.keymap.set('n', keys, action, { buffer = panel, nowait = true })
  end
  return panel
end

function M.open(source, where)
  local client = catmouse.client(source)
  if not client then
    return vim.notify('catmouse: no server is attached to this buffer', vim.log.levels.WARN)
  end
  local params = { textDocument = { uri = where.uri } }
  client.request('textDocument/documentSymbol', params, function(_, symbols)
    local position = where.position
    if not position and symbols and symbols[where.puzzle + 1] then
      position = symbols[where.puzzle + 1].range.start
    end
    catmouse.ask(source, 'query', where, function(answer)
      local game = { source = source, where = where, side = 'mouse', past = {}, panel = open_panel() }
      game.board = position and board_of(symbols, position)
      games[game.panel] = game
      take(game, answer)
      draw(game)
      vim.api.nvim_win_set_cursor(0, { game.first_move or 1, 0 })
    end)
  end, source)
end

return M
