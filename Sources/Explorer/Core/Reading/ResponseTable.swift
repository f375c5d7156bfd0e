import ApusJSON

/// A list of the response as a table: a row for each item, of an edge its node, and a column for each leaf field.
package struct ResponseTable: Equatable, Sendable {
  package struct Column: Equatable, Sendable {
    /// The keys that lead to the field, in the node.
    package var keys: [String]
    package var width: Int
    package var isHidden = false

    package var title: String { keys.joined(separator: ".") }
  }

  package enum Format: String, CaseIterable, Equatable, Sendable {
    case csv, json, ndjson

    package var title: String {
      switch self {
      case .csv: "CSV: the columns that are shown"
      case .json: "JSON: the items, whole"
      case .ndjson: "NDJSON: the items, whole, one a line"
      }
    }
  }

  package private(set) var listPath: ResponsePath
  private var items: SharedJSON
  package private(set) var count: Int
  package var columns: [Column] = []
  /// The rows in the order in which they are shown; `nil` is that of the list.
  private var order: [Int]?
  /// Counts the orders that were asked for: the answer to an older question is dropped.
  private var orderVersion = 0
  /// Whether the order is not yet of the items and the sorting as they are.
  private var awaitsOrder = false
  package private(set) var sorting: (column: Int, isDescending: Bool)? {
    get { sortColumn.map { ($0, isDescending) } }
    set { (sortColumn, isDescending) = (newValue?.column, newValue?.isDescending ?? false) }
  }
  private var sortColumn: Int?
  private var isDescending = false
  package var list = ListCursor()
  /// The column that commands are about, among those that are shown.
  package var selectedColumn = 0
  /// The first column in view, among those that are shown.
  package var firstColumn = 0
  /// Items from here on came with the newest page.
  package private(set) var newFrom: Int

  package init?(of data: SharedJSON?, at path: ResponsePath) {
    guard let items = data?.value.value(at: path), items.kind == .array else { return nil }
    listPath = path
    self.items = SharedJSON(items, without: data?.hidden?.beneath(path))
    count = items.count
    newFrom = items.count
    columns = Self.columns(of: self.items)
  }

  /// The first list of objects there is, outermost first.
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

  /// The path of the selected row's item.
  var selectedPath: ResponsePath { ResponsePath(listPath.components + [.index(item(ofRow: list.selected))]) }

  /// Selects the row of the item that a path leads into, if it is of this list.
  mutating func reveal(_ path: ResponsePath) {
    guard path.components.starts(with: listPath.components), path.components.count > listPath.components.count,
      case .index(let item) = path.components[listPath.components.count]
    else { return }
    list.select(row(ofItem: item), count: count)
  }

  /// Takes the list as it is now; what was set up by hand stays, what is new is marked.
  package mutating func update(from data: JSONValue?) {
    guard let items = data?.value(at: listPath), items.kind == .array else { return }
    if items.count > count { newFrom = count }
    if items.count < count { newFrom = items.count }
    self.items = SharedJSON(items, without: self.items.hidden)
    count = items.count
    let known = Set(columns.map(\.keys))
    columns += Self.columns(of: self.items).filter { !known.contains($0.keys) }
    // Until they are sorted in, new items stand at the end.
    if let known = order { order = known.count <= count ? known + Array(known.count..<count) : nil }
    awaitsOrder = sorting != nil
    list.select(list.selected, count: count)
  }

  private static let widest = 40

  /// The leaf fields of the first items and the last, in the order in which they are met.
  private static func columns(of shared: SharedJSON) -> [Column] {
    let items = shared.value
    var columns: [Column] = []
    var places: [[String]: Int] = [:]
    // What is null may be an object elsewhere: its fields are the columns then.
    var nulls: [[String]] = []
    func add(_ value: JSONValue, _ keys: [String], _ hidden: HiddenFields?) {
      switch value.kind {
      case .object where keys.count < 6:
        for (key, member) in value.members where hidden?.names.contains(key) != true {
          add(member, keys + [key], hidden?.children[key])
        }
      case .null:
        if places[keys] == nil, !nulls.contains(keys) { nulls.append(keys) }
      default:
        let width = Swift.min(widest, text(of: value).count)
        if let place = places[keys] {
          columns[place].width = Swift.max(columns[place].width, width)
        } else {
          places[keys] = columns.count
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

  /// What nobody but the explorer asked for in the nodes.
  private static func hiddenInNodes(of items: SharedJSON) -> HiddenFields? {
    items.value[0]?["node"]?.kind == .object ? items.hidden?.children["node"] : items.hidden
  }

  /// What the table is of, fit for a file's name.
  package var name: String {
    let keys = listPath.components.compactMap { if case .key(let key) = $0, key != "edges" { key } else { nil } }
    return keys.isEmpty ? "response" : keys.joined(separator: "-")
  }

  // MARK: Cells

  package var shownColumns: [Int] { columns.indices.filter { !columns[$0].isHidden } }
  package var hiddenCount: Int { columns.count { $0.isHidden } }

  /// Which item of the list a row shows.
  package func item(ofRow row: Int) -> Int { order.map { $0.indices.contains(row) ? $0[row] : row } ?? row }

  /// In which row an item is shown.
  package func row(ofItem item: Int) -> Int { order?.firstIndex(of: item) ?? item }

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

  // MARK: Sorting and columns

  /// Sorts by the selected column, then the other way round, then not at all.
  package mutating func cycleSorting() {
    guard let column = selectedColumnIndex else { return }
    if let sorting, sorting.column == column {
      self.sorting = sorting.isDescending ? nil : (column, true)
    } else {
      sorting = (column, false)
    }
    awaitsOrder = sorting != nil
    if sorting == nil { order = nil }
  }

  /// The order is found beside the loop.
  mutating func orderEffect() -> Effect? {
    guard awaitsOrder else { return nil }
    awaitsOrder = false
    orderVersion += 1
    return .sortTable(self, version: orderVersion)
  }

  mutating func sorted(_ order: [Int], version: Int) {
    guard version == orderVersion, sorting != nil, order.count == count else { return }
    self.order = order
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

  /// The items in the order of the sorting; those that are equal keep that of the list.
  package func sortedItems() -> [Int] {
    guard let (column, isDescending) = sorting else { return Array(0..<count) }
    let keys = items.value.elements.map { item -> SortKey in
      guard let value = value(of: Self.node(of: item), column: column), !value.isNull else { return .nothing }
      return value.double.map { .number($0) } ?? .text(Self.text(of: value))
    }
    // What has no value stands last either way.
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
  }

  package mutating func showAllColumns() {
    for column in columns.indices { columns[column].isHidden = false }
  }

  package mutating func widenColumn(by cells: Int) {
    guard let column = selectedColumnIndex else { return }
    columns[column].width = Swift.min(Swift.max(3, columns[column].width + cells), 200)
  }

  // MARK: Export

  // MARK: For a file

  /// The texts of a row's cells in the columns that are shown.
  package func shownCells(ofRow row: Int) -> [String] {
    shownColumns.map { Self.text(of: value(row: row, column: $0)) }
  }

  /// The items, whole, in the order in which they are shown.
  package var wholeItems: [SharedJSON] {
    let hidden = Self.hiddenInNodes(of: items)
    return (0..<count).compactMap {
      items.value[item(ofRow: $0)].map { SharedJSON(Self.node(of: $0), without: hidden) }
    }
  }
}
