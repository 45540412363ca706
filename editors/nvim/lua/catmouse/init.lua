-- The client of catmouse's language server. Works on Neovim 0.7.2 and newer; nothing needs a setup() call.
local M = {}

local running -- the one server for all buffers, also before it is initialized
local options = { cmd = { 'cmclient', 'lsp' }, lenses = true }

-- Optional: `cmd` is the program with its arguments, `lenses = false` leaves code lenses alone.
function M.setup(given)
  options = vim.tbl_extend('force', options, given or {})
end

function M.program()
  return (vim.g.catmouse_cmd or options.cmd)[1]
end

-- A JSON or Markdown buffer is ours only where it says so.
function M.wants(buffer)
  local type = vim.bo[buffer].filetype
  if type == 'catmouse' or vim.api.nvim_buf_get_name(buffer):match('%.catmouse%.json$') then
    return true
  end
  local sought = type == 'markdown' and '[`~][`~][`~]%s*catmouse' or '"gr[ai][pd]h?"%s*:'
  for _, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, 500, false)) do
    if line:find(sought) then
      return true
    end
  end
  return false
end

function M.client(buffer)
  local clients = vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = buffer or 0 })
    or vim.lsp.buf_get_clients(buffer or 0)
  for _, client in pairs(clients) do
    if client.name == 'catmouse' then
      return client
    end
  end
end

local function refresh(buffer)
  if options.lenses and vim.api.nvim_buf_is_loaded(buffer) and M.client(buffer) then
    vim.api.nvim_buf_call(buffer, vim.lsp.codelens.refresh)
  end
end

-- The server says that lenses have changed by themselves: a long solve is done.
local function on_refresh()
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    refresh(buffer)
  end
  return vim.NIL
end

-- Old versions leave the last lenses of a buffer where there are none any more.
local function on_lenses(err, result, context, config)
  if not err and result and #result == 0 then
    local space = vim.api.nvim_create_namespace('vim_lsp_codelens:' .. context.client_id)
    vim.api.nvim_buf_clear_namespace(context.bufnr, space, 0, -1)
  end
  return vim.lsp.codelens.on_codelens(err, result, context, config)
end

local function on_attach(_, buffer)
  local group = vim.api.nvim_create_augroup('catmouse-' .. buffer, { clear = true })
  vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'TextChanged' }, {
    group = group,
    buffer = buffer,
    callback = function()
      refresh(buffer)
    end,
  })
  vim.lsp.commands['catmouse.play'] = function(command)
    require('catmouse.play').open(buffer, command.arguments[1])
  end
  vim.lsp.commands['catmouse.showPicture'] = function(command)
    M.picture(buffer, command.arguments[1])
  end
  refresh(buffer)
end

function M.config()
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  capabilities.workspace.codeLens = { refreshSupport = true }
  return {
    name = 'catmouse',
    cmd = vim.g.catmouse_cmd or options.cmd,
    filetypes = { 'catmouse', 'json', 'jsonc', 'markdown' },
    capabilities = capabilities,
    init_options = { play = true, picture = true },
    handlers = {
      ['workspace/codeLens/refresh'] = on_refresh,
      ['textDocument/codeLens'] = on_lenses,
    },
    on_attach = on_attach,
    on_exit = function()
      running = nil
    end,
  }
end

local function is_ours(client)
  return client.name == 'catmouse'
end

function M.attach(buffer)
  if vim.fn.executable(M.program()) == 0 then
    vim.notify_once('catmouse: ' .. M.program() .. ' is not installed', vim.log.levels.WARN)
    return
  end
  if vim.lsp.start then
    vim.lsp.start(M.config(), { bufnr = buffer, reuse_client = is_ours })
    return
  end
  running = running or vim.lsp.start_client(M.config())
  if running then
    vim.lsp.buf_attach_client(buffer, running)
  end
end

-- Has the server run a command about the puzzle under the cursor, or at `where`; `done` gets its result.
function M.ask(buffer, name, arguments, done)
  local client = M.client(buffer)
  if not client then
    return vim.notify('catmouse: no server is attached to this buffer', vim.log.levels.WARN)
  end
  local params = { command = 'catmouse.' .. name, arguments = { arguments } }
  client.request('workspace/executeCommand', params, function(err, result)
    if err then
      vim.notify('catmouse: ' .. err.message, vim.log.levels.WARN)
    else
      done(result)
    end
  end, buffer)
end

-- The puzzle under the cursor, as commands take it.
function M.here(buffer)
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local line = vim.api.nvim_buf_get_lines(buffer, row - 1, row, false)[1] or ''
  local _, units = vim.str_utfindex(line, math.min(column, #line))
  return {
    uri = vim.uri_from_bufnr(buffer),
    position = { line = row - 1, character = units },
  }
end

function M.place(node, cols)
  if not cols then
    return tostring(node)
  end
  return ('%d:%d'):format(math.floor(node / cols), node % cols)
end

function M.value(outcome, plies)
  local known = plies and plies ~= vim.NIL
  if outcome == 'draw' then
    return 'Draw'
  end
  local who = outcome == 'mouse' and 'Mouse' or 'Cat'
  if not known then
    return who .. ' wins: the game has no end'
  elseif plies == 0 then
    return who .. ' has won'
  end
  return ('%s wins in %d %s'):format(who, plies, plies == 1 and 'ply' or 'plies')
end

local function state_of(words)
  if #words == 0 then
    return nil
  end
  local function place(word)
    local row, column = word:match('^(%d+):(%d+)$')
    return row and { tonumber(row), tonumber(column) } or tonumber(word)
  end
  return { mouse = place(words[1]), cat = place(words[2] or ''), turn = words[3] or 'mouse' }
end

local function show(lines)
  vim.lsp.util.open_floating_preview(lines, '', { border = 'single', focus_id = 'catmouse' })
end

function M.picture(buffer, where)
  M.ask(buffer, 'picture', where, function(result)
    local path = vim.fn.tempname() .. '.svg'
    vim.fn.writefile(vim.split(result.svg, '\n'), path)
    if vim.ui.open then
      vim.ui.open(path)
    elseif vim.fn.executable('xdg-open') == 1 then
      vim.fn.jobstart({ 'xdg-open', path }, { detach = true })
    end
    vim.notify('catmouse: ' .. path)
  end)
end

local actions = {}

function actions.solve(buffer)
  M.ask(buffer, 'solve', M.here(buffer), function(result)
    vim.notify(M.value(result.start.outcome, result.start.plies))
  end)
end

function actions.query(buffer, words)
  local arguments = M.here(buffer)
  arguments.state = state_of(words)
  M.ask(buffer, 'query', arguments, function(result)
    local lines = { M.value(result.outcome, result.plies) }
    for _, move in ipairs(result.moves) do
      table.insert(lines, ('to %-6s %s'):format(M.place(move.to, result.cols), M.value(move.outcome, move.plies)))
    end
    show(lines)
  end)
end

function actions.line(buffer, words)
  local arguments = M.here(buffer)
  arguments.state = state_of(words)
  arguments.max = 200
  M.ask(buffer, 'line', arguments, function(result)
    local lines = { M.value(result.outcome, result.plies) }
    local turn = result.state.turn
    for _, node in ipairs(result.moves) do
      table.insert(lines, ('%-5s to %s'):format(turn, M.place(node, result.cols)))
      turn = turn == 'mouse' and 'cat' or 'mouse'
    end
    table.insert(lines, result['end'])
    show(lines)
  end)
end

function actions.play(buffer)
  require('catmouse.play').open(buffer, M.here(buffer))
end

function actions.picture(buffer)
  M.picture(buffer, M.here(buffer))
end

function actions.stop(buffer)
  local client = M.client(buffer)
  if client then
    client.stop()
  end
end

function M.commands()
  local names = vim.tbl_keys(actions)
  table.sort(names)
  return names
end

function M.run(words)
  local action = actions[words[1]]
  local buffer = vim.api.nvim_get_current_buf()
  if not action then
    return vim.notify('catmouse: no command ' .. words[1], vim.log.levels.ERROR)
  end
  if words[1] ~= 'stop' and not M.client(buffer) then
    M.attach(buffer)
    vim.wait(2000, function()
      local client = M.client(buffer)
      return client and client.initialized
    end, 10)
  end
  action(buffer, vim.list_slice(words, 2))
end

return M
