import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusClientRequestChain

/// A source of a pager's results, such as a `GraphQLClient`.
public protocol PageSource: Sendable {
  /// The cache whose changes update pages; `nil` if there is none.
  var store: CacheStore? { get }

  /// Executes a query. The stream ends when the request is complete. Ending its iteration cancels the request.
  func results<Query: QueryOperation>(
    of query: Query, options: RequestOptions
  ) -> AsyncThrowingStream<GraphQLResult<Query.Data>, any Error>
}

extension GraphQLClient: PageSource {
  public func results<Query: QueryOperation>(
    of query: Query, options: RequestOptions
  ) -> AsyncThrowingStream<GraphQLResult<Query.Data>, any Error> {
    fetch(query: query, options: options)
  }
}
