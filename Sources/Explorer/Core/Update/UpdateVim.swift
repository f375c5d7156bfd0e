import ApusExplorerText

/// The vim grammar in the explorer: its keys reach the focused editor, and what it cannot do itself is done here.
extension ExplorerState {
  /// Whether a typed character belongs to the grammar rather than to the text.
  var vimTakesCharacters: Bool {
    guard let vim, focus.isEditor, popups.isEmpty else { return false }
    return vim.mode != .insert || vim.waiting != nil
  }

  /// Where editing goes back to the normal mode: in another pane nobody is in the midst of typing.
  mutating func leaveVimModes() {
    guard var machine = vim, let editor, machine.mode != .normal || !machine.pendingText.isEmpty else { return }
    var changed = editor
    _ = machine.press(.leave, in: &changed, vimSurroundings)
    vim = machine
    changeEditor { $0 = changed }
  }

  private var vimSurroundings: VimState.Surroundings {
    VimState.Surroundings(rows: viewportRows(focus), clipboard: asPasted(clipboard))
  }

  mutating func pressVim(_ key: VimKey) -> [Effect] {
    if isCompleting { popups.removeLast() }
    return withVim { $0.press(key, in: &$1, $2) }
  }

  mutating func typeInVim(_ text: String) -> [Effect] {
    text.reduce(into: []) { effects, character in effects += withVim { $0.press(character, in: &$1, $2) } }
  }

  private mutating func withVim(
    _ press: (inout VimState, inout Editor, VimState.Surroundings) -> VimState.Outcome
  ) -> [Effect] {
    guard var machine = vim else { return [] }
    machine.isInHeaders = focus == .headers
    let surroundings = vimSurroundings
    var outcome = VimState.Outcome.done
    let effects = editText { outcome = press(&machine, &$0, surroundings) }
    vim = machine
    switch outcome {
    case .done: return effects
    case .commandLine:
      popups.append(.palette(PaletteState(isCommandLine: true)))
      return effects
    case .search(let isBackward):
      popups.append(.line(LineState(.vimSearch(isBackward: isBackward))))
      return effects
    case .copied(let text): return effects + copy(text)
    }
  }

  /// The search line was accepted: an operator may be waiting for where it leads.
  mutating func searchInVim(_ text: String, isBackward: Bool) -> [Effect] {
    guard var machine = vim else { return [] }
    let wanted = text.isEmpty ? machine.search?.text ?? "" : text
    let surroundings = vimSurroundings
    var isFound = false
    let effects = editText {
      isFound = machine.searched(wanted, isBackward: isBackward, in: &$0, surroundings)
    }
    vim = machine
    if !isFound { notice = Notice("\"\(wanted)\" is nowhere else in the text", .warning) }
    return effects
  }

  /// What was typed into the vim command line, if it is more than the name of a command.
  mutating func doExCommand(_ text: String) -> [Effect]? {
    guard let command = ExCommand(text) else { return nil }
    switch command {
    case .line(let number):
      changeEditor { editor in
        let line = min(max(0, number - 1), editor.buffer.lineCount - 1)
        editor.place(TextPosition(line, editor.buffer.indentation(of: line)))
      }
      return []
    case .substitute(let old, let new, let isWholeText, let isGlobal):
      var count = 0
      let effects = editText { editor in
        let line = editor.cursor.line
        count = editor.substitute(
          old, with: new, lines: isWholeText ? 0..<editor.buffer.lineCount : line..<(line + 1), isGlobal: isGlobal)
      }
      notice = count == 0 ? Notice("\"\(old)\" was not found", .warning) : Notice("Replaced \(count) times")
      return effects
    case .command(let commands): return commands.flatMap { invoke($0) }
    case .saveAs(let path): return saveAs(path)
    case .open(let path): return [.openFile(path)]
    }
  }

  /// The part of the focused text that is drawn as selected: in vim's line mode whole lines.
  package func shownSelection(of editor: Editor) -> Range<TextPosition> {
    guard let vim, vim.mode == .visualLine, self.editor == editor else { return editor.selection.range }
    return vim.visualRange(in: editor)?.range ?? editor.selection.range
  }
}
