import ApusClientRequests
import ApusExplorerText

/// The `{{references}}` of a tab's texts (`Docs/Development/References.md`). One without a value is an error at its place, and
/// other messages about a reference are dropped: its value is unknown to the analysis.
struct ReferenceMarks {
  /// The names that an import declared.
  private let own: Set<String>
  /// The names that the profile's environment defines.
  private let defined: Set<String>
  /// The names with a value.
  private let valued: Set<String>

  init(_ options: RunOptions, defined: Set<String>) {
    own = options.referenceNames
    self.defined = defined
    valued = defined.union(options.references.filter { $0.value != nil }.map(\.name))
  }

  func marking(_ editor: Editor, in pane: PaneID, _ analysis: EditorAnalysis) -> EditorAnalysis {
    let names = pane == .query ? own : own.union(defined)
    guard !names.isEmpty else { return analysis }
    var places: [(name: String, range: Range<TextPosition>)] = []
    for (index, line) in editor.buffer.lines.enumerated() where line.contains("{{") {
      var start = 0
      if pane == .headers {
        guard let header = HeaderLine(line) else { continue }
        start = header.valueColumn
      }
      for (name, columns) in TemplateText.places(in: line, isReference: names.contains)
      where columns.lowerBound >= start {
        places.append((name, TextPosition(index, columns.lowerBound)..<TextPosition(index, columns.upperBound)))
      }
    }
    guard !places.isEmpty else { return analysis }
    var marked = analysis
    marked.diagnostics.removeAll { problem in places.contains { Self.overlaps($0.range, problem.range) } }
    marked.diagnostics += places.filter { !valued.contains($0.name) }.map { name, range in
      EditorDiagnostic(
        range: range, message: "{{\(name)}} has no value: enter it in \"Request options\", or define it in a profile")
    }
    return marked
  }

  /// Whether two ranges share a character, or one of them is empty and within the other.
  private static func overlaps(_ left: Range<TextPosition>, _ right: Range<TextPosition>) -> Bool {
    left.lowerBound <= right.lowerBound ? right.lowerBound < left.upperBound : left.lowerBound < right.upperBound
  }
}

extension ExplorerState {
  /// The analysis of an editor's text with the marks of its references.
  package func analysis(in pane: PaneID) -> EditorAnalysis {
    let analysis = tab.editors.analysis(in: pane)
    guard let editor = tab.editors.editor(in: pane) else { return analysis }
    return ReferenceMarks(tab.runOptions, defined: connection.environmentNames).marking(editor, in: pane, analysis)
  }
}
