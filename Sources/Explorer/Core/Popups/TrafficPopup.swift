import ApusFormatting
import ApusExplorerText

/// The traffic of the displayed run, for reading, searching, copying and saving.
package struct TrafficPopup: PopupContent {
  package var scroll = 0
  /// The search input; nil while not searching.
  package var input: LineEditor?
  package private(set) var pattern = ""
  /// The report line of the latest match.
  package private(set) var match: Int?
  /// Whether to scroll to the match.
  package private(set) var revealsMatch = false

  package init() {}

  package var line: LineEditor? {
    get { input }
    set { if let newValue, input != nil { input = newValue } }
  }

  package func contexts(in state: ExplorerState) -> [KeyContext] {
    input == nil ? [.traffic, .everywhere] : [.line, .input, .everywhere]
  }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupResult {
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
    case .saveTraffic: return .stay(.present(Popup(LinePopup(.trafficFile, text: "traffic.txt"))))
    default: return [.popupAccept, .popupClose, .showTraffic].contains(command) ? .close() : .passOn
    }
  }

  private mutating func performInSearch(_ command: Command, in state: ExplorerState) -> PopupResult {
    guard [.popupAccept, .popupClose].contains(command) else { return .passOn }
    let text = input?.text ?? ""
    input = nil
    guard command == .popupAccept, !text.isEmpty else { return .stay() }
    if text != pattern { match = nil }
    pattern = text
    return step(by: 1, in: state)
  }

  /// Moves to the next or previous matching line and wraps around at the ends.
  private mutating func step(by step: Int, in state: ExplorerState) -> PopupResult {
    guard !pattern.isEmpty else { return .stay(.notice("There is no search: / starts one")) }
    let found = TrafficReport(state.tab.response.traffic).lines(with: pattern)
    guard let first = found.first, let last = found.last else {
      match = nil
      return .stay(.notice("\"\(pattern)\" is not in the traffic", .warning))
    }
    let current = match ?? (step > 0 ? -1 : Int.max)
    let next = step > 0 ? found.first { $0 > current } ?? first : found.last { $0 < current } ?? last
    match = next
    revealsMatch = true
    let number = (found.firstIndex(of: next) ?? 0) + 1
    return .stay(.notice("\(number) of \(DisplayFormat.plural(found.count, "line")) with \"\(pattern)\""))
  }

  package mutating func leaveEmptyLine(in state: ExplorerState) -> PopupResult {
    input = nil
    return .stay()
  }

  /// Records the first visible row after the screen has scrolled to the match.
  mutating func viewed(firstRow: Int) {
    scroll = firstRow
    revealsMatch = false
  }
}
