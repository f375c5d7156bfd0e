import ApusClientAPI
import ApusExplorerText
import ApusJSON

/// An event of a subscription in one line.
package struct EventLine: Equatable, Sendable {
  /// Which of the run's parts it is.
  package var part: Int
  package var elapsed: Duration
  /// When the event before it came.
  package fileprivate(set) var previous = Duration.zero
  /// Whether far more time passed before it than between the events before.
  package fileprivate(set) var isBehindGap = false
  package var byteCount: Int
  package var hasErrors: Bool
  /// Its fields with their values, as far as one looks at a line.
  package var text: String
  /// All that is in it.
  private var data: SharedJSON?
  private var messages: [String]

  init(_ result: RunResult, hidden: HiddenFields?) {
    part = result.part
    elapsed = result.elapsed
    byteCount = result.byteCount
    hasErrors = !result.errors.isEmpty
    data = result.data.map { SharedJSON($0, without: hidden) }
    messages = result.errors.map(\.message)
    var text = ""
    if let data = result.data, !data.isNull {
      Self.write(data, hidden, isRoot: true, to: &text)
    } else {
      text = result.errors.first?.shownMessage ?? "no data"
    }
    self.text = text
  }

  /// Whether a text is in its line, in a name or a value of the whole event, or in its errors. Capitals count where the
  /// text has one.
  func contains(_ wanted: String) -> Bool {
    let isExact = wanted.contains(where: \.isUppercase)
    let says = { (text: String) in (isExact ? text : text.lowercased()).contains(isExact ? wanted : wanted.lowercased())
    }
    if says(text) || messages.contains(where: says) { return true }
    return data.map { ResponseSearcher.contains(wanted, in: $0.value, hidden: $0.hidden) } ?? false
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
package struct EventList: Equatable, Sendable {
  /// The oldest are forgotten before the results of their parts are.
  static let limit = 1000
  static let byteLimit = PartHistory.byteLimit * 9 / 10

  private var lines: [EventLine] = []
  /// When the newest event came, whether it is listed or waits.
  private var newest = Duration.zero
  /// The number of intervals between events so far, and their sum.
  private var pace = Pace()

  private struct Pace: Equatable, Sendable {
    var count = 0
    var total = Duration.zero
  }
  /// The bytes, as they came, of the events listed.
  private var keptBytes = 0
  /// The same of those that wait.
  private var waitingBytes = 0
  /// How many are forgotten because there were too many, or they were too long.
  package private(set) var forgottenCount = 0
  /// Those that the filter leaves.
  package private(set) var shown: [EventLine] = []
  /// What came since the list was stopped.
  private var waiting: [EventLine] = []
  /// Whether an event, by its part, has what is filtered by; what is not in it has not been looked at yet.
  private var verdicts: [Int: Bool] = [:]
  /// Counts the filters: the answer about an older one is dropped.
  private var version = 0
  private var isAsking = false
  package private(set) var isPaused = false
  package var filterInput = LineEditor()
  package var list = ListCursor()

  package init() {}

  /// The number of intervals that show the usual one.
  private static let paceCount = 3

  package var filter: String { filterInput.text }
  package var count: Int { lines.count }
  package var waitingCount: Int { waiting.count }
  /// The part of the oldest event that is listed or waits; nil without one.
  var oldest: Int? { (lines.first ?? waiting.first)?.part }
  package var selected: EventLine? { shown.indices.contains(list.selected) ? shown[list.selected] : nil }

  /// The parts of what is listed; nil where nothing is.
  var listedParts: ClosedRange<Int>? {
    guard let first = lines.first, let last = lines.last else { return nil }
    return min(first.part, last.part)...max(first.part, last.part)
  }

  mutating func note(_ line: EventLine) {
    var line = line
    line.previous = newest
    let interval = line.elapsed - newest
    newest = line.elapsed
    if pace.count > 0 {
      let usual = pace.total / pace.count
      line.isBehindGap = pace.count >= Self.paceCount && interval >= max(.seconds(1), usual * 4)
    }
    // The first event waits for the connection.
    if line.part > 0 { pace = Pace(count: pace.count + 1, total: pace.total + interval) }
    if isPaused {
      waiting.append(line)
      waitingBytes += line.byteCount
      // What stands still stays: of those that wait the oldest are forgotten.
      forget(Self.tooMany(of: waiting, waitingBytes), of: \.waiting, \.waitingBytes)
    } else {
      append([line])
    }
  }

  /// How many of the oldest must go until the rest is within the limits; never the newest.
  private static func tooMany(of kept: [EventLine], _ bytes: Int) -> Int {
    var (count, bytes) = (0, bytes)
    while kept.count - count > 1, kept.count - count > limit || bytes > byteLimit {
      bytes -= kept[count].byteCount
      count += 1
    }
    return count
  }

  private mutating func forget(
    _ count: Int, of kept: WritableKeyPath<Self, [EventLine]>, _ bytes: WritableKeyPath<Self, Int>
  ) {
    for line in self[keyPath: kept].prefix(count) {
      self[keyPath: bytes] -= line.byteCount
      verdicts[line.part] = nil
    }
    self[keyPath: kept].removeFirst(count)
    forgottenCount += count
  }

  /// Who stands on the newest event goes on to those that come.
  private mutating func append(_ new: [EventLine]) {
    let follows = list.selected >= shown.count - 1
    lines += new
    keptBytes += new.reduce(0) { $0 + $1.byteCount }
    if filter.isEmpty { shown += new }
    let forgotten = Self.tooMany(of: lines, keptBytes)
    if forgotten > 0 {
      forget(forgotten, of: \.lines, \.keptBytes)
      show(selecting: selected?.part)
    }
    if follows { list.select(shown.count - 1, count: shown.count) }
  }

  /// What was shown stays until it is known to be none of it.
  private mutating func show(selecting part: Int?) {
    let before = Set(shown.map(\.part))
    shown = filter.isEmpty ? lines : lines.filter { verdicts[$0.part] ?? before.contains($0.part) }
    let row = part.flatMap { part in shown.firstIndex { $0.part >= part } } ?? shown.count - 1
    list.select(row, count: shown.count)
  }

  mutating func filterChanged() {
    version += 1
    verdicts = [:]
    isAsking = false
    show(selecting: selected?.part)
  }

  /// Whether events wait to be looked at.
  package var isFiltering: Bool { !filter.isEmpty && lines.contains { verdicts[$0.part] == nil } }

  /// The next events to be looked at beside the loop, the newest first: a few at once, so that another filter need not
  /// wait long. Nil while some are looked at already, and where all have been.
  mutating func nextToFilter() -> (lines: [EventLine], version: Int)? {
    guard !filter.isEmpty, !isAsking else { return nil }
    var room = 4 << 20
    var next: [EventLine] = []
    for line in lines.reversed() where verdicts[line.part] == nil && room > 0 {
      room -= line.byteCount + 4096
      next.append(line)
    }
    guard !next.isEmpty else { return nil }
    isAsking = true
    return (next, version)
  }

  mutating func judged(_ verdicts: [Int: Bool], version: Int) {
    guard version == self.version else { return }
    isAsking = false
    self.verdicts.merge(verdicts) { _, new in new }
    let follows = list.selected >= shown.count - 1
    show(selecting: selected?.part)
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

  /// What came is put away; what comes is listed.
  mutating func clear() {
    lines = []
    verdicts = [:]
    waiting = []
    (keptBytes, waitingBytes) = (0, 0)
    forgottenCount = 0
    show(selecting: nil)
  }
}
