import ApusClientAPI
import ApusJSON

/// A list in a result whose other pages can be requested.
public enum PageableList: Sendable, Hashable {
  /// A connection with page info, as in the GraphQL Cursor Connections Specification.
  case connection(PageableConnection)
  /// A list with an offset or page number.
  case offset(OffsetList)

  /// The path of the field with the arguments in the result.
  public var path: ResponsePath {
    switch self {
    case .connection(let connection): connection.path
    case .offset(let list): list.path
    }
  }

  /// Paths of the items in the result; two if both `edges` and `nodes` of a connection are selected.
  public var listPaths: [ResponsePath] {
    switch self {
    case .connection(let connection): connection.listPaths
    case .offset(let list): [list.listPath]
    }
  }

  /// The number of items in the result.
  public var itemCount: Int {
    switch self {
    case .connection(let connection): connection.itemCount
    case .offset(let list): list.itemCount
    }
  }

  /// The total number of items, or `nil` if the result does not contain it.
  public var totalCount: Int? {
    switch self {
    case .connection(let connection): connection.totalCount
    case .offset(let list): list.totalCount
    }
  }

  /// Whether the next page can be requested.
  public var canLoadNext: Bool {
    switch self {
    case .connection(let connection): connection.canLoadNext
    case .offset(let list): list.canLoadNext
    }
  }

  /// Whether the previous page can be requested.
  public var canLoadPrevious: Bool {
    switch self {
    case .connection(let connection): connection.canLoadPrevious
    case .offset(let list): list.canLoadPrevious
    }
  }

  /// The direction in which the operation reads the list.
  package var direction: PagingDirection {
    switch self {
    case .connection(let connection): connection.direction
    case .offset: .next
    }
  }

  /// Whether a further page can be requested in the direction of the list.
  package var canContinue: Bool { direction == .next ? canLoadNext : canLoadPrevious }

  /// The reason why the list may be incomplete although its result has no further page; `nil` if it is complete, or if
  /// a page can be requested.
  package var shortfall: PagingStopReason? {
    let end: PagingStopReason?
    switch self {
    case .connection(let connection): end = connection.end
    case .offset(let list): end = list.end
    }
    return end.flatMap { $0.isOrderly || $0 == .noPageInfo ? nil : $0 }
  }

  /// Whether the list is a connection for which the operation specifies neither `after` nor `before`.
  package var lacksCursor: Bool {
    guard case .connection(let connection) = self else { return false }
    return connection.bindings["after"] == nil && connection.bindings["before"] == nil
  }

  /// Returns the list with its path in data that was merged from several pages.
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

  /// The strategy that finds the other pages of the list. It sets variables, or changes arguments in the operation's
  /// text.
  public var strategy: DynamicPagingStrategy {
    let strategy = DynamicPagingStrategy(
      next: { step(.next, from: $0.page) }, previous: { step(.previous, from: $0.page) })
    return switch self {
    case .connection: strategy
    case .offset: strategy.endingAtRepeatedItems()
    }
  }

  private func step(_ direction: PagingDirection, from page: Page<DynamicOperation>) -> DynamicPagingStrategy.Step {
    switch self {
    case .connection(let connection): connection.step(direction, from: page)
    case .offset(let list): list.step(direction, from: page)
    }
  }
}

extension ResponsePath {
  /// Returns a path below `old` as a path below `new`. Other paths do not change.
  package func moved(from old: ResponsePath, to new: ResponsePath) -> ResponsePath {
    guard components.starts(with: old.components) else { return self }
    return ResponsePath(new.components + components.dropFirst(old.components.count))
  }
}
