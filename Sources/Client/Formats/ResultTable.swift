import ApusJSON

/// A list of objects in a result as a table of text: a column for each leaf field, a row for each object.
package struct ResultTable: Sendable, Hashable {
  package let columns: [String]
  package let rows: [[String]]

  /// The first list of objects there is; nil when the value holds none.
  package init?(firstListIn value: JSONValue) {
    guard let list = Self.firstList(in: value) else { return nil }
    self.init(objects: list.elements)
  }

  /// A list's items; of a connection's edges, their nodes.
  package init(itemsOf list: JSONValue) {
    self.init(objects: list.elements.map(Self.row(of:)))
  }

  /// What a list's item is in a table: an edge stands for its node.
  package static func row(of item: JSONValue) -> JSONValue {
    if let node = item["node"], node.kind == .object { return node }
    return item.kind == .object ? item : .object([("value", item)])
  }

  private init(objects: some Sequence<JSONValue>) {
    var columns = ColumnSet()
    var flattened: [[Int: String]] = []
    for object in objects {
      var row: [Int: String] = [:]
      Self.flatten(object, prefix: "", into: &row, columns: &columns)
      flattened.append(row)
    }
    self.columns = columns.names
    rows = flattened.map { row in columns.names.indices.map { row[$0] ?? "" } }
  }

  /// The columns in the order in which they were met.
  private struct ColumnSet {
    private(set) var names: [String] = []
    private var positions: [String: Int] = [:]

    mutating func position(of name: String) -> Int {
      if let known = positions[name] { return known }
      positions[name] = names.count
      names.append(name)
      return names.count - 1
    }
  }

  /// Breadth first, so that an outer list is preferred to those inside its rows.
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

  /// Nested objects give columns such as `node.name`; a list is its JSON text.
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

  /// Lines with the columns under one another, `width` telling how many cells a text takes.
  package func lines(width: (String) -> Int) -> [String] {
    let columns = columns.map(VisibleText.of)
    let rows = rows.map { $0.map(VisibleText.of) }
    let widths = columns.indices.map { column in
      max(width(columns[column]), rows.map { width($0[column]) }.max() ?? 0)
    }
    func line(_ cells: [String]) -> String {
      var text = ""
      for (column, cell) in cells.enumerated() {
        if column > 0 { text += "  " }
        text += cell
        if column + 1 < cells.count { text += String(repeating: " ", count: widths[column] - width(cell)) }
      }
      return text
    }
    return [line(columns), line(widths.map { String(repeating: "─", count: $0) })] + rows.map(line)
  }
}
