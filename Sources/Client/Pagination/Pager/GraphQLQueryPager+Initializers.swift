import ApusClientAPI
import ApusClientRequestChain
import ApusJSON

extension GraphQLQueryPager {
  /// Creates a pager with different queries for the initial page and the other pages.
  public convenience init(
    client: any PageSource, initialQuery: InitialQuery, strategy: PagingStrategy<InitialQuery, PaginatedQuery>,
    options: RequestOptions = .init()
  ) {
    self.init(actor: Actor(source: client, initialQuery: initialQuery, strategy: strategy, options: options))
  }

  /// Creates a pager with a strategy based on the page info that the queries select. It loads next pages if `after` is given
  /// and `hasNextPage` is selected, and previous pages if `before` is given and `hasPreviousPage` is selected.
  public convenience init(
    client: any PageSource, initialQuery: InitialQuery,
    initialPageInfo: @escaping @Sendable (InitialQuery.Data) -> ConnectionPageInfo?,
    pageInfo: @escaping @Sendable (PaginatedQuery.Data) -> ConnectionPageInfo?,
    after: PagingStrategy<InitialQuery, PaginatedQuery>.CursorQuery? = nil,
    before: PagingStrategy<InitialQuery, PaginatedQuery>.CursorQuery? = nil, options: RequestOptions = .init()
  ) {
    self.init(
      client: client, initialQuery: initialQuery,
      strategy: .connection(
        pageInfo: { $0.map(first: initialPageInfo, other: pageInfo) }, after: after, before: before),
      options: options)
  }
}

extension GraphQLQueryPager where InitialQuery == PaginatedQuery {
  /// Creates a pager with one query for all pages.
  public convenience init(
    client: any PageSource, query: InitialQuery, strategy: PagingStrategy<InitialQuery, InitialQuery>,
    options: RequestOptions = .init()
  ) {
    self.init(client: client, initialQuery: query, strategy: strategy, options: options)
  }

  /// Creates a pager with one query for all pages, and a strategy based on the page info of its connection.
  public convenience init(
    client: any PageSource, query: InitialQuery,
    pageInfo: @escaping @Sendable (InitialQuery.Data) -> ConnectionPageInfo?,
    after: PagingStrategy<InitialQuery, InitialQuery>.CursorQuery? = nil,
    before: PagingStrategy<InitialQuery, InitialQuery>.CursorQuery? = nil, options: RequestOptions = .init()
  ) {
    self.init(
      client: client, initialQuery: query, initialPageInfo: pageInfo, pageInfo: pageInfo, after: after,
      before: before, options: options)
  }
}

extension PagingStrategy {
  /// Returns a strategy for the directions for which there is a query.
  static func connection(
    pageInfo: @escaping PageInfoReader, after: CursorQuery?, before: CursorQuery?
  ) -> PagingStrategy {
    PagingStrategy(
      next: after.flatMap { cursorForward(pageInfo: pageInfo, after: $0).next },
      previous: before.flatMap { cursorReverse(pageInfo: pageInfo, before: $0).previous })
  }
}
