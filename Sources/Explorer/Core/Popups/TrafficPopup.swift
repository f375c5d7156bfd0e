import ApusExplorerText

/// The popup for the traffic of the run that is shown: to read, search, copy and save.
package struct TrafficState: PopupState {
  package var scroll = 0
  /// The search that is typed; nil where none is.
  package var input: LineEditor?
  package private(set) var pattern = ""
  /// The line of the report that was found last.
  package private(set) var match: Int?
  /// Whether that line is to be brought into view.
  package private(set) var revealsMatch = false

  package init() {}

  package var line: LineEditor? {
    get { input }
    set { if let newValue, input != nil { input = newValue } }
  }

  package func contexts(in state: ExplorerState) -> [KeyContext] {
    input == nil ? [.traffic, .everywhere] : [.line, .input, .everywhere]
  }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupAnswer {
    if input != nil { return performInSearch(command, in: state) }
    if let step = command.popupStep {
      scroll = max(0, scroll + step)
      return .stay()
    }
    switch command {
    case .searchTraffic:
      input = LineEditor(pattern, isOffered: true)
      return .stay()
    case .nextInTraffic: return step(by: 1, in: state)
    case .previousInTraffic: return step(by: -1, in: state)
    case .copyTraffic: return .stay(.copy(TrafficReport(state.tab.response.traffic).text))
    case .saveTraffic: return .stay(.present(Popup(LineState(.trafficFile, text: "traffic.txt"))))
    default: return [.popupAccept, .popupClose, .showTraffic].contains(command) ? .close() : .passOn
    }
  }

  private mutating func performInSearch(_ command: Command, in state: ExplorerState) -> PopupAnswer {
    guard [.popupAccept, .popupClose].contains(command) else { return .passOn }
    let text = input?.text ?? ""
    input = nil
    guard command == .popupAccept, !text.isEmpty else { return .stay() }
    if text != pattern { match = nil }
    pattern = text
    return step(by: 1, in: state)
  }

  /// Goes to the next line with the text, or the previous one; the first follows the last.
  private mutating func step(by step: Int, in state: ExplorerState) -> PopupAnswer {
    guard !pattern.isEmpty else { return .stay(.tell("Nothing is searched for: / begins")) }
    let found = TrafficReport(state.tab.response.traffic).lines(with: pattern)
    guard let first = found.first, let last = found.last else {
      match = nil
      return .stay(.tell("\"\(pattern)\" is not in the traffic", .warning))
    }
    let current = match ?? (step > 0 ? -1 : Int.max)
    let next = step > 0 ? found.first { $0 > current } ?? first : found.last { $0 < current } ?? last
    match = next
    revealsMatch = true
    let number = (found.firstIndex(of: next) ?? 0) + 1
    return .stay(.tell("\(number) of \(Wording.plural(found.count, "line")) with \"\(pattern)\""))
  }

  package mutating func leaveEmptyLine(in state: ExplorerState) -> PopupAnswer {
    input = nil
    return .stay()
  }

  /// The first row in view, where the screen has brought the match into view.
  mutating func viewed(firstRow: Int) {
    scroll = firstRow
    revealsMatch = false
  }
}
