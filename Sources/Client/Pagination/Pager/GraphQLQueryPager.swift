import ApusClientAPI
import ApusClientRequestChain
import ApusJSON

/// Pages through the results of a query, one load at a time: the form for callers that do not wait.
///
/// Every call returns at once; its completion is told when the load is over, with nothing when it went well. `actor` is
/// the same pager for callers that await.
///
/// The first page and the others may be of different queries with different data; with one query for all of them both
/// types are the same.
public final class GraphQLQueryPager<InitialQuery: QueryOperation, PaginatedQuery: QueryOperation>: Sendable {
  /// All pages and the pager's state, at one moment.
  public typealias Output = PagerOutput<InitialQuery, PaginatedQuery>
  /// Told when a load is over: nothing when it went well, or why it did not.
  public typealias Completion = @Sendable (PagerError?) -> Void

  /// The pager itself.
  public let actor: Actor
  private let calls = CallQueue()
  private let launches = PagerLaunches()

  /// The form of a pager for callers that do not wait; both forms load the same pages.
  public init(actor: Actor) { self.actor = actor }

  /// What was begun by a caller that does not wait ends, on the wire, when nobody holds the pager any more. Whoever awaits
  /// a load of the `actor` holds that one.
  deinit { launches.end() }

  // MARK: State

  /// All pages, as they were published last.
  public var output: Output { actor.channel.latest }
  /// Whether there is a next page.
  public var canLoadNext: Bool { output.canLoadNext }
  /// Whether there is a previous page.
  public var canLoadPrevious: Bool { output.canLoadPrevious }

  /// The pager's output, now and after every change, for as many as iterate.
  public var outputs: PagerValues<Output> { actor.outputs }
  /// Whether there is a next page, now and whenever that changes.
  public var canLoadNextValues: PagerValues<Bool> { actor.canLoadNextValues }
  /// Whether there is a previous page, now and whenever that changes.
  public var canLoadPreviousValues: PagerValues<Bool> { actor.canLoadPreviousValues }

  /// Calls back with the output now and after every change, until the subscription is cancelled or let go.
  public func subscribe(_ onOutput: @escaping @Sendable (Output) -> Void) -> PagerSubscription {
    PagerSubscription(outputs, onOutput)
  }

  // MARK: Loading

  /// Loads the first page; pages that were loaded before are given up when it comes.
  public func fetch(cachePolicy: CachePolicy = .cacheFirst, completion: Completion? = nil) {
    start(.first(cachePolicy), completion)
  }

  /// Loads the first page anew; the pages there are stay until it comes.
  public func refetch(cachePolicy: CachePolicy = .networkOnly, completion: Completion? = nil) {
    start(.first(cachePolicy), completion)
  }

  /// Loads the page after the last one.
  public func loadNext(cachePolicy: CachePolicy = .networkOnly, completion: Completion? = nil) {
    start(.side(.next, cachePolicy), completion)
  }

  /// Loads the page before the first one.
  public func loadPrevious(cachePolicy: CachePolicy = .networkOnly, completion: Completion? = nil) {
    start(.side(.previous, cachePolicy), completion)
  }

  /// Loads one page after the other until there is no more or `pageLimit` pages are there; the output tells the progress.
  public func loadAll(
    fetchFromInitialPage: Bool = true, cachePolicy: CachePolicy = .networkOnly, pageLimit: Int? = nil,
    completion: Completion? = nil
  ) {
    start(
      .all(fetchFromInitialPage: fetchFromInitialPage, cachePolicy, pageLimit: pageLimit, progress: nil), completion)
  }

  /// Ends the load that is under way, if any; what was loaded stays.
  public func cancel() { calls.enqueue { [actor] in await actor.cancel() } }

  /// Ends the load that is under way and gives up all pages.
  public func reset() { calls.enqueue { [actor] in await actor.reset() } }

  func start(_ call: PagerCall, _ completion: Completion?) {
    calls.enqueue { [actor, launches] in await actor.launch(call, launches, completion: completion) }
  }
}
