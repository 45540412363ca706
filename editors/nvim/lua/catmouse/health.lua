-- :checkhealth catmouse
local M = {}

local old = vim.fn['health#report_ok'] and not (vim.health and vim.health.ok)

local function report(kind, text)
  if old then
    vim.fn['health#report_' .. kind](text)
  else
    vim.health[kind](text)
  end
end

function M.check()
  report('start', 'catmouse')
  local program = require('catmouse').program()
  if vim.fn.executable(program) == 0 then
    report('error', program .. ' is not on the PATH: install catmouse, or set g:catmouse_cmd')
    return
  end
  report('ok', vim.fn.exepath(program) .. ': ' .. vim.trim(vim.fn.system({ program, '--version' })))
  local pong = vim.trim(vim.fn.system({ program, 'ping' }))
  if pong == 'pong' then
    report('ok', 'the daemon answers')
  else
    report('error', 'the daemon does not answer: ' .. pong)
  end
  local count = 0
  for _, client in pairs((vim.lsp.get_clients or vim.lsp.get_active_clients)()) do
    count = count + (client.name == 'catmouse' and 1 or 0)
  end
  report(count > 0 and 'ok' or 'info', count .. ' language server(s) of catmouse running')
end

return M
