vim.api.nvim_create_autocmd({ 'BufRead', 'BufNewFile' }, {
  pattern = '*.catmouse',
  callback = function()
    vim.bo.filetype = 'catmouse'
  end,
})
