import ApusExplorerText

/// The Requests view: the requests of an application under `apus tap`. Its rows, filter and selection are in
/// `RequestsFeature`, so that they are the same when the view is shown again.
package struct RequestsPopup: PopupContent {
  /// The filter while it is typed; `nil` otherwise.
  package private(set) var input: LineEditor?

  package init() {}

  package var line: LineEditor? {
    get { input }
    set { if let newValue, input != nil { input = newValue } }
  }

  package func contexts(in state: ExplorerState) -> [KeyContext] {
    input == nil ? [.requests, .everywhere] : [.line, .input, .everywhere]
  }

  package func row(inLine line: Int, of height: Int, in state: ExplorerState) -> Int? {
    guard let requests = state.requests else { return nil }
    let row = requests.firstRow(height: height) + line
    return requests.shown.indices.contains(row) ? row : nil
  }

  package mutating func click(row: Int, in state: ExplorerState) -> PopupResult {
    .stay(.send(.requests(.rowClicked(row))), .invoke(.popupAccept))
  }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupResult {
    guard let requests = state.requests else { return .close() }
    if let step = command.popupStep { return .stay(.send(.requests(.moved(by: step)))) }
    if input != nil { return performInFilter(command) }
    switch command {
    case .popupAccept: return requests.selected.map { .stay(.send(.requests(.chosen($0.number)))) } ?? .stay()
    case .filterRequests:
      input = LineEditor(requests.filter)
      return .stay()
    case .copyTapURL: return .stay(.copy(requests.url))
    case .listConflicts:
      if requests.conflicts.isEmpty { return .stay(.notice("No two queries take each other's fields")) }
      let words = requests.conflicts.joined(separator: "\n\n")
      return .stay(.present(Popup(TopicPopup(Topic("conflicts", "Queries that take each other's fields", words)))))
    case .popupClose where !requests.filter.isEmpty: return .stay(.send(.requests(.filterTyped(""))))
    case .popupClose, .showRequests: return .close()
    default: return .passOn
    }
  }

  private mutating func performInFilter(_ command: Command) -> PopupResult {
    switch command {
    case .popupAccept:
      input = nil
      return .stay()
    case .popupClose:
      input = nil
      return .stay(.send(.requests(.filterTyped(""))))
    default: return .passOn
    }
  }

  package mutating func lineChanged(in state: ExplorerState) -> PopupResult {
    .stay(.send(.requests(.filterTyped(input?.text ?? ""))))
  }

  package mutating func leaveEmptyLine(in state: ExplorerState) -> PopupResult {
    input = nil
    return .stay()
  }
}

extension RequestsFeature {
  /// Returns the first visible row of a list of this height.
  package func firstRow(height: Int) -> Int { max(0, min(selectedIndex - height + 1, shown.count - height)) }
}
