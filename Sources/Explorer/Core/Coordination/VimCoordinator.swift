import ApusExplorerText

/// Coordinates the vim keys with the focused editor, and the vim command and search lines with popups and commands.
extension ExplorerState {
  /// Whether a typed character is a vim key instead of text to insert.
  var vimTakesCharacters: Bool {
    guard let vim = typing.vim, screen.focus.isEditor, popups.isEmpty else { return false }
    return vim.mode != .insert || vim.waiting != nil
  }

  mutating func toggleVimKeys() -> [Effect] {
    leaveVimModes()
    typing.vim = typing.vim == nil ? VimState() : nil
    showNotice(typing.vim == nil ? "Vim keys are off" : "Vim keys are on")
    return []
  }

  mutating func leaveVimModes() {
    typing.leaveVimModes(
      in: screen.focus, of: &tabs.shown.content.editors, rows: screen.viewportRows(screen.focus))
  }

  mutating func pressVim(_ key: VimKey) -> [Effect] {
    popups.closeCompletion()
    return withVim { $0.press(key, in: &$1, $2) }
  }

  mutating func typeInVim(_ text: String) -> [Effect] {
    text.reduce(into: []) { effects, character in effects += withVim { $0.press(character, in: &$1, $2) } }
  }

  private mutating func withVim(
    _ press: (inout VimState, inout Editor, VimState.Surroundings) -> VimState.Outcome
  ) -> [Effect] {
    let (outcome, effects) = typing.withVim(
      in: screen.focus, of: &tabs.shown.content.editors, rows: screen.viewportRows(screen.focus), press)
    switch outcome {
    case .done: return effects
    case .commandLine: return effects + present(PalettePopup(in: self, isCommandLine: true))
    case .search(let isBackward): return effects + present(LinePopup(.vimSearch(isBackward: isBackward)))
    case .copied(let text): return effects + copy(text)
    }
  }

  mutating func searchInVim(_ text: String, isBackward: Bool) -> [Effect] {
    apply(
      typing.searchInVim(
        text, isBackward: isBackward, in: screen.focus, of: &tabs.shown.content.editors,
        rows: screen.viewportRows(screen.focus)))
  }

  /// Performs a vim command line that is more than the name of a command.
  mutating func doExCommand(_ command: ExCommand) -> [Effect] {
    switch command {
    case .line(let number):
      changeText { editor in
        let line = min(max(0, number - 1), editor.buffer.lineCount - 1)
        editor.moveCursor(TextPosition(line, editor.buffer.indentation(of: line)))
      }
      return []
    case .substitute(let old, let new, let isWholeText, let isGlobal):
      var count = 0
      let effects = editText { editor in
        let line = editor.cursor.line
        count = editor.substitute(
          old, with: new, lines: isWholeText ? 0..<editor.buffer.lineCount : line..<(line + 1), isGlobal: isGlobal)
      }
      if count == 0 { showNotice("\"\(old)\" not found", .warning) } else { showNotice("Replaced \(count) times") }
      return effects
    case .quitWithoutQuestion: return quit(isConfirmed: true)
    case .command(let commands): return commands.flatMap { invoke($0) }
    case .saveAs(let path): return askForSecretOfFile() ?? apply(tabs.save(as: self.path(typed: path)))
    case .open(let path): return [.file(.open(self.path(typed: path)))]
    }
  }

  /// Returns the range to draw as selected; in vim's line mode, complete lines.
  package func shownSelection(of editor: Editor) -> Range<TextPosition> {
    guard let vim = typing.vim, vim.mode == .visualLine, self.editor == editor else { return editor.selection.range }
    return vim.visualRange(in: editor)?.range ?? editor.selection.range
  }
}
