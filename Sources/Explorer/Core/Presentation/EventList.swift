import ApusClientAPI
import ApusExplorerText
import ApusJSON

/// An event of a subscription as one line.
package struct EventLine: Equatable, Sendable {
  /// The payload index of the event.
  package var payloadIndex: Int
  package var elapsed: Duration
  /// The arrival time of the previous event.
  package fileprivate(set) var previous = Duration.zero
  /// Whether the interval before the event was much longer than usual.
  package fileprivate(set) var isBehindGap = false
  package var byteCount: Int
  package var hasErrors: Bool
  /// Whether no payload of the event follows.
  fileprivate(set) var isComplete: Bool
  /// Fields and values, truncated to a line.
  package var text: String
  /// The complete data of the event.
  private var data: VisibleJSON?
  private var messages: [String]

  init(_ result: RunResult, hidden: HiddenFields?) {
    payloadIndex = result.payloadIndex
    elapsed = result.elapsed
    byteCount = result.byteCount
    hasErrors = !result.errors.isEmpty
    isComplete = result.isComplete
    data = result.data.map { VisibleJSON($0, without: hidden) }
    messages = result.errors.map(\.message)
    var text = ""
    if let data = result.data, !data.isNull {
      Self.write(data, hidden, isRoot: true, to: &text)
    } else {
      text = result.errors.first?.shownMessage ?? "no data"
    }
    self.text = text
  }

  /// Returns the line of an event with another payload.
  fileprivate func continuing(_ first: EventLine) -> EventLine {
    var line = self
    line.previous = first.previous
    line.isBehindGap = first.isBehindGap
    line.elapsed = first.elapsed
    line.byteCount += first.byteCount
    return line
  }

  /// Whether a string occurs in the line, in a field name or value of the complete event, or in its errors. Case
  /// matters only if the string contains uppercase letters.
  func contains(_ requested: String) -> Bool {
    let isExact = requested.contains(where: \.isUppercase)
    let says = { (text: String) in
      (isExact ? text : text.lowercased()).contains(isExact ? requested : requested.lowercased())
    }
    if says(text) || messages.contains(where: says) { return true }
    return data.map { ResponseSearcher.contains(requested, in: $0.value, hidden: $0.hidden) } ?? false
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

/// The event list of a subscription: it follows new events, can be paused, cleared and filtered, and opens events.
package struct EventList: Equatable, Sendable {
  /// The maximum number of listed or waiting events. Events are dropped before the results of their payloads.
  static let limit = 1000
  /// The maximum size of listed or waiting events, in bytes as received.
  static let byteLimit = PayloadHistory.byteLimit * 9 / 10

  private var lines: [EventLine] = []
  /// The arrival time of the newest event, whether it is listed or waiting.
  private var newest = Duration.zero
  /// The number of intervals between events so far, and their sum.
  private var pace = Pace()

  private struct Pace: Equatable, Sendable {
    var count = 0
    var total = Duration.zero
  }
  /// Bytes of the listed events, as received.
  private var keptBytes = 0
  /// Bytes of the waiting events, as received.
  private var waitingBytes = 0
  /// The number of events dropped because a limit was exceeded.
  package private(set) var forgottenCount = 0
  /// Events that match the filter.
  package private(set) var shown: [EventLine] = []
  /// Events that arrived since the list was paused.
  private var waiting: [EventLine] = []
  /// Whether each event matches the filter, by payload index; events without an entry have not been checked yet.
  private var verdicts: [Int: Bool] = [:]
  /// The number of the current filter; results of earlier filters are dropped.
  private var version = 0
  private var isAsking = false
  package private(set) var isPaused = false
  package var filterInput = LineEditor()
  package var list = ListCursor()

  package init() {}

  /// The number of intervals needed to determine the usual one.
  private static let paceCount = 3

  package var filter: String { filterInput.text }
  package var count: Int { lines.count }
  package var waitingCount: Int { waiting.count }
  /// The payload index of the oldest event that is listed or waiting; nil if there is none.
  var oldest: Int? { (lines.first ?? waiting.first)?.payloadIndex }
  package var selected: EventLine? { shown.indices.contains(list.selected) ? shown[list.selected] : nil }

  /// Payload indexes of the listed events; nil if there are none.
  var listedPayloads: ClosedRange<Int>? {
    guard let first = lines.first, let last = lines.last else { return nil }
    return min(first.payloadIndex, last.payloadIndex)...max(first.payloadIndex, last.payloadIndex)
  }

  /// The newest event while its payloads follow.
  private(set) var unfinished: EventLine?

  /// Adds a payload: the next event, or more of the one that is not complete.
  mutating func append(_ line: EventLine) {
    let first = unfinished
    let added = first.map { line.continuing($0) } ?? line
    unfinished = line.isComplete ? nil : added
    guard let first else { return add(added) }
    func replace(in list: WritableKeyPath<Self, [EventLine]>) -> Bool {
      guard let index = self[keyPath: list].lastIndex(where: { $0.payloadIndex == first.payloadIndex }) else {
        return false
      }
      self[keyPath: list][index] = added
      return true
    }
    verdicts[first.payloadIndex] = nil
    // The list can have been cleared since the event began.
    if replace(in: \.waiting) {
      waitingBytes += line.byteCount
    } else if replace(in: \.lines) {
      keptBytes += line.byteCount
      _ = replace(in: \.shown)
    } else {
      add(added)
    }
  }

  private mutating func add(_ line: EventLine) {
    var line = line
    line.previous = newest
    let interval = line.elapsed - newest
    newest = line.elapsed
    if pace.count > 0 {
      let usual = pace.total / pace.count
      line.isBehindGap = pace.count >= Self.paceCount && interval >= max(.seconds(1), usual * 4)
    }
    // The interval before the first event is the time to connect.
    if line.payloadIndex > 0 { pace = Pace(count: pace.count + 1, total: pace.total + interval) }
    if isPaused {
      waiting.append(line)
      waitingBytes += line.byteCount
      // A paused list does not change, so the oldest waiting events are dropped.
      remove(Self.tooMany(of: waiting, waitingBytes), of: \.waiting, \.waitingBytes)
    } else {
      append([line])
    }
  }

  /// Returns the number of the oldest events to drop to meet the limits; never includes the newest.
  private static func tooMany(of retained: [EventLine], _ bytes: Int) -> Int {
    var (count, bytes) = (0, bytes)
    while retained.count - count > 1, retained.count - count > limit || bytes > byteLimit {
      bytes -= retained[count].byteCount
      count += 1
    }
    return count
  }

  private mutating func remove(
    _ count: Int, of retained: WritableKeyPath<Self, [EventLine]>, _ bytes: WritableKeyPath<Self, Int>
  ) {
    for line in self[keyPath: retained].prefix(count) {
      self[keyPath: bytes] -= line.byteCount
      verdicts[line.payloadIndex] = nil
    }
    self[keyPath: retained].removeFirst(count)
    forgottenCount += count
  }

  /// Appends events, and keeps the selection on the newest event if it was there before.
  private mutating func append(_ new: [EventLine]) {
    let follows = list.selected >= shown.count - 1
    lines += new
    keptBytes += new.reduce(0) { $0 + $1.byteCount }
    if filter.isEmpty { shown += new }
    let forgotten = Self.tooMany(of: lines, keptBytes)
    if forgotten > 0 {
      remove(forgotten, of: \.lines, \.keptBytes)
      show(selecting: selected?.payloadIndex)
    }
    if follows { list.select(shown.count - 1, count: shown.count) }
  }

  /// Applies the filter. Visible events stay until it is known that they do not match.
  private mutating func show(selecting index: Int?) {
    let before = Set(shown.map(\.payloadIndex))
    shown = filter.isEmpty ? lines : lines.filter { verdicts[$0.payloadIndex] ?? before.contains($0.payloadIndex) }
    let row = index.flatMap { index in shown.firstIndex { $0.payloadIndex >= index } } ?? shown.count - 1
    list.select(row, count: shown.count)
  }

  mutating func filterChanged() {
    version += 1
    verdicts = [:]
    isAsking = false
    show(selecting: selected?.payloadIndex)
  }

  /// Whether events remain to be filtered.
  package var isFiltering: Bool { !filter.isEmpty && lines.contains { verdicts[$0.payloadIndex] == nil } }

  /// Returns the next events to filter in the background, newest first. Batches are small so that a changed filter does
  /// not have to wait. Returns nil if a batch is in progress or all events have been checked.
  mutating func nextToFilter() -> (lines: [EventLine], version: Int)? {
    guard !filter.isEmpty, !isAsking else { return nil }
    var room = 4 << 20
    var next: [EventLine] = []
    for line in lines.reversed() where verdicts[line.payloadIndex] == nil && room > 0 {
      room -= line.byteCount + 4096
      next.append(line)
    }
    guard !next.isEmpty else { return nil }
    isAsking = true
    return (next, version)
  }

  mutating func applyVerdicts(_ verdicts: [Int: Bool], version: Int) {
    guard version == self.version else { return }
    isAsking = false
    self.verdicts.merge(verdicts) { _, new in new }
    let follows = list.selected >= shown.count - 1
    show(selecting: selected?.payloadIndex)
    if follows { list.select(shown.count - 1, count: shown.count) }
  }

  mutating func clearFilter() {
    filterInput = LineEditor()
    filterChanged()
  }

  mutating func togglePause() {
    isPaused.toggle()
    guard !isPaused else { return }
    let new = waiting
    (waiting, waitingBytes) = ([], 0)
    append(new)
  }

  /// Removes all events; new ones are listed again.
  mutating func clear() {
    lines = []
    verdicts = [:]
    waiting = []
    (keptBytes, waitingBytes) = (0, 0)
    forgottenCount = 0
    show(selecting: nil)
  }
}
