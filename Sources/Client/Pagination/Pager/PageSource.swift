import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusClientRequestChain

/// Where a pager's pages come from: a `GraphQLClient`, or whatever else can run a query.
public protocol PageSource: Sendable {
  /// The cache whose changes republish pages; `nil` where there is none.
  var store: CacheStore? { get }

  /// Runs a query. The stream ends when the request is fulfilled; ending its iteration cancels the request.
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
