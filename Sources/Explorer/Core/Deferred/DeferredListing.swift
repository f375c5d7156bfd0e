import ApusFormatting
import ApusClientAPI
import ApusExplorerText

/// The sort order and the filter of the deferred pane.
package struct DeferredListing: Equatable, Sendable {
  package enum Order: String, CaseIterable, Sendable {
    case document, start, time, state

    package var title: String {
      switch self {
      case .document: "response order"
      case .start: "start"
      case .time: "own time, slowest first"
      case .state: "state, failures first"
      }
    }
  }

  package var order = Order.document
  package var isReversed = false
  package var filterInput = LineEditor()
  /// Whether the filter is being typed.
  package var isFiltering = false
  /// The indexes of the items in view, a row each; `nil` if all are in view as they are.
  fileprivate(set) var items: [Int]?
  /// The item that was last selected as the next slowest one.
  fileprivate var slowest: Int?

  package init() {}

  package init(order: Order, isReversed: Bool, filter: String) {
    self.order = order
    self.isReversed = isReversed
    filterInput = LineEditor(filter)
  }

  /// The listing without the items in view, which are arranged again for each response.
  var saved: DeferredListing { DeferredListing(order: order, isReversed: isReversed, filter: filter) }

  package var filter: String { filterInput.text }

  /// The words that an item must have: `nest` and `eggs` for the filter "Nest eggs".
  fileprivate var words: [String] { filter.lowercased().split(whereSeparator: \.isWhitespace).map(String.init) }
}

/// Sorting, filtering and moving in the deferred pane.
extension ResponseFeature {
  /// The number of fragments and lists in view.
  package var shownDeliveryCount: Int { deferredListing.items?.count ?? deliveryCount }

  func deferredIndex(ofRow row: Int) -> Int? {
    guard let items = deferredListing.items else { return row < deliveryCount ? row : nil }
    return items.indices.contains(row) ? items[row] : nil
  }

  /// Sorts and filters the items as they are now. The selected item stays selected.
  mutating func arrangeDeferred() {
    guard deferredListing.order != .document || deferredListing.isReversed || !deferredListing.filter.isEmpty else {
      return arrange(nil)
    }
    let words = deferredListing.words
    let end = axis.end
    let items = (0..<deliveryCount).compactMap { index in delivery(at: index).map { (index, $0) } }
      .filter { words.isEmpty || matches($0.1, words) }
    var indexes = items.map(\.0)
    switch deferredListing.order {
    case .document: break
    case .start: indexes = sorted(items) { $0.announcedAfter ?? .zero }
    // Items without a time come last.
    case .time: indexes = sorted(items) { .zero - ($0.ownTime(until: end) ?? .seconds(-1)) }
    case .state: indexes = sorted(items) { $0.state.rank }
    }
    arrange(deferredListing.isReversed ? indexes.reversed() : indexes)
  }

  private func matches(_ item: DeferredItem, _ words: [String]) -> Bool {
    let text = ([item.title, item.path.description, item.state.word] + errors(of: item).map(\.message))
      .joined(separator: "\n").lowercased()
    return words.allSatisfy { text.contains($0) }
  }

  private func sorted(_ items: [(Int, DeferredItem)], by key: (DeferredItem) -> some Comparable) -> [Int] {
    items.map { (key: key($0.1), index: $0.0) }.sorted { ($0.key, $0.index) < ($1.key, $1.index) }.map(\.index)
  }

  private mutating func arrange(_ items: [Int]?) {
    let selected = deferredIndex(ofRow: deferredList.selected)
    deferredListing.items = items
    guard let selected else { return }
    deferredList.select(items.map { $0.firstIndex(of: selected) ?? 0 } ?? selected, count: deferredRowCount)
  }

  mutating func sortDeferred() -> [FollowUp] {
    let all = DeferredListing.Order.allCases
    let index = all.firstIndex(of: deferredListing.order) ?? 0
    deferredListing.order = all[(index + 1) % all.count]
    arrangeDeferred()
    return [.focus(.deferred), .notice("Sorted by \(deferredListing.order.title)")]
  }

  mutating func reverseDeferred() -> [FollowUp] {
    deferredListing.isReversed.toggle()
    arrangeDeferred()
    return [.focus(.deferred)]
  }

  mutating func filterDeferred() -> [FollowUp] {
    deferredListing.isFiltering = true
    return [.focus(.deferred)]
  }

  var hasDeferredFilter: Bool { deferredListing.isFiltering || !deferredListing.filter.isEmpty }

  /// The filter, while it is being typed.
  var deferredInput: LineEditor? {
    get { deferredListing.isFiltering ? deferredListing.filterInput : nil }
    set { if let newValue { deferredListing.filterInput = newValue } }
  }

  mutating func clearDeferredFilter() -> [FollowUp] {
    deferredListing.isFiltering = false
    deferredListing.filterInput = LineEditor()
    arrangeDeferred()
    return []
  }

  /// Selects the next item that did not arrive completely, and shows its error.
  mutating func selectNextFailed() -> [FollowUp] {
    let rows = failedRows
    guard let row = rows.first(where: { $0 > deferredList.selected }) ?? rows.first,
      let index = deferredIndex(ofRow: row),
      let item = delivery(at: index), let position = rows.firstIndex(of: row)
    else { return [] }
    deferredList.select(row, count: deferredRowCount)
    let message = errors(of: item).first.map { ": \($0.shownMessage)" } ?? ""
    return [
      .focus(.deferred),
      .notice("\(position + 1) of \(rows.count) failed: \(item.title) \(item.state.word)\(message)", .warning),
    ]
  }

  private var failedRows: [Int] {
    (0..<shownDeliveryCount).filter { row in
      deferredIndex(ofRow: row).flatMap { delivery(at: $0)?.state.isFailure } ?? false
    }
  }

  /// Selects the slowest item in view; if the last such command selected this one, the next slower one.
  mutating func selectNextSlowest() -> [FollowUp] {
    let end = axis.end
    let ranked = (0..<shownDeliveryCount)
      .compactMap { row -> (time: Duration, row: Int)? in
        deferredIndex(ofRow: row).flatMap { delivery(at: $0)?.ownTime(until: end) }.map { ($0, row) }
      }
      .sorted { ($1.time, $0.row) < ($0.time, $1.row) }
    let selected = deferredIndex(ofRow: deferredList.selected)
    let isRepeated = selected != nil && selected == deferredListing.slowest
    let last = isRepeated ? ranked.firstIndex { $0.row == deferredList.selected } : nil
    let position = last.map { ($0 + 1) % ranked.count } ?? 0
    guard ranked.indices.contains(position) else { return [] }
    deferredList.select(ranked[position].row, count: deferredRowCount)
    deferredListing.slowest = deferredIndex(ofRow: deferredList.selected)
    return [
      .focus(.deferred),
      .notice("\(position + 1) of \(ranked.count) by own time: \(DisplayFormat.duration(ranked[position].time))"),
    ]
  }

  // MARK: Unavailable commands

  var reasonAgainstDeferred: String? { deliveryCount == 0 ? "There are no deferred fragments" : nil }

  var reasonAgainstNextFailed: String? {
    reasonAgainstDeferred ?? (failedRows.isEmpty ? "No visible deferred fragment failed" : nil)
  }

  /// For commands that act on the rows in view.
  var reasonAgainstShownDeferred: String? {
    reasonAgainstDeferred ?? (shownDeliveryCount == 0 ? "No deferred fragment matches the filter" : nil)
  }
}
