import ClientAPI
import JSON

/// An event of a subscription in one line.
package struct EventLine: Hashable, Sendable {
  /// Which of the run's parts it is.
  package var part: Int
  package var elapsed: Duration
  package var byteCount: Int
  package var hasErrors: Bool
  /// Its fields with their values, as far as one looks at a line.
  package var text: String

  init(_ result: RunResult, hidden: HiddenFields?) {
    part = result.part
    elapsed = result.elapsed
    byteCount = result.byteCount
    hasErrors = !result.errors.isEmpty
    var text = ""
    if let data = result.data, !data.isNull {
      Self.write(data, hidden, isRoot: true, to: &text)
    } else {
      text = result.errors.first?.message ?? "no data"
    }
    self.text = text
  }

  private static let limit = 2000

  private static func write(_ value: JSONValue, _ hidden: HiddenFields?, isRoot: Bool, to text: inout String) {
    switch value.kind {
    case .object:
      if !isRoot { text += "{" }
      var isFirst = true
      value.forEachMember { key, member in
        let name = String(decoding: key, as: UTF8.self)
        guard hidden?.names.contains(name) != true else { return true }
        text += isFirst ? "\(name): " : ", \(name): "
        isFirst = false
        write(member, hidden?.children[name], isRoot: false, to: &text)
        return text.utf8.count < limit
      }
      if !isRoot { text += "}" }
    case .array:
      text += "["
      for (index, item) in value.elements.enumerated() where text.utf8.count < limit {
        if index > 0 { text += ", " }
        write(item, hidden, isRoot: false, to: &text)
      }
      text += "]"
    case .string: text += "\"\((value.string ?? "").prefix(limit))\""
    case .number, .bool, .null: text += value.description
    }
  }
}

/// The events of a subscription as a list: followed as they come, stopped, cleared, filtered, and opened one by one.
package struct EventList: Hashable, Sendable {
  /// The oldest are forgotten before the results of their parts are.
  static let limit = PartHistory.limit * 9 / 10

  private var lines: [EventLine] = []
  /// Those that the filter leaves.
  package private(set) var shown: [EventLine] = []
  /// What came since the list was stopped.
  private var waiting: [EventLine] = []
  package private(set) var isPaused = false
  package var filterInput = LineEditor()
  package var list = ListCursor()
  /// Whether an event is opened: the response is that event then.
  package var isOpen = false

  package init() {}

  package var filter: String { filterInput.text }
  package var count: Int { lines.count }
  package var waitingCount: Int { waiting.count }
  package var selected: EventLine? { shown.indices.contains(list.selected) ? shown[list.selected] : nil }

  mutating func note(_ line: EventLine) {
    if isPaused {
      waiting.append(line)
      if waiting.count > Self.limit { waiting.removeFirst() }
    } else {
      append([line])
    }
  }

  /// Who stands on the newest event goes on to those that come.
  private mutating func append(_ new: [EventLine]) {
    let follows = list.selected >= shown.count - 1
    lines += new
    if lines.count > Self.limit {
      lines.removeFirst(lines.count - Self.limit)
      show(selecting: selected?.part)
    } else {
      shown += new.filter(matches)
    }
    if follows { list.select(shown.count - 1, count: shown.count) }
  }

  private func matches(_ line: EventLine) -> Bool {
    filter.isEmpty || line.text.lowercased().contains(filter.lowercased())
  }

  private mutating func show(selecting part: Int?) {
    shown = filter.isEmpty ? lines : lines.filter(matches)
    let row = part.flatMap { part in shown.firstIndex { $0.part >= part } } ?? shown.count - 1
    list.select(row, count: shown.count)
  }

  mutating func filterChanged() { show(selecting: selected?.part) }

  mutating func clearFilter() {
    filterInput = LineEditor()
    filterChanged()
  }

  mutating func togglePause() {
    isPaused.toggle()
    guard !isPaused else { return }
    append(waiting)
    waiting = []
  }

  /// What came is put away; what comes is listed.
  mutating func clear() {
    lines = []
    waiting = []
    show(selecting: nil)
  }
}
