import ApusJSON

/// A list of objects in a result as a table: one column per leaf field, one row per object.
/// `{"birds":[{"name":"Owl","nest":{"eggs":2}}]}` has the columns `name` and `nest.eggs`, and one row.
package struct ResultTable: Sendable, Equatable {
  package let columns: [String]
  private let rows: [Row]

  /// A row without its empty cells, since a list of objects with different types has many columns and few cells in each
  /// row.
  private struct Row: Sendable, Equatable {
    private let cells: [Cell]

    private struct Cell: Sendable, Equatable {
      let column: Int
      let text: String
    }

    init(_ texts: [Int: String]) {
      cells = texts.map { Cell(column: $0.key, text: $0.value) }.sorted { $0.column < $1.column }
    }

    func forEach(_ body: (_ column: Int, _ text: String) -> Void) {
      for cell in cells { body(cell.column, cell.text) }
    }

    /// Returns the text of each column, which is empty if there is no cell.
    func texts(count: Int) -> [String] {
      var texts = [String](repeating: "", count: count)
      forEach { texts[$0] = $1 }
      return texts
    }
  }

  /// Creates a table of the first list of objects. A value without a list becomes one row. Returns `nil` if there are
  /// no fields.
  package init?(firstListIn value: JSONValue) {
    if let list = Self.firstList(in: value) {
      self.init(objects: list.elements)
      return
    }
    var object = value
    // Skip objects with a single member, so that column names have no common prefix.
    while object.count == 1, let only = object.members.map(\.value).first, only.kind == .object { object = only }
    guard object.kind == .object, object.count > 0 else { return nil }
    self.init(objects: Self.isEmptyList(object) ? [] : [object])
  }

  /// Returns whether the object contains only an empty list or connection, which results in no rows.
  private static func isEmptyList(_ object: JSONValue) -> Bool {
    object.members.contains { key, value in
      value.kind == .array && value.count == 0 && (object.count == 1 || key == "edges" || key == "nodes")
    }
  }

  /// Creates a table of a list's items, with the columns of `init(firstListIn:)`. Items that are not objects are in a
  /// column `value`.
  package init(itemsOf list: JSONValue) {
    self.init(objects: list.elements.map { $0.kind == .object ? $0 : .object([("value", $0)]) })
  }

  /// Returns the object that represents a list item in a table. For an edge, this is its node.
  package static func row(of item: JSONValue) -> JSONValue {
    if let node = item["node"], node.kind == .object { return node }
    return item.kind == .object ? item : .object([("value", item)])
  }

  private init(objects: some Sequence<JSONValue>) {
    var columns = ColumnSet()
    rows = objects.map { object in
      var row: [Int: String] = [:]
      Self.flatten(object, prefix: "", into: &row, columns: &columns)
      return Row(row)
    }
    self.columns = columns.names
  }

  /// Column names, then the text of each row. Computed lazily, because sparse rows can be much larger than the
  /// result.
  var lines: some Sequence<[String]> {
    (-1..<rows.count).lazy.map { $0 < 0 ? columns : rows[$0].texts(count: columns.count) }
  }

  /// The columns in the order of their first occurrence.
  private struct ColumnSet {
    private(set) var names: [String] = []
    private var positions: [String: Int] = [:]

    mutating func position(of name: String) -> Int {
      if let position = positions[name] { return position }
      positions[name] = names.count
      names.append(name)
      return names.count - 1
    }
  }

  /// Returns the first list in breadth-first order, so that an outer list is preferred to lists inside its rows.
  private static func firstList(in value: JSONValue) -> JSONValue? {
    var level = [value]
    while !level.isEmpty {
      var next: [JSONValue] = []
      for value in level {
        if value.kind == .array {
          if value.elements.contains(where: { $0.kind == .object }) { return value }
        } else {
          next += value.members.map(\.value)
        }
      }
      level = next
    }
    return nil
  }

  /// Adds the cells of an object. Nested objects result in columns such as `node.name`, and a list in its JSON text.
  private static func flatten(
    _ value: JSONValue, prefix: String, into row: inout [Int: String], columns: inout ColumnSet
  ) {
    for (key, member) in value.members {
      let name = prefix.isEmpty ? key : "\(prefix).\(key)"
      if member.kind == .object {
        flatten(member, prefix: name, into: &row, columns: &columns)
      } else {
        row[columns.position(of: name)] = member.isNull ? "" : member.string ?? member.description
      }
    }
  }

  /// Returns lines with aligned columns. `width` returns the number of terminal cells that a string occupies.
  package func aligned(width: @escaping (String) -> Int) -> some Sequence<String> {
    var widths = columns.map { width(TerminalSafeText.of($0)) }
    for row in rows {
      row.forEach { widths[$0] = max(widths[$0], width(TerminalSafeText.of($1))) }
    }
    let rule = widths.map { String(repeating: "─", count: $0) }
    return (-2..<rows.count).lazy.map { [widths] index in
      let cells =
        switch index {
        case -2: columns
        case -1: rule
        default: rows[index].texts(count: columns.count)
        }
      var text = ""
      for (column, cell) in cells.enumerated() {
        let cell = TerminalSafeText.of(cell)
        if column > 0 { text += "  " }
        text += cell
        if column + 1 < cells.count { text += String(repeating: " ", count: widths[column] - width(cell)) }
      }
      return text + "\n"
    }
  }
}
