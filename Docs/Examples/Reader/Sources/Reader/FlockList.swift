import ReaderAPI

/// The list of birds, page by page.
///
/// The pager stores the pages and the next cursor. Its pages follow the cache: a renamed bird has its new name here too.
struct FlockList: Sendable {
  private let pager: GraphQLQueryPager<FlockQuery, FlockQuery>

  init(_ session: Session) {
    pager = GraphQLQueryPager(
      client: session.client, query: FlockQuery(),
      pageInfo: { data in
        ConnectionPageInfo(hasNextPage: data.birds.pageInfo.hasNextPage, endCursor: data.birds.pageInfo.endCursor)
      },
      after: { cursor in FlockQuery(after: .some(cursor.text)) },
      options: Session.options(.networkFirst))
  }

  /// Loads the first page from the server, or from the cache if the server cannot be reached.
  func open(on screen: Screen) async throws {
    try await pager.actor.fetch(cachePolicy: .networkFirst)
    show(on: screen)
  }

  /// Loads the next page and shows it.
  func loadMore(on screen: Screen) async throws {
    let count = birds.count
    do {
      try await pager.actor.loadNext(cachePolicy: .networkFirst)
    } catch PagerError.noMoreContent(let end) {
      screen.show(end.explanation)
      return
    }
    show(from: count, on: screen)
  }

  /// Shows the loaded birds.
  func show(on screen: Screen) { show(from: 0, on: screen) }

  /// Returns the id of a bird by its number, from 1.
  func bird(_ number: Int) throws(NoSuchBird) -> String {
    let birds = birds
    guard birds.indices.contains(number - 1) else { throw NoSuchBird(number: number, count: birds.count) }
    return birds[number - 1].id
  }

  private var birds: [BirdLine] {
    pager.output.pages.flatMap { page in page.data?.birds.edges.map(\.node.fragments.birdLine) ?? [] }
  }

  private func show(from start: Int, on screen: Screen) {
    let birds = birds
    for (index, bird) in birds.enumerated().dropFirst(start) {
      screen.show("\(Screen.number(index + 1)) \(bird.name), \(bird.species.commonName)")
    }
    let output = pager.output
    let total = output.initialPage?.data?.birds.totalCount ?? birds.count
    let more = output.canLoadNext ? "; more brings the next page" : ""
    let isOffline = output.pages.contains { $0.result.source == .cache }
    screen.show("   \(birds.count) of \(total) birds\(isOffline ? ", as they were read before" : "")\(more)")
  }
}

/// The error for a number that no bird of the list has.
struct NoSuchBird: Error, CustomStringConvertible {
  let number: Int
  let count: Int

  var description: String { "there is no bird \(number): the list goes from 1 to \(count)" }
}
