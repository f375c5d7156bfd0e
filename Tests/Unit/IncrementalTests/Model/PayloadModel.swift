import ApusJSON

/// A model of the tables in `Docs/Development/PayloadsOfOneResponse.md`: dictionaries and lists, without code of the
/// merger.
enum PayloadModel {
  /// A value of the response. `isOther` marks a value that replaced another one, and a list element without a pair.
  struct Cell: Equatable, Sendable {
    indirect enum Content: Equatable, Sendable {
      case null
      case leaf(String)
      case list([Cell])
      case object([String: Cell])
    }

    var content: Content
    var isOther = false

    static let null = Cell(content: .null)

    subscript(key: String) -> Cell? { if case .object(let fields) = content { fields[key] } else { nil } }

    var asOther: Cell { Cell(content: content, isOther: true) }

    var json: JSONValue {
      switch content {
      case .null: .null
      case .leaf(let text): (try? JSONValue(parsing: text)) ?? .null
      case .list(let cells): .array(cells.map(\.json))
      case .object(let fields): .object(fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) })
      }
    }
  }

  /// The selected fields of an object. A leaf has no shape.
  final class Shape: Sendable {
    let fields: [String: Shape]

    init(_ fields: [String: Shape] = [:]) { self.fields = fields }
  }

  /// The fields that the fragments which arrived select.
  struct Selection: Sendable {
    var fields: [String: Selection] = [:]

    mutating func add(_ other: Selection) {
      for (key, value) in other.fields { fields[key, default: Selection()].add(value) }
    }
  }

  private static let keyNames = ["id"]

  // MARK: - Merging

  static func merge(_ old: Cell, _ new: Cell, _ shape: Shape?, areElements: Bool = false) -> Cell {
    if new.content == .null { return old }
    guard let shape else { return new }
    switch (old.content, new.content) {
    case (.object(let older), .object(let newer)):
      return differ(older, newer, shape, areElements)
        ? new.asOther : Cell(content: .object(merge(older, newer, shape)), isOther: old.isOther)
    case (.list(let older), .list(let newer)):
      return Cell(content: .list(merge(older, newer, shape)), isOther: old.isOther)
    default: return new.asOther
    }
  }

  static func merge(_ older: [String: Cell], _ newer: [String: Cell], _ shape: Shape) -> [String: Cell] {
    var merged = older
    for (key, new) in newer { merged[key] = older[key].map { merge($0, new, inner(key, shape)) } ?? new }
    return merged
  }

  private static func inner(_ key: String, _ shape: Shape) -> Shape? {
    shape.fields[key].flatMap { $0.fields.isEmpty ? nil : $0 }
  }

  private static func differ(
    _ older: [String: Cell], _ newer: [String: Cell], _ shape: Shape, _ areElements: Bool
  ) -> Bool {
    for (key, old) in older {
      guard let new = newer[key], old.content != .null, new.content != .null else { continue }
      if let inner = inner(key, shape) {
        if keys(old, inner).contains(where: { name, value in keys(new, inner)[name].map { $0 != value } ?? false }) {
          return true
        }
      } else if key == "__typename" || keyNames.contains(key) || areElements, old.content != new.content {
        return true
      }
    }
    return false
  }

  private static func keys(_ cell: Cell, _ shape: Shape) -> [String: Cell.Content] {
    guard case .object(let fields) = cell.content else { return [:] }
    return fields.filter { keyNames.contains($0.key) && $0.value.content != .null }.mapValues(\.content)
  }

  // MARK: - Lists

  private static func merge(_ older: [Cell], _ newer: [Cell], _ shape: Shape) -> [Cell] {
    var pairs: [Int: (old: Int, isByIndex: Bool)] = [:]
    var free = Set(older.indices)
    func pair(_ index: Int, _ old: Int?, isByIndex: Bool) {
      guard let old else { return }
      pairs[index] = (old, isByIndex)
      free.remove(old)
    }
    for index in newer.indices {
      let key = keys(newer[index], shape)
      pair(index, free.sorted().first { !key.isEmpty && keys(older[$0], shape) == key }, isByIndex: false)
    }
    let known = { (cells: [Cell]) in Set(cells.flatMap { innerKeys($0, shape).keys }) }
    let shared = known(free.map { older[$0] })
      .intersection(known(newer.indices.filter { pairs[$0] == nil }.map { newer[$0] }))
    let common = { (cell: Cell) in innerKeys(cell, shape).filter { shared.contains($0.key) } }
    for index in newer.indices where pairs[index] == nil {
      let key = common(newer[index])
      pair(index, free.sorted().first { !key.isEmpty && common(older[$0]) == key }, isByIndex: false)
    }
    for index in newer.indices where pairs[index] == nil && free.contains(index) {
      pair(index, index, isByIndex: true)
    }
    return newer.indices.map { index in
      guard let (old, isByIndex) = pairs[index] else { return newer[index].asOther }
      return merge(older[old], newer[index], shape, areElements: isByIndex)
    }
  }

  private static func innerKeys(_ cell: Cell, _ shape: Shape) -> [String: [String: Cell.Content]] {
    guard case .object(let fields) = cell.content else { return [:] }
    var found: [String: [String: Cell.Content]] = [:]
    for (key, value) in fields {
      if let inner = inner(key, shape), !keys(value, inner).isEmpty { found[key] = keys(value, inner) }
    }
    return found
  }

  // MARK: - Missing fields

  /// Returns the paths of asOther values that lack a selected field, outermost first.
  static func conflicts(in cell: Cell, _ selection: Selection, at path: [PathComponent] = []) -> Set<ResponsePath> {
    if cell.isOther, lacks(cell, selection) { return [ResponsePath(path)] }
    switch cell.content {
    case .null, .leaf: return []
    case .list(let cells):
      return cells.enumerated().reduce(into: []) {
        $0.formUnion(conflicts(in: $1.1, selection, at: path + [.index($1.0)]))
      }
    case .object(let fields):
      return fields.reduce(into: []) { paths, field in
        let inner = selection.fields[field.key] ?? Selection()
        paths.formUnion(conflicts(in: field.value, inner, at: path + [.key(field.key)]))
      }
    }
  }

  private static func lacks(_ cell: Cell, _ selection: Selection) -> Bool {
    switch cell.content {
    case .null, .leaf: false
    case .list(let cells): cells.contains { lacks($0, selection) }
    case .object(let fields): selection.fields.contains { key, inner in fields[key].map { lacks($0, inner) } ?? true }
    }
  }
}
