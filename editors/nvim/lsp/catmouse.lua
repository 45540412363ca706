-- For vim.lsp.enable('catmouse') of Neovim 0.11 and newer. plugin/catmouse.lua does without.
return require('catmouse').config()
