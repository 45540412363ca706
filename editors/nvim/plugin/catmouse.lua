-- Starts the language server for puzzles, and has the command :Catmouse. See :help catmouse.
if vim.g.loaded_catmouse then
  return
end
vim.g.loaded_catmouse = true

local group = vim.api.nvim_create_augroup('catmouse', { clear = true })
vim.api.nvim_create_autocmd('FileType', {
  group = group,
  pattern = { 'catmouse', 'json', 'jsonc', 'markdown' },
  callback = function(event)
    if require('catmouse').wants(event.buf) then
      require('catmouse').attach(event.buf)
    end
  end,
})

vim.api.nvim_create_user_command('Catmouse', function(command)
  require('catmouse').run(command.fargs)
end, {
  nargs = '+',
  desc = 'Ask catmouse about the puzzle under the cursor',
  complete = function(lead)
    return vim.tbl_filter(function(name)
      return vim.startswith(name, lead)
    end, require('catmouse').commands())
  end,
})

for _, name in ipairs({ 'solve', 'query', 'line', 'play', 'picture' }) do
  vim.keymap.set('n', '<Plug>(catmouse-' .. name .. ')', '<Cmd>Catmouse ' .. name .. '<CR>')
end
