import ApusClientAPI
import ApusJSON

/// A list in a result whose other pages can be asked for: a connection, or a list by offset or page number.
public enum PageableList: Sendable, Hashable {
  /// A connection with page info (Relay's "GraphQL Cursor Connections").
  case connection(Connection)
  /// A list by offset or page number.
  case offset(OffsetList)

  /// Where the field with the arguments is in the result.
  public var path: ResponsePath {
    switch self {
    case .connection(let connection): connection.path
    case .offset(let list): list.path
    }
  }

  /// Where the items are in the result; twice where a connection's `edges` and `nodes` are both selected.
  public var listPaths: [ResponsePath] {
    switch self {
    case .connection(let connection): connection.listPaths
    case .offset(let list): [list.listPath]
    }
  }

  /// How many items the result has.
  public var itemCount: Int {
    switch self {
    case .connection(let connection): connection.itemCount
    case .offset(let list): list.itemCount
    }
  }

  /// How many items there are in all, where the server tells.
  public var totalCount: Int? {
    switch self {
    case .connection(let connection): connection.totalCount
    case .offset(let list): list.totalCount
    }
  }

  /// Whether the next page can be asked for.
  public var canLoadNext: Bool {
    switch self {
    case .connection(let connection): connection.canLoadNext
    case .offset(let list): list.canLoadNext
    }
  }

  /// Whether the previous page can be asked for.
  public var canLoadPrevious: Bool {
    switch self {
    case .connection(let connection): connection.canLoadPrevious
    case .offset(let list): list.canLoadPrevious
    }
  }

  /// Whether the operation gives a connection no cursor, neither by a variable nor by a literal.
  package var lacksCursor: Bool {
    guard case .connection(let connection) = self else { return false }
    return connection.bindings["after"] == nil && connection.bindings["before"] == nil
  }

  /// The same list where it stands in data that was put together from several pages.
  package func moved(to path: ResponsePath) -> PageableList {
    switch self {
    case .connection(var connection):
      connection.path = path
      return .connection(connection)
    case .offset(var list):
      list.listPath = list.listPath.moved(from: list.path, to: path)
      list.path = path
      return .offset(list)
    }
  }

  /// How the list's pages are found: by variable, or by rewriting the arguments in the operation.
  public var strategy: DynamicPagingStrategy {
    DynamicPagingStrategy(next: { step(.next, from: $0.page) }, previous: { step(.previous, from: $0.page) })
  }

  private func step(_ direction: PagingDirection, from page: Page<DynamicOperation>) -> DynamicPagingStrategy.Step {
    switch self {
    case .connection(let connection): connection.step(direction, from: page)
    case .offset(let list): list.step(direction, from: page)
    }
  }

  /// The data with another page's items behind (or before) its own.
  ///
  /// Where what is in front of a page has become more since the one before was asked for, the page begins with that one's last
  /// items: these are left out. What comes twice otherwise stays. Going forward it costs the page, not the data.
  public func merge(_ next: JSONValue, into data: JSONValue, _ direction: PagingDirection = .next) -> JSONValue {
    var merged = data
    for path in listPaths {
      guard let items = next.value(at: path), items.kind == .array, let old = merged.value(at: path),
        old.kind == .array || old.isNull
      else { continue }
      // A page without its list came first.
      if old.isNull {
        if let changed = try? merged.replacing(at: path, with: items) { merged = changed }
        continue
      }
      let new = new(items, beside: old, direction)
      let changed =
        direction == .next
        ? try? merged.appending(new, at: path)
        : try? merged.replacing(at: path, with: .array(new + old.elements))
      if let changed { merged = changed }
    }
    if case .connection(let connection) = self { merged = connection.mergePageInfo(next, into: merged, direction) }
    return merged
  }

  /// No more than this can have been added between two pages for one to be told from the other by.
  private static let longestSeam = 500

  /// The items without those at the seam of the two pages that both have: as many as stand there in the same order.
  private func new(_ items: JSONValue, beside old: JSONValue, _ direction: PagingDirection) -> [JSONValue] {
    let new = items.elements.map { $0 }
    let longest = Swift.min(new.count, old.count, Self.longestSeam)
    let count = stride(from: longest, to: 0, by: -1).first { count in
      (0..<count).allSatisfy { offset in
        direction == .next
          ? isSame(new[offset], old[old.count - count + offset]) : isSame(new[new.count - count + offset], old[offset])
      }
    }
    return direction == .next ? Array(new.dropFirst(count ?? 0)) : new.dropLast(count ?? 0)
  }

  /// Whether two items are one: an edge by its cursor, another item of a list by offset by what it is known by. A connection's
  /// pages follow one another, whatever is added in front.
  private func isSame(_ item: JSONValue?, _ other: JSONValue?) -> Bool {
    guard let item, let other, let identity = Self.identity(item), identity == Self.identity(other) else {
      return false
    }
    if let cursor = item["cursor"], item["node"] != nil { return cursor == other["cursor"] }
    if case .connection = self { return false }
    return true
  }

  /// What an item is known by: its node's type and id.
  package static func identity(_ item: JSONValue) -> JSONValue? {
    let node = item["node"] ?? item
    guard node.kind == .object, let id = node["id"] ?? node["nodeId"] ?? node["_id"], !id.isNull else { return nil }
    return .array([node["__typename"] ?? .null, id])
  }
}

extension ResponsePath {
  /// A path beneath one place as one beneath another; other paths stay as they are.
  package func moved(from old: ResponsePath, to new: ResponsePath) -> ResponsePath {
    guard components.starts(with: old.components) else { return self }
    return ResponsePath(new.components + components.dropFirst(old.components.count))
  }
}
