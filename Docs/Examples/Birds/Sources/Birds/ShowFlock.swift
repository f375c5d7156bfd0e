import BirdsAPI

/// Loads all pages of a generated query.
func showFlock(at url: String) async throws {
  let pager = GraphQLQueryPager(
    client: GraphQLClient(url: url, store: CacheStore()), query: FlockQuery(),
    pageInfo: { .init(hasNextPage: $0.birds.pageInfo.hasNextPage, endCursor: $0.birds.pageInfo.endCursor) },
    after: { FlockQuery(after: .some($0.text)) })
  try await pager.actor.loadAll()
  let output = pager.output
  let names = output.pages.flatMap { $0.data?.birds.edges.map(\.node.name) ?? [] }
  print("\(names.count) of \(output.initialPage?.data?.birds.totalCount ?? 0) birds on \(output.pageCount) pages")
}
