import ApusClientAPI
import ApusJSON

/// A page: its query and its latest result. It is a class so that copying thousands of pages is cheap.
public final class Page<Query: QueryOperation>: Sendable {
  /// The query of the page.
  public let query: Query
  /// The latest result. It changes when deferred fragments arrive and when the cache changes.
  public let result: GraphQLResult<Query.Data>
  /// The page with all of its items, if this one lacks those that an earlier page has.
  private let whole: Page?

  /// Creates a page from a query and its result, for a pager that starts with it.
  public init(query: Query, result: GraphQLResult<Query.Data>) {
    self.query = query
    self.result = result
    whole = nil
  }

  /// Creates a page that lacks some items of another one.
  init(_ whole: Page, without result: GraphQLResult<Query.Data>) {
    query = whole.query
    self.result = result
    self.whole = whole
  }

  /// The page with all items of its response.
  package var loaded: Page { whole ?? self }

  /// Variables of the query.
  public var variables: JSONValue { query.variables }
  /// The data of the latest result; `nil` if it has none.
  public var data: Query.Data? { result.data }
  /// Errors of the latest result.
  public var errors: [GraphQLError] { result.errors }

  package var key: PageKey { PageKey(query) }

  var json: JSONValue? { result.json ?? (data as? JSONValue) ?? (data as? any SelectionSet)?.__data.json }
}

/// The identity of a page: its variables, and its document, in which arguments may be literals.
package struct PageKey: Sendable, Hashable {
  private let documentText: String
  private let variables: JSONValue

  package init(_ query: some GraphQLOperation) {
    documentText = query.compiled.documentText
    variables = query.variables
  }
}

/// The page at one end of a pager.
public enum BoundaryPage<InitialQuery: QueryOperation, PaginatedQuery: QueryOperation>: Sendable {
  /// The initial page, if it is the only one in this direction.
  case first(Page<InitialQuery>)
  /// One of the other pages.
  case other(Page<PaginatedQuery>)

  /// Variables of the page's query.
  public var variables: JSONValue {
    switch self {
    case .first(let page): page.variables
    case .other(let page): page.variables
    }
  }

  /// Returns the result of the closure for the page's type, or `nil` if the page has no data.
  ///
  /// - Throws: The error of `first` or `other`.
  public func map<Result>(
    first: (InitialQuery.Data) throws -> Result?, other: (PaginatedQuery.Data) throws -> Result?
  ) rethrows -> Result? {
    switch self {
    case .first(let page): try page.data.flatMap(first)
    case .other(let page): try page.data.flatMap(other)
    }
  }
}

extension BoundaryPage where InitialQuery == PaginatedQuery {
  /// The page.
  public var page: Page<InitialQuery> {
    switch self {
    case .first(let page): page
    case .other(let page): page
    }
  }
}
