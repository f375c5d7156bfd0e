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
}

extension ResponsePath {
  /// A path beneath one place as one beneath another; other paths stay as they are.
  package func moved(from old: ResponsePath, to new: ResponsePath) -> ResponsePath {
    guard components.starts(with: old.components) else { return self }
    return ResponsePath(new.components + components.dropFirst(old.components.count))
  }
}
