import ExplorerText

/// A list to choose from, narrowed by typing: themes, profiles, tabs, what ran before, problems, code actions, values.
package struct PickerState: Hashable, Sendable {
  package enum Purpose: Hashable, Sendable {
    /// The theme that was shown before, to go back to.
    case themes(before: Int)
    case profiles, tabs, history, files
    case problems, operations, outline, actions
    /// Of what the name says.
    case values(String)
  }

  package var purpose: Purpose
  package var items: [PickerItem]
  package var input = LineEditor()
  package var list = ListCursor()

  package init(_ purpose: Purpose, items: [PickerItem]) {
    self.purpose = purpose
    self.items = items
  }

  package var filter: String { input.text }

  /// What matches the filter. The history is searched where it is kept.
  package var shown: [PickerItem] {
    let wanted = filter.lowercased().filter { !$0.isWhitespace }
    guard purpose != .history, !wanted.isEmpty else { return items }
    return items.enumerated().compactMap { offset, item -> (score: Int, offset: Int, item: PickerItem)? in
      guard let score = "\(item.title) \(item.detail)".lowercased().subsequenceScore(of: wanted) else { return nil }
      return (score, offset, item)
    }
    .sorted { ($0.score, $0.offset) < ($1.score, $1.offset) }
    .map(\.item)
  }

  package var selected: PickerItem? {
    let shown = shown
    return shown.indices.contains(list.selected) ? shown[list.selected] : nil
  }

  package var title: String {
    switch purpose {
    case .themes: "Themes"
    case .profiles: "Endpoints"
    case .tabs: "Tabs"
    case .history: "History"
    case .files: "Files"
    case .problems: "Problems"
    case .operations: "Operations"
    case .outline: "Outline"
    case .actions: "Actions"
    case .values(let name): name
    }
  }

  package var emptyText: String {
    if !filter.isEmpty { return "Nothing matches" }
    switch purpose {
    case .history: return "Nothing has run yet"
    case .profiles: return "config.yml names no profiles"
    case .files: return "No .graphql file here"
    case .themes, .tabs, .problems, .operations, .outline, .actions, .values: return ""
    }
  }
}

/// A row of a picker.
package struct PickerItem: Hashable, Sendable {
  package enum Tone: Hashable, Sendable { case plain, current, production, failed, warning }

  /// What choosing it does, where the purpose of the list alone does not tell.
  package enum Choice: Hashable, Sendable {
    case place(PaneID, TextPosition)
    case edits([TextReplacement], PaneID, version: Int)
    /// For a row of a form.
    case value(FormRow.Path, String)

    /// Where it leads to.
    var position: TextPosition? { if case .place(_, let position) = self { position } else { nil } }
  }

  package var id: String
  package var title: String
  package var detail: String
  /// At the right edge.
  package var note: String
  package var tone: Tone
  package var choice: Choice?

  package init(
    id: String = "", title: String, detail: String = "", note: String = "", tone: Tone = .plain, choice: Choice? = nil
  ) {
    self.id = id
    self.title = title
    self.detail = detail
    self.note = note
    self.tone = tone
    self.choice = choice
  }
}
