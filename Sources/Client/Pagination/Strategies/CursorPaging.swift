import ApusClientAPI
import ApusJSON

/// Where a page begins, as the server said: text for most servers, and passed back as it came for all.
public struct PageCursor: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The cursor as the server sent it.
  public let json: JSONValue

  /// A cursor of any JSON, a number say.
  public init(_ json: JSONValue) { self.json = json }
  /// A cursor of text, as most servers give it; it means nothing to the client.
  public init(_ text: String) { json = JSONValue(text) }
  public init(stringLiteral text: String) { json = JSONValue(text) }

  /// The cursor's text; a number's is its digits.
  public var text: String { json.string ?? json.description }
  public var description: String { text }

  /// Nothing can be asked for with it.
  var isEmpty: Bool { json.isNull || json.string == "" }
}

/// A connection's page info, as far as it was selected (Relay's "GraphQL Cursor Connections", section 4).
public struct ConnectionPageInfo: Sendable, Hashable {
  /// `nil` where it was not selected: then there is no way forward.
  public var hasNextPage: Bool?
  /// Where the next page begins; `nil` where it was not selected, or the connection is empty.
  public var endCursor: PageCursor?
  /// `nil` where it was not selected: then there is no way back.
  public var hasPreviousPage: Bool?
  /// Where the previous page ends; `nil` where it was not selected, or the connection is empty.
  public var startCursor: PageCursor?

  /// Page info by its fields; `nil` stands for what was not selected.
  public init(
    hasNextPage: Bool? = nil, endCursor: String? = nil, hasPreviousPage: Bool? = nil, startCursor: String? = nil
  ) {
    self.hasNextPage = hasNextPage
    self.endCursor = endCursor.map { PageCursor($0) }
    self.hasPreviousPage = hasPreviousPage
    self.startCursor = startCursor.map { PageCursor($0) }
  }

  /// Reads the object of a result; `nil` for what is none.
  public init?(json: JSONValue?) {
    guard let json, json.kind == .object else { return nil }
    hasNextPage = json["hasNextPage"]?.bool
    endCursor = json["endCursor"].map(PageCursor.init)
    hasPreviousPage = json["hasPreviousPage"]?.bool
    startCursor = json["startCursor"].map(PageCursor.init)
  }

  /// Where the next or the previous page begins.
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
    case end(PagingEnd)
  }
}

extension PagingStrategy {
  /// Reads the page info of either kind of page; `nil` where the result has none.
  public typealias PageInfoReader = @Sendable (_ edge: Edge) -> ConnectionPageInfo?
  /// The query for the page behind (or before) a cursor; `nil` where there is none.
  public typealias CursorQuery = @Sendable (_ cursor: PageCursor) -> PaginatedQuery?

  /// Forward: `after` makes the query for the page that begins behind a cursor.
  public static func cursorForward(
    pageInfo: @escaping PageInfoReader, after: @escaping CursorQuery
  ) -> PagingStrategy {
    PagingStrategy(next: step(.next, pageInfo, after))
  }

  /// Backward: `before` makes the query for the page that ends before a cursor.
  public static func cursorReverse(
    pageInfo: @escaping PageInfoReader, before: @escaping CursorQuery
  ) -> PagingStrategy {
    PagingStrategy(previous: step(.previous, pageInfo, before))
  }

  /// Both ways.
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
