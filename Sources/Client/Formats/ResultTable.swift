import ApusJSON

/// A list of objects in a result as a table of text: a column for each leaf field, a row for each object.
package struct ResultTable: Sendable, Equatable {
  package let columns: [String]
  private let rows: [Row]

  /// The cells that an object fills, by their columns: objects that are all unlike one another have few each.
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

    /// The text of each column, an empty one where there is no cell.
    func texts(count: Int) -> [String] {
      var texts = [String](repeating: "", count: count)
      forEach { texts[$0] = $1 }
      return texts
    }
  }

  /// The first list of objects there is. A value without one is a table of one row; nil where it has no fields either.
  package init?(firstListIn value: JSONValue) {
    if let list = Self.firstList(in: value) {
      self.init(objects: list.elements)
      return
    }
    var object = value
    // What there is one of needs no name before its columns.
    while object.count == 1, let only = object.members.map(\.value).first, only.kind == .object { object = only }
    guard object.kind == .object, object.count > 0 else { return nil }
    self.init(objects: Self.isEmptyList(object) ? [] : [object])
  }

  /// Whether what there is is a list without items, or a connection without any: no row, not a row that says so.
  private static func isEmptyList(_ object: JSONValue) -> Bool {
    object.members.contains { key, value in
      value.kind == .array && value.count == 0 && (object.count == 1 || key == "edges" || key == "nodes")
    }
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
    rows = objects.map { object in
      var row: [Int: String] = [:]
      Self.flatten(object, prefix: "", into: &row, columns: &columns)
      return Row(row)
    }
    self.columns = columns.names
  }

  /// The columns' names and each object's texts, made as they are asked for: all of them may be far more than the result.
  var lines: some Sequence<[String]> {
    (-1..<rows.count).lazy.map { $0 < 0 ? columns : rows[$0].texts(count: columns.count) }
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

  /// Lines with the columns under one another, `width` telling how many cells of a terminal a text takes.
  package func aligned(width: @escaping (String) -> Int) -> some Sequence<String> {
    var widths = columns.map { width(VisibleText.of($0)) }
    for row in rows {
      row.forEach { widths[$0] = max(widths[$0], width(VisibleText.of($1))) }
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
        let cell = VisibleText.of(cell)
        if column > 0 { text += "  " }
        text += cell
        if column + 1 < cells.count { text += String(repeating: " ", count: widths[column] - width(cell)) }
      }
      return text + "\n"
    }
  }
}
