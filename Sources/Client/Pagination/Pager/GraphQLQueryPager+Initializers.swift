import ApusClientAPI
import ApusClientRequestChain
import ApusJSON

extension GraphQLQueryPager {
  /// A pager whose first page is of one query and whose others are of another.
  public convenience init(
    client: any PageSource, initialQuery: InitialQuery, strategy: PagingStrategy<InitialQuery, PaginatedQuery>,
    options: RequestOptions = .init()
  ) {
    self.init(actor: Actor(source: client, initialQuery: initialQuery, strategy: strategy, options: options))
  }

  /// A pager whose strategy follows from the page info that the queries select: forward where `hasNextPage` is there
  /// and `after` makes a query, backward where `hasPreviousPage` is and `before` does.
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
  /// A pager with one query for all pages.
  public convenience init(
    client: any PageSource, query: InitialQuery, strategy: PagingStrategy<InitialQuery, InitialQuery>,
    options: RequestOptions = .init()
  ) {
    self.init(client: client, initialQuery: query, strategy: strategy, options: options)
  }

  /// A pager with one query for all pages, whose strategy follows from its connection's page info.
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
  /// As the page info allows: the ways for which there is a query.
  static func connection(
    pageInfo: @escaping PageInfoReader, after: CursorQuery?, before: CursorQuery?
  ) -> PagingStrategy {
    PagingStrategy(
      next: after.flatMap { cursorForward(pageInfo: pageInfo, after: $0).next },
      previous: before.flatMap { cursorReverse(pageInfo: pageInfo, before: $0).previous })
  }
}
