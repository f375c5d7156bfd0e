import ApusExplorerText

extension EditorAnalysis {
  /// The analysis of the headers pane: lines without a header, and misleading characters.
  init(headers editor: Editor) {
    self.init(version: editor.version)
    let misleading = MisleadingCharacter.all(in: editor.buffer, language: .plain)
    diagnostics = misleading.map { EditorDiagnostic($0) }
    // JSON is converted when the pane is left.
    guard HeadersInJSON.lines(of: editor.text) == nil else { return }
    for (index, line) in editor.buffer.lines.enumerated() where HeaderLine.isWrong(line) {
      if misleading.contains(where: { $0.range.lowerBound.line == index }) { continue }
      let start = line.utf8.prefix { $0 <= 0x20 }.count
      diagnostics.append(
        EditorDiagnostic(
          range: TextPosition(index, start)..<TextPosition(index, line.utf8.count),
          message: "This line is not a header and is not sent. A header is \"Name: value\"; # begins a comment."))
    }
  }
}

extension EditorDiagnostic {
  /// A misleading character is an error outside of strings, and a warning in them.
  package init(_ character: MisleadingCharacter) {
    self.init(
      range: character.range, message: character.message, severity: character.isInString ? .warning : .error)
  }
}
