-- A session of Neovim's own client: `nvim --headless -u NONE -c 'luafile neovim.lua'`, in the folder of a project of birds.
-- APUS_SERVER is the program. Each step is printed; the first that fails ends it with an exit code.

local function fail(text)
  io.stdout:write('FAILED ' .. text .. '\n')
  vim.cmd('cquit 1')
end

local function step(name, passed, found)
  if not passed then fail(name .. ': ' .. vim.inspect(found)) end
  io.stdout:write('ok ' .. name .. '\n')
end

local function run()
  vim.cmd('edit new.graphql')
  vim.api.nvim_buf_set_lines(0, 0, -1, true, { 'query New { birds { ...Parts nam } }' })
  vim.bo.filetype = 'graphql'
  local id = vim.lsp.start_client({ name = 'apus', cmd = { vim.env.APUS_SERVER, 'lsp' }, root_dir = vim.fn.getcwd() })
  vim.lsp.buf_attach_client(0, id)
  local function diagnostics() return vim.diagnostic.get(0) end

  step('diagnostics', vim.wait(20000, function() return #diagnostics() == 1 end, 10), diagnostics())
  step('message', diagnostics()[1].message:find('Did you mean "name"', 1, true), diagnostics())
  step('column', diagnostics()[1].col == 29, diagnostics())

  local function ask(method, column, more)
    local params = vim.tbl_extend('force', {
      textDocument = vim.lsp.util.make_text_document_params(0),
      position = { line = 0, character = column },
    }, more or {})
    local answer = vim.lsp.buf_request_sync(0, method, params, 20000)
    if not answer or not answer[id] or answer[id].err then fail(method .. ': ' .. vim.inspect(answer)) end
    return answer[id].result
  end

  local items = ask('textDocument/completion', 32).items
  step('completion', items[1].label == 'name', items)
  vim.api.nvim_win_set_cursor(0, { 1, 24 })
  local hover = ask('textDocument/hover', 24)
  step('hover', hover.contents.value:find('fragment Parts on Bird', 1, true), hover)

  local actions = ask('textDocument/codeAction', 30, {
    range = { start = { line = 0, character = 30 }, ['end'] = { line = 0, character = 30 } },
    context = { diagnostics = {} },
  })
  step('actions', actions[1].title == 'Change nam to name', actions)
  vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
  step('applied', vim.fn.getline(1) == 'query New { birds { ...Parts name } }', vim.fn.getline(1))
  step('mended', vim.wait(20000, function() return #diagnostics() == 0 end, 10), diagnostics())

  vim.api.nvim_win_set_cursor(0, { 1, 24 })
  vim.lsp.buf.definition()
  step('definition', vim.wait(20000, function() return vim.fn.expand('%:t') == 'parts.graphql' end, 10), vim.fn.expand('%'))
  vim.cmd('buffer new.graphql')

  vim.lsp.buf.rename('Wings')
  step('rename', vim.wait(20000, function() return vim.fn.getline(1) == 'query New { birds { ...Wings name } }' end, 10),
    vim.fn.getline(1))
  vim.cmd('buffer parts.graphql')
  step('renamed elsewhere', vim.fn.getline(1):find('fragment Wings', 1, true), vim.fn.getline(1))
  vim.cmd('buffer new.graphql')

  vim.lsp.util.apply_text_edits(ask('textDocument/formatting', 0, { options = { tabSize = 2, insertSpaces = true } }),
    vim.api.nvim_get_current_buf(), 'utf-16')
  step('formatting', vim.fn.getline(2) == '  birds {', vim.api.nvim_buf_get_lines(0, 0, -1, true))
  local symbols = ask('textDocument/documentSymbol', 0)
  step('symbols', symbols[1].name == 'New', symbols)

  local client = vim.lsp.get_client_by_id(id)
  client.stop()
  step('stopped', vim.wait(20000, function() return client.is_stopped() end, 10), 'the server goes on')
  vim.cmd('qall!')
end

local passed, problem = pcall(run)
if not passed then fail(tostring(problem)) end
