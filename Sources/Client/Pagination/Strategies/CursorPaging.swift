import ApusClientAPI
import ApusJSON

/// An opaque cursor of a page boundary, such as `"item:10"` or `10`. It is sent back to the server unchanged, whatever
/// its JSON type.
public struct PageCursor: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The cursor as the server sent it.
  public let json: JSONValue

  /// Creates a cursor from any JSON value, such as a number.
  public init(_ json: JSONValue) { self.json = json }
  /// Creates a cursor from a string, the usual type.
  public init(_ text: String) { json = JSONValue(text) }
  public init(stringLiteral text: String) { json = JSONValue(text) }

  /// The cursor as text: for a number, its digits.
  public var text: String { json.string ?? json.description }
  public var description: String { text }

  /// Whether the cursor is null or empty, so that it cannot be used in a request.
  var isEmpty: Bool { json.isNull || json.string == "" }
}

/// The selected fields of a connection's page info (GraphQL Cursor Connections Specification, section "PageInfo").
public struct ConnectionPageInfo: Sendable, Hashable {
  /// Whether there is a next page; `nil` if the field was not selected, in which case next pages cannot be loaded.
  public var hasNextPage: Bool?
  /// The cursor of the page's last item; `nil` if it was not selected or the connection is empty.
  public var endCursor: PageCursor?
  /// Whether there is a previous page; `nil` if the field was not selected, in which case previous pages cannot be
  /// loaded.
  public var hasPreviousPage: Bool?
  /// The cursor of the page's first item; `nil` if it was not selected or the connection is empty.
  public var startCursor: PageCursor?

  /// Creates page info. `nil` means that the field was not selected.
  public init(
    hasNextPage: Bool? = nil, endCursor: String? = nil, hasPreviousPage: Bool? = nil, startCursor: String? = nil
  ) {
    self.hasNextPage = hasNextPage
    self.endCursor = endCursor.map { PageCursor($0) }
    self.hasPreviousPage = hasPreviousPage
    self.startCursor = startCursor.map { PageCursor($0) }
  }

  /// Creates page info from an object of a result. Returns `nil` if the value is not an object.
  public init?(json: JSONValue?) {
    guard let json, json.kind == .object else { return nil }
    hasNextPage = json["hasNextPage"]?.bool
    endCursor = json["endCursor"].map(PageCursor.init)
    hasPreviousPage = json["hasPreviousPage"]?.bool
    startCursor = json["startCursor"].map(PageCursor.init)
  }

  /// Returns the cursor for the next or previous page, or the reason why there is none.
  func target(_ direction: PagingDirection) -> Target {
    let (hasMore, cursor) =
      direction == .next ? (hasNextPage, endCursor) : (hasPreviousPage, startCursor)
    guard let hasMore else { return .end(.noPageInfo) }
    guard hasMore else { return .end(.lastPage) }
    guard let cursor, !cursor.isEmpty else { return .end(.emptyCursor) }
    return .cursor(cursor)
  }

  enum Target {
    case cursor(PageCursor)
    case end(PagingStopReason)
  }
}

extension PagingStrategy {
  /// Returns the page info of a page, or `nil` if its result has none.
  public typealias PageInfoReader = @Sendable (_ edge: Edge) -> ConnectionPageInfo?
  /// Returns the query of the page after (or before) a cursor, or `nil` if there is none.
  public typealias CursorQuery = @Sendable (_ cursor: PageCursor) -> PaginatedQuery?

  /// Returns a strategy that loads next pages. `after` returns the query of the page after a cursor.
  public static func cursorForward(
    pageInfo: @escaping PageInfoReader, after: @escaping CursorQuery
  ) -> PagingStrategy {
    PagingStrategy(next: step(.next, pageInfo, after))
  }

  /// Returns a strategy that loads previous pages. `before` returns the query of the page before a cursor.
  public static func cursorReverse(
    pageInfo: @escaping PageInfoReader, before: @escaping CursorQuery
  ) -> PagingStrategy {
    PagingStrategy(previous: step(.previous, pageInfo, before))
  }

  /// Returns a strategy for both directions.
  public static func cursorBoth(
    pageInfo: @escaping PageInfoReader, after: @escaping CursorQuery, before: @escaping CursorQuery
  ) -> PagingStrategy {
    PagingStrategy(next: step(.next, pageInfo, after), previous: step(.previous, pageInfo, before))
  }

  private static func step(
    _ direction: PagingDirection, _ pageInfo: @escaping PageInfoReader, _ query: @escaping CursorQuery
  ) -> @Sendable (Edge) -> Step {
    { edge in
      switch pageInfo(edge)?.target(direction) {
      case nil: .end(.noPageInfo)
      case .end(let end): .end(end)
      case .cursor(let cursor): Step(query(cursor))
      }
    }
  }
}
