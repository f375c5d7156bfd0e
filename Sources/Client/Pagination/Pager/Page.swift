import ApusClientAPI
import ApusJSON

/// One page that was asked for and what came: a reference, so that ten thousand of them are cheap to hand around.
public final class Page<Query: QueryOperation>: Sendable {
  /// What was asked.
  public let query: Query
  /// The newest result: more may come while fragments are deferred, and the cache may change under it.
  public let result: GraphQLResult<Query.Data>

  /// A page from what was asked and what came, for pagers that begin with one.
  public init(query: Query, result: GraphQLResult<Query.Data>) {
    self.query = query
    self.result = result
  }

  /// What a page counts by: pages are told apart by their variables.
  public var variables: JSONValue { query.variables }
  /// The data of the newest result; `nil` where it has none.
  public var data: Query.Data? { result.data }
  /// The errors of the newest result.
  public var errors: [GraphQLError] { result.errors }

  package var key: PageKey { PageKey(query) }
}

/// What tells two pages apart: the variables, and the text where an argument is written into it.
package struct PageKey: Sendable, Hashable {
  private let documentText: String
  private let variables: JSONValue

  package init(_ query: some GraphQLOperation) {
    documentText = query.compiled.documentText
    variables = query.variables
  }
}

/// The page at one end of a pager: the first one as long as it is alone, else one of the others.
public enum EdgePage<InitialQuery: QueryOperation, PaginatedQuery: QueryOperation>: Sendable {
  /// The first page, alone.
  case first(Page<InitialQuery>)
  /// One of the pages around it.
  case other(Page<PaginatedQuery>)

  /// The variables that the page was asked for with.
  public var variables: JSONValue {
    switch self {
    case .first(let page): page.variables
    case .other(let page): page.variables
    }
  }

  /// The same look at either kind of page.
  ///
  /// - Throws: What `first` or `other` throws.
  public func map<Result>(
    first: (InitialQuery.Data) throws -> Result?, other: (PaginatedQuery.Data) throws -> Result?
  ) rethrows -> Result? {
    switch self {
    case .first(let page): try page.data.flatMap(first)
    case .other(let page): try page.data.flatMap(other)
    }
  }
}

extension EdgePage where InitialQuery == PaginatedQuery {
  /// The page, whichever it is.
  public var page: Page<InitialQuery> {
    switch self {
    case .first(let page): page
    case .other(let page): page
    }
  }
}
