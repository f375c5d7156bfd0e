import ApusClientAPI
import ApusJSON

/// Puts pages at their positions, and finds the pages that begin elsewhere because a refetched page has other items.
///
/// | list | refetched page | fetched again |
/// |---|---|---|
/// | any | its cursor or offset for the page after it differs | the page after it, with the new one |
/// | any | it has an item that it did not have | the page after it |
/// | connection, read backward | its cursor for the page before it differs | the page before it, with the new one |
/// | any | the list ends with it, and it has no errors | nothing; the pages after it are removed |
/// | any | all others | nothing |
extension GraphQLQueryPager.Actor {
  func set(_ page: Page<InitialQuery>) {
    let former = output.initialPage
    output.initialPage = page
    let affected = items.set(page, at: .first)
    if refetcher.lost.contains(.first) { outdateNeighbors(of: .first, gained: page.gains(over: former)) }
    show(affected)
  }

  /// Sets one of the other pages, without the items that earlier pages have.
  func set(_ page: Page<PaginatedQuery>, _ direction: PagingDirection, _ arrival: Int) {
    let position = Position.side(direction, arrival)
    let former = side(direction).arrival(arrival)?.loaded
    store(page, direction, arrival)
    let affected = items.set(page, at: position)
    if refetcher.lost.contains(position) { outdateNeighbors(of: position, gained: page.gains(over: former)) }
    show(affected.union([position]))
  }

  private func store(_ page: Page<PaginatedQuery>, _ direction: PagingDirection, _ arrival: Int) {
    switch direction {
    case .next: output.nextPages.set(arrival: arrival, to: page)
    case .previous: output.previousPages.set(arrival: arrival, to: page)
    }
  }

  /// Determines the shown items of some pages again.
  private func show(_ positions: Set<Position>) {
    for case .side(let direction, let arrival) in positions {
      guard let page = side(direction).arrival(arrival)?.loaded else { continue }
      let position = Position.side(direction, arrival)
      store(
        items.shown(page, at: position, isOutdated: refetcher.outdated.contains(position)), direction, arrival)
    }
  }

  // MARK: Pages that begin elsewhere

  private func outdateNeighbors(of position: Position, gained: Bool) {
    for direction in position.direction.map({ [$0] }) ?? [.next, .previous] {
      // The places of offsets and page numbers count from the beginning of the list, so that earlier pages stay.
      if direction == .previous, strategy.endsAtRepeatedItems { continue }
      guard case .side(_, let arrival) = position.outer(direction), let page = side(direction).arrival(arrival)
      else { continue }
      switch step(direction, arrival) {
      case .page(let query):
        if PageKey(query) != page.key || gained && direction == .next { outdate(position.outer(direction)) }
      case .end: outdate(position.outer(direction))
      case .noQuery, nil: break
      }
    }
    if strategy.endsAtRepeatedItems, gained, position.direction == .previous, let inner = position.inner {
      outdate(inner)
    }
  }

  private func outdate(_ position: Position) {
    guard watch.mayFetch(position) else { return }
    refetcher.markOutdated(position)
    show([position])
  }

  /// Returns the step to a page from the one next to it, or `nil` if it is unknown.
  private func step(_ direction: PagingDirection, _ arrival: Int) -> Strategy.Step? {
    let inner = arrival == 0 ? nil : side(direction).arrival(arrival - 1)
    guard let edge = inner.map({ .other($0.loaded) }) ?? output.initialPage.map({ Strategy.Edge.first($0) }) else {
      return nil
    }
    let step = strategy.nextStep(direction, from: edge)
    switch step {
    case .page(let query):
      let isRepeated = positions[PageKey(query)].map { $0 < .side(direction, arrival) } ?? false
      return isRepeated ? nil : step
    // The list may be missing because of an error. Keep the other pages then.
    case .end(.lastPage), .end(.shortPage): return edge.errors.isEmpty && !edge.lacksList ? step : nil
    case .end, .noQuery, nil: return nil
    }
  }

  /// Returns the query to fetch a page again, or `nil` if the list ends before it by now.
  func queryOfLost(_ direction: PagingDirection, _ arrival: Int) -> PaginatedQuery? {
    guard let page = side(direction).arrival(arrival) else { return nil }
    guard refetcher.outdated.contains(.side(direction, arrival)) else { return page.query }
    switch step(direction, arrival) {
    case .page(let query): return query
    case .noQuery, nil: return page.query
    case .end: return nil
    }
  }

  /// Removes the pages after the end of the list.
  func removePages(_ direction: PagingDirection, from arrival: Int) {
    guard arrival < side(direction).count else { return }
    var affected: Set<Position> = []
    for number in arrival..<side(direction).count {
      let position = Position.side(direction, number)
      affected.formUnion(items.remove(position))
      refetcher.remove(position)
      if let key = side(direction).arrival(number)?.key, positions[key] == position { positions[key] = nil }
      if let retainer = retainers.removeValue(forKey: position), let store = source.store {
        Task { await store.release(retainer) }
      }
    }
    switch direction {
    case .next: output.nextPages.keep(arrival)
    case .previous: output.previousPages.keep(arrival)
    }
    show(affected)
    updateBoundaries()
    publish()
  }
}

extension Page {
  /// Whether the page has an item that an earlier version of it did not have.
  fileprivate func gains(over former: Page?) -> Bool {
    let known = Set(former?.items.map(\.identity) ?? [])
    return items.contains { ($0["node"] ?? $0).isNull == false && !known.contains($0.identity) }
  }
}

extension JSONValue {
  /// The key of an item, or the item itself if it has none.
  fileprivate var identity: JSONValue { itemKey ?? self }
}
