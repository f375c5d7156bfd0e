/// The requests of an application under `apus tap`: the rows of the Requests view, their filter, and the selection.
package struct RequestsFeature: Equatable, Sendable {
  /// The maximum number of rows. The oldest that have ended are dropped first.
  package static let limit = 1000
  /// The maximum number of conflicts.
  package static let conflictLimit = 100

  /// The URL for the application.
  package let url: String
  /// All requests, in the order of arrival.
  package private(set) var rows: [ObservedRequest] = []
  /// The requests that match the filter, in the order of arrival.
  package private(set) var shown: [ObservedRequest] = []
  package private(set) var filter = ""
  /// The number of the selected request; `nil` selects the newest one, also when others arrive.
  private var selection: Int?
  /// The number of dropped rows.
  package private(set) var droppedCount = 0
  /// Queries that take each other's fields, oldest first.
  package private(set) var conflicts: [String] = []
  /// The number of forwarded requests that are not GraphQL.
  package private(set) var otherCount = 0
  /// The reason why no more requests are forwarded.
  package private(set) var failure: String?
  /// The rules that change responses of new requests, each as a line: "`delay 2s`".
  package private(set) var rules: [String]
  private var newestNumber = 0
  private static let hold = "hold"

  package init(url: String, rules: [String] = []) { (self.url, self.rules) = (url, rules) }

  /// Whether the payloads of new requests wait until the user releases them.
  package var holds: Bool { rules.contains(Self.hold) }

  package var runningCount: Int { rows.count(where: \.isRunning) }

  // MARK: Events

  package mutating func receive(_ action: RequestsAction) -> [FollowUp] {
    switch action {
    case .changed(let changed, let skippedCount, let otherCount):
      droppedCount += skippedCount
      for request in changed { receive(request) }
      self.otherCount = otherCount
      dropOldest()
      showMatching()
    case .conflictFound(let words):
      conflicts = conflicts.suffix(Self.conflictLimit - 1) + [words]
      return [.notice("Conflict: \(words)", .warning)]
    case .noted(let words): return [.notice(words, .warning)]
    case .failed(let reason):
      failure = reason
      return [.notice(reason, .warning)]
    case .moved(let step): move(by: step)
    case .rowClicked(let row): if shown.indices.contains(row) { selection = shown[row].number }
    case .filterTyped(let text):
      filter = text
      showMatching()
    case .rulesUsed(let lines): return use(lines)
    case .chosen, .opened, .rulesRefused: break
    }
    return []
  }

  private mutating func receive(_ request: ObservedRequest) {
    if request.number > newestNumber {
      newestNumber = request.number
      rows.append(request)
    } else if let index = rows.sortedIndex(of: request.number) {
      rows[index] = request
    }
  }

  /// Drops the oldest rows beyond the limit: those that have ended, or all if too many are running.
  private mutating func dropOldest() {
    var excess = rows.count - Self.limit
    guard excess > 0 else { return }
    droppedCount += excess
    rows.removeAll { row in
      guard excess > 0, !row.isRunning else { return false }
      excess -= 1
      return true
    }
    rows.removeFirst(excess)
  }

  private mutating func showMatching() {
    let filter = RequestFilter(filter)
    shown = filter.isEmpty ? rows : rows.filter(filter.matches)
  }

  // MARK: Rules

  /// The rules that have an effect, without `hold`, as one line; `nil` if there are none.
  package var rulesSummary: String? {
    let others = rules.filter { $0 != Self.hold }
    return others.isEmpty || restrictions.count == rules.count ? nil : others.joined(separator: "; ")
  }

  /// The names of operations to which the rules are restricted, as lines: "`for Birds`".
  private var restrictions: [String] { rules.filter { $0.hasPrefix("for ") } }

  mutating func toggleHold() -> [FollowUp] {
    let holds = !holds
    if holds { rules.append(Self.hold) } else { rules.removeAll { $0 == Self.hold } }
    let requests = "new requests\(restrictions.map { " " + $0 }.joined())"
    let words =
      holds
      ? "Payloads of \(requests) wait: Space releases the next one, a the whole response"
      : "Released everything; payloads do not wait"
    return [.notice(words), .effect(.requests(.hold(holds)))]
  }

  private mutating func use(_ lines: [String]) -> [FollowUp] {
    let released = holds && !lines.contains(Self.hold) ? "; released everything" : ""
    rules = lines
    let words =
      lines.isEmpty ? "No rule changes new requests" : "Rules of new requests: \(lines.joined(separator: "; "))"
    return [.notice(words + released)]
  }

  // MARK: Selection

  /// The index of the selected row among the shown ones. If the selected request is not shown any more, it is the next one.
  package var selectedIndex: Int {
    let last = max(0, shown.count - 1)
    return selection.map { number in min(last, shown.count { $0.number < number }) } ?? last
  }

  package var selected: ObservedRequest? { shown.isEmpty ? nil : shown[selectedIndex] }

  /// Whether the newest request is selected, also when others arrive.
  package var isFollowing: Bool { selection == nil }

  /// Moves the selection. Beyond the last row, it follows the newest request.
  private mutating func move(by step: Int) {
    let index = selectedIndex + step
    selection = index >= shown.count ? nil : shown.indices.contains(index) ? shown[index].number : shown.first?.number
  }

  /// Returns the index of the row with a number; `nil` if there is none.
  func index(of number: Int) -> Int? { rows.sortedIndex(of: number) }
}

extension [ObservedRequest] {
  /// Returns the index of a number in rows that are sorted by their numbers.
  fileprivate func sortedIndex(of number: Int) -> Int? {
    // Most changes are about the newest requests.
    lastIndex { $0.number <= number }.flatMap { self[$0].number == number ? $0 : nil }
  }
}
