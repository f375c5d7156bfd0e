import ApusExplorerText

/// A list filtered by typing: themes, endpoints, tabs, history, diagnostics, code actions and others.
package struct PickerPopup: ListPopupContent {
  package enum Purpose: Equatable, Sendable {
    /// Themes, with the previous theme to restore on cancel.
    case themes(before: Int)
    case endpoints, tabs, history, sessions, files, cachePolicies, requestOptions
    /// The endpoint to run the operation on as well.
    case otherEndpoint
    /// The cache misses of a run, with a line about its cache hits once they are counted.
    case cacheUse(String?)
    case problems, operations, outline, actions
    /// The requests in another program's file.
    case imported
    /// The values of the named input.
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

  package var line: LineEditor? {
    get { input }
    set { if let newValue { input = newValue } }
  }

  /// Items to show. The history is filtered by its store; for endpoints, a typed URL is added.
  package var shown: [PickerItem] { matching + (picksEndpoint ? typedURL : []) }

  package var picksEndpoint: Bool { purpose == .endpoints || purpose == .otherEndpoint }

  private var typedURL: [PickerItem] {
    let typed = filter.filter { !$0.isWhitespace }
    guard typed.contains(where: { ".:/".contains($0) }), !items.contains(where: { $0.id == typed }) else { return [] }
    return [PickerItem(id: typed, title: typed, note: purpose == .endpoints ? "open this URL" : "run on this URL")]
  }

  private var matching: [PickerItem] {
    let query = filter.lowercased().filter { !$0.isWhitespace }
    guard purpose != .history, !query.isEmpty else { return items }
    return items.enumerated().compactMap { offset, item -> (score: Int, offset: Int, item: PickerItem)? in
      guard let score = "\(item.title) \(item.detail)".lowercased().subsequenceScore(of: query) else { return nil }
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
    case .endpoints: "Open an endpoint"
    case .otherEndpoint: "Run on another endpoint and compare"
    case .tabs: "Tabs"
    case .history: "History"
    case .sessions: "Earlier sessions"
    case .files: "Files"
    case .cachePolicies: "Cache policy"
    case .requestOptions: "Request options"
    case .cacheUse(let summary): summary ?? "Cache use"
    case .problems: "Diagnostics"
    case .operations: "Operations"
    case .outline: "Outline"
    case .actions: "Actions"
    case .imported: "Import"
    case .values(let name): name
    }
  }

  /// The placeholder of the input line.
  package var prompt: String { picksEndpoint ? "type a URL, or search" : "type to search" }

  package var emptyText: String {
    if !filter.isEmpty { return "No matches" }
    switch purpose {
    case .history: return "The history is empty"
    case .sessions: return "The endpoint has no other session"
    case .endpoints, .otherEndpoint: return "Type a URL"
    case .files: return "There are no .graphql files in this directory"
    case .cacheUse(let summary):
      return summary == nil ? "Counting" : "There are no cache misses"
    case .themes, .cachePolicies, .requestOptions, .tabs, .problems, .operations, .outline, .actions, .values,
      .imported:
      return ""
    }
  }
}

extension PickerPopup {
  package func contexts(in state: ExplorerState) -> [KeyContext] {
    (purpose == .history ? [.history] : []) + contexts(of: .picker, typing: input)
  }

  package func rowCount(in state: ExplorerState) -> Int { shown.count }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupResult {
    if move(command, in: state) != nil { return .stay(shownTheme) }
    switch command {
    case .popupClose:
      if case .themes(let before) = purpose { return .close(.choose(.theme(before, isKept: false))) }
      return .close()
    case .popupAccept:
      // Stay open so that the user can choose another endpoint if this one fails.
      if purpose == .endpoints { return .stay(selected.map { [.choose(.endpoint($0.id))] } ?? []) }
      // The list is still needed after its notes are read.
      if selected?.choice == .importNotes { return .stay([.choose(.importNotes)]) }
      return .close(selected.flatMap { chosen($0) }.map { [$0] } ?? [])
    case .runAgain, .compareRun:
      guard purpose == .history, let item = selected, let id = Int(item.id) else { return .stay() }
      return .close(.effect(.history(.open(id, command == .runAgain ? .runAgain : .compare))))
    default: return .passOn
    }
  }

  package mutating func lineChanged(in state: ExplorerState) -> PopupResult {
    list = ListCursor()
    // The store searches the history.
    return .stay(shownTheme + (purpose == .history ? [.effect(.history(.search(filter)))] : []))
  }

  /// Previews the selected theme immediately.
  private var shownTheme: [FollowUp] {
    guard case .themes = purpose, let index = selected.flatMap({ Int($0.id) }) else { return [] }
    return [.choose(.theme(index, isKept: false))]
  }

  private func chosen(_ item: PickerItem) -> FollowUp? {
    if let choice = item.choice { return .choose(choice) }
    switch purpose {
    case .themes: return Int(item.id).map { .choose(.theme($0, isKept: true)) }
    case .tabs: return Int(item.id).map { .send(.tabClicked($0)) }
    case .history: return Int(item.id).map { .effect(.history(.open($0, .open))) }
    case .sessions: return .effect(.session(.open(item.id)))
    case .files: return .effect(.file(.open(item.id)))
    case .cachePolicies: return .choose(.cachePolicy(item.id))
    case .otherEndpoint: return .choose(.otherEndpoint(item.id))
    case .endpoints, .requestOptions, .cacheUse, .problems, .operations, .outline, .actions, .values, .imported:
      return nil
    }
  }
}

/// A row of a picker.
package struct PickerItem: Equatable, Sendable {
  package enum Tone: Equatable, Sendable { case plain, current, production, failed, cancelled, warning }

  package var id: String
  package var title: String
  package var detail: String
  /// A note at the right edge.
  package var note: String
  package var tone: Tone
  /// The choice, if the picker's purpose does not determine it.
  package var choice: PopupChoice?

  package init(
    id: String = "", title: String, detail: String = "", note: String = "", tone: Tone = .plain,
    choice: PopupChoice? = nil
  ) {
    self.id = id
    self.title = title
    self.detail = detail
    self.note = note
    self.tone = tone
    self.choice = choice
  }
}
