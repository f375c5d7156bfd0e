import ApusGraphQLExecution
import ApusGraphQLSchema
import ApusJSON

/// A page of a connection, or a part of it (GraphQL Cursor Connections Specification).
struct MockPage: Sendable, Equatable {
  /// The key from which the items are derived.
  let list: String
  let total: Int
  let range: Range<Int>
  /// For an edge, the index of its item in the list.
  var index: Int?

  /// The maximum length of a list, and the default length of a page.
  static let longest = 60
  static let usual = 10

  init(list: String, total: Int, range: Range<Int>, index: Int? = nil) {
    self.list = list
    self.total = total
    self.range = range
    self.index = index
  }

  /// - Throws: An error if a cursor is invalid or a count is negative.
  init(list: String, total: Int, arguments: JSONValue) throws(ExecutionError) {
    var range = 0..<total
    if let after = arguments["after"]?.string {
      let start = try Self.index(of: after, in: total) + 1
      range = min(start, range.upperBound)..<range.upperBound
    }
    if let before = arguments["before"]?.string {
      let end = try Self.index(of: before, in: total)
      range = range.lowerBound..<max(range.lowerBound, min(end, range.upperBound))
    }
    let first = try Self.count("first", arguments)
    if let first { range = range.lowerBound..<min(range.upperBound, range.lowerBound + first) }
    if let last = try Self.count("last", arguments) {
      range = max(range.lowerBound, range.upperBound - last)..<range.upperBound
    } else if first == nil {
      range = range.lowerBound..<min(range.upperBound, range.lowerBound + Self.usual)
    }
    self.init(list: list, total: total, range: range)
  }

  /// Returns the cursor of an item: `item:1` for the first one.
  static func cursor(_ index: Int) -> String { "item:\(index + 1)" }

  private static func index(of cursor: String, in total: Int) throws(ExecutionError) -> Int {
    guard cursor.hasPrefix("item:"), let number = Int(cursor.dropFirst(5)), (1...max(total, 1)).contains(number) else {
      throw ExecutionError("\"\(cursor)\" is not a cursor of this list.")
    }
    return number - 1
  }

  private static func count(_ name: String, _ arguments: JSONValue) throws(ExecutionError) -> Int? {
    guard let count = arguments[name]?.int else { return nil }
    guard count >= 0 else { throw ExecutionError("\"\(name)\" must not be negative.") }
    return count
  }
}

extension TypeDefinition {
  /// Whether the type is a connection: its name says so, and it has page info and edges or nodes.
  var isConnection: Bool {
    kind == .object && name.hasSuffix("Connection") && field(named: "pageInfo") != nil
      && (field(named: "edges") != nil || field(named: "nodes") != nil)
  }
}
