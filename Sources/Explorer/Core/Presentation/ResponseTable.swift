import ApusExplorerText
import ApusJSON

/// A list of the response as a table, with a row per item (for an edge, its node) and a column per leaf field.
package struct ResponseTable: Equatable, Sendable {
  package struct Column: Equatable, Sendable {
    /// Keys from the item, or from its node, to the field: `["nest", "eggs"]`.
    package var keys: [String]
    package var width: Int
    package var isHidden = false

    package var title: String { keys.joined(separator: ".") }
  }

  package enum Format: String, CaseIterable, Equatable, Sendable {
    case csv, tsv, json, ndjson

    package var title: String {
      switch self {
      case .csv: "CSV: visible columns"
      case .tsv: "TSV: visible columns"
      case .json: "JSON: complete items"
      case .ndjson: "NDJSON: complete items, one per line"
      }
    }
  }

  package private(set) var listPath: ResponsePath
  private var items: VisibleJSON
  package private(set) var itemCount: Int
  /// The text that the cells of a row must contain.
  package var filterInput = LineEditor()
  /// Whether the table is one row of another table, to be copied.
  package private(set) var isSingleRow = false
  package var columns: [Column] = []
  /// Items in display order; `nil` is the order of the list.
  private var order: [Int]?
  /// The number of the last sort; results of earlier sorts are dropped.
  private var orderVersion = 0
  /// Whether the order is outdated because the items or the sorting have changed.
  private var awaitsOrder = false
  package private(set) var sorting: (column: Int, isDescending: Bool)? {
    get { sortColumn.map { ($0, isDescending) } }
    set { (sortColumn, isDescending) = (newValue?.column, newValue?.isDescending ?? false) }
  }
  private var sortColumn: Int?
  private var isDescending = false
  package var list = ListCursor()
  /// The index of the selected column among the visible ones.
  package var selectedColumn = 0
  /// The index of the first item that the newest page added.
  package private(set) var newFrom: Int

  package init?(of data: VisibleJSON?, at path: ResponsePath) {
    guard let items = data?.value.value(at: path), items.kind == .array else { return nil }
    listPath = path
    self.items = VisibleJSON(items, without: data?.hidden?.nested(path))
    itemCount = items.count
    newFrom = items.count
    columns = Self.columns(of: self.items)
  }

  /// Returns the path of the first list of objects, outermost first.
  package static func firstList(in data: JSONValue?) -> ResponsePath? {
    guard let data else { return nil }
    var level: [(path: [PathComponent], value: JSONValue)] = [([], data)]
    for _ in 0..<6 {
      var next: [(path: [PathComponent], value: JSONValue)] = []
      for (path, value) in level {
        if value.kind == .array {
          if value[0]?.kind == .object { return ResponsePath(path) }
        } else {
          next += value.members.map { (path + [.key($0.key)], $0.value) }
        }
      }
      level = next
    }
    return nil
  }

  var selectedPath: ResponsePath { ResponsePath(listPath.components + [.index(item(ofRow: list.selected))]) }

  /// Selects the row of the item on a path, if the path leads into this list.
  mutating func reveal(_ path: ResponsePath) {
    guard path.components.starts(with: listPath.components), path.components.count > listPath.components.count,
      case .index(let item) = path.components[listPath.components.count]
    else { return }
    if let row = row(ofItem: item) { list.select(row, count: count) }
  }

  /// Updates the items. The user's changes to columns and sorting are kept, and new items are marked.
  package mutating func update(from data: JSONValue?) {
    guard let items = data?.value(at: listPath), items.kind == .array else { return }
    if items.count > itemCount { newFrom = itemCount }
    if items.count < itemCount { newFrom = items.count }
    let before = itemCount
    self.items = VisibleJSON(items, without: self.items.hidden)
    itemCount = items.count
    let present = Set(columns.map(\.keys))
    columns += Self.columns(of: self.items).filter { !present.contains($0.keys) }
    // New items stay at the end until they have been sorted.
    if let order { self.order = order.filter { $0 < itemCount } + Array(min(before, itemCount)..<itemCount) }
    awaitsOrder = isArranged
    list.select(list.selected, count: count)
  }

  private static let widest = 40

  /// Returns the leaf fields of the first items and the last item, in the order of their appearance.
  private static func columns(of shared: VisibleJSON) -> [Column] {
    let items = shared.value
    var columns: [Column] = []
    var indexes: [[String]: Int] = [:]
    // A null may be an object in another item; that object's fields are then the columns.
    var nulls: [[String]] = []
    func add(_ value: JSONValue, _ keys: [String], _ hidden: HiddenFields?) {
      switch value.kind {
      case .object where keys.count < 6:
        for (key, member) in value.members where hidden?.names.contains(key) != true {
          add(member, keys + [key], hidden?.children[key])
        }
      case .null:
        if indexes[keys] == nil, !nulls.contains(keys) { nulls.append(keys) }
      case .object, .array, .string, .number, .bool:
        let width = Swift.min(widest, text(of: value).count)
        if let index = indexes[keys] {
          columns[index].width = Swift.max(columns[index].width, width)
        } else {
          indexes[keys] = columns.count
          columns.append(Column(keys: keys, width: Swift.max(width, keys.joined(separator: ".").count + 2)))
        }
      }
    }
    let sample = items.elements.prefix(200).map { $0 } + [items[items.count - 1]].compactMap { $0 }
    for item in sample { add(node(of: item), [], hiddenInNodes(of: shared)) }
    for keys in nulls where !columns.contains(where: { $0.keys.starts(with: keys) }) {
      columns.append(Column(keys: keys, width: Swift.max(4, keys.joined(separator: ".").count)))
    }
    return columns
  }

  private static func node(of item: JSONValue) -> JSONValue {
    if let node = item["node"], node.kind == .object { return node }
    return item
  }

  /// Returns the fields of the nodes that were added for the explorer.
  private static func hiddenInNodes(of items: VisibleJSON) -> HiddenFields? {
    items.value[0]?["node"]?.kind == .object ? items.hidden?.children["node"] : items.hidden
  }

  /// The name of the list, for a file name.
  package var name: String {
    let keys = listPath.components.compactMap { if case .key(let key) = $0, key != "edges" { key } else { nil } }
    return keys.isEmpty ? "response" : keys.joined(separator: "-")
  }

  // MARK: Cells

  /// The number of rows.
  package var count: Int { order?.count ?? itemCount }

  package var shownColumns: [Int] { columns.indices.filter { !columns[$0].isHidden } }
  package var hiddenCount: Int { columns.count { $0.isHidden } }

  package func item(ofRow row: Int) -> Int { order.map { $0.indices.contains(row) ? $0[row] : row } ?? row }

  /// Returns the row of an item; `nil` if the filter hides it.
  package func row(ofItem item: Int) -> Int? { order.map { $0.firstIndex(of: item) } ?? item }

  package func isNew(row: Int) -> Bool { item(ofRow: row) >= newFrom }

  package func value(row: Int, column: Int) -> JSONValue? { value(item: item(ofRow: row), column: column) }

  private func value(item: Int, column: Int) -> JSONValue? {
    items.value[item].flatMap { value(of: Self.node(of: $0), column: column) }
  }

  private func value(of node: JSONValue, column: Int) -> JSONValue? {
    guard columns.indices.contains(column) else { return nil }
    var value = node
    for key in columns[column].keys {
      guard let member = value[key] else { return nil }
      value = member
    }
    return value
  }

  package static func text(of value: JSONValue?) -> String {
    guard let value, !value.isNull else { return "" }
    return value.string ?? value.description
  }

  // MARK: Sorting, filter and columns

  package var filter: String { filterInput.text }

  private var isArranged: Bool { sorting != nil || !filter.isEmpty }

  mutating func filterChanged() {
    awaitsOrder = isArranged
    if !isArranged { order = nil }
  }

  mutating func clearFilter() {
    filterInput = LineEditor()
    filterChanged()
  }

  /// Cycles through ascending, descending and no sorting by the selected column.
  package mutating func cycleSorting() {
    guard let column = selectedColumnIndex else { return }
    if let sorting, sorting.column == column {
      self.sorting = sorting.isDescending ? nil : (column, true)
    } else {
      sorting = (column, false)
    }
    filterChanged()
  }

  /// Returns the effect that sorts the items in the background; nil if the order is up to date.
  mutating func orderEffect() -> Effect? {
    guard awaitsOrder else { return nil }
    awaitsOrder = false
    orderVersion += 1
    return .reading(.sortTable(self, version: orderVersion))
  }

  mutating func sorted(_ order: [Int], version: Int) {
    guard version == orderVersion, isArranged, !awaitsOrder else { return }
    self.order = order
    list.select(list.selected, count: count)
  }

  package var selectedColumnIndex: Int? {
    let shown = shownColumns
    return shown.indices.contains(selectedColumn) ? shown[selectedColumn] : nil
  }

  private enum SortKey: Comparable {
    case number(Double)
    case text(String)
    case nothing
  }

  /// Returns the items that match the filter, in sorted order; equal items keep the order of the list.
  package func sortedItems() -> [Int] {
    guard !filter.isEmpty else { return allSortedItems() }
    let words = filter.split(whereSeparator: \.isWhitespace).map { SearchPattern(String($0)) }
    let matching = items.value.elements.map { item in
      let cells = shownColumns.map { Self.text(of: value(of: Self.node(of: item), column: $0)) }
      return words.allSatisfy { word in cells.contains { !word.ranges(in: $0).isEmpty } }
    }
    return allSortedItems().filter { matching[$0] }
  }

  private func allSortedItems() -> [Int] {
    guard let (column, isDescending) = sorting else { return Array(0..<itemCount) }
    let keys = items.value.elements.map { item -> SortKey in
      guard let value = value(of: Self.node(of: item), column: column), !value.isNull else { return .nothing }
      return value.double.map { .number($0) } ?? .text(Self.text(of: value))
    }
    // Rows without a value sort last in both directions.
    return keys.indices.sorted { left, right in
      if keys[left] == keys[right] { return left < right }
      if keys[left] == .nothing || keys[right] == .nothing { return keys[right] == .nothing }
      return isDescending ? keys[left] > keys[right] : keys[left] < keys[right]
    }
  }

  package mutating func moveColumn(by step: Int) {
    selectedColumn = Swift.min(Swift.max(0, selectedColumn + step), Swift.max(0, shownColumns.count - 1))
  }

  package mutating func hideColumn() {
    guard let column = selectedColumnIndex, shownColumns.count > 1 else { return }
    columns[column].isHidden = true
    moveColumn(by: 0)
    filterChanged()
  }

  package mutating func showAllColumns() {
    for column in columns.indices { columns[column].isHidden = false }
    filterChanged()
  }

  package mutating func widenColumn(by cells: Int) {
    guard let column = selectedColumnIndex else { return }
    columns[column].width = Swift.min(Swift.max(3, columns[column].width + cells), 200)
  }

  // MARK: Export

  /// A table with only the selected row; `nil` if there is no row.
  func selectedRow() -> ResponseTable? {
    guard list.selected < count else { return nil }
    var table = self
    table.order = [item(ofRow: list.selected)]
    table.isSingleRow = true
    return table
  }

  /// Returns the cell texts of a row in the visible columns.
  package func shownCells(ofRow row: Int) -> [String] {
    shownColumns.map { Self.text(of: value(row: row, column: $0)) }
  }

  /// Complete items in display order.
  package var wholeItems: [VisibleJSON] {
    let hidden = Self.hiddenInNodes(of: items)
    return (0..<count).compactMap {
      items.value[item(ofRow: $0)].map { VisibleJSON(Self.node(of: $0), without: hidden) }
    }
  }
}
