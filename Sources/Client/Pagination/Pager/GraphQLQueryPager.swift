import ApusClientAPI
import ApusClientRequestChain
import ApusJSON

/// A pager with callbacks, which loads the pages of a query's results, one load at a time.
///
/// All calls return immediately and call `completion` when the load ends. `actor` is the same pager for asynchronous
/// callers.
///
/// The initial page and the other pages can have different queries. If one query is used for all pages, both types are the
/// same.
public final class GraphQLQueryPager<InitialQuery: QueryOperation, PaginatedQuery: QueryOperation>: Sendable {
  /// The state of the pager and all of its pages.
  public typealias Output = PagerOutput<InitialQuery, PaginatedQuery>
  /// A callback for the end of a load. Its argument is the error, or `nil` if the load succeeded.
  public typealias Completion = @Sendable (PagerError?) -> Void

  /// The underlying pager, for asynchronous callers.
  public let actor: Actor
  private let calls = CallQueue()
  private let launches = PagerTask()

  /// Creates a pager with callbacks for an actor. Both share their pages.
  public init(actor: Actor) { self.actor = actor }

  /// Cancels the current load if it was started through this object. Asynchronous loads through `actor` continue.
  deinit { launches.end() }

  // MARK: State

  /// The last published state.
  public var output: Output { actor.channel.latest }
  /// Whether there is a next page.
  public var canLoadNext: Bool { output.canLoadNext }
  /// Whether there is a previous page.
  public var canLoadPrevious: Bool { output.canLoadPrevious }

  /// The pager's output now and after each change, for any number of iterators.
  public var outputs: PagerValues<Output> { actor.outputs }
  /// Whether there is a next page, now and after each change.
  public var canLoadNextValues: PagerValues<Bool> { actor.canLoadNextValues }
  /// Whether there is a previous page, now and after each change.
  public var canLoadPreviousValues: PagerValues<Bool> { actor.canLoadPreviousValues }

  /// Calls `onOutput` with the current output and after each change, until the subscription is canceled or released.
  public func subscribe(_ onOutput: @escaping @Sendable (Output) -> Void) -> PagerSubscription {
    PagerSubscription(outputs, onOutput)
  }

  // MARK: Loading

  /// Loads the initial page. Previously loaded pages are discarded when it arrives.
  public func fetch(cachePolicy: CachePolicy = .cacheFirst, completion: Completion? = nil) {
    start(.first(cachePolicy), completion)
  }

  /// Reloads the initial page. The existing pages remain until it arrives.
  public func refetch(cachePolicy: CachePolicy = .networkOnly, completion: Completion? = nil) {
    start(.first(cachePolicy), completion)
  }

  /// Loads the page after the last loaded page.
  public func loadNext(cachePolicy: CachePolicy = .networkOnly, completion: Completion? = nil) {
    start(.side(.next, cachePolicy), completion)
  }

  /// Loads the page before the first loaded page.
  public func loadPrevious(cachePolicy: CachePolicy = .networkOnly, completion: Completion? = nil) {
    start(.side(.previous, cachePolicy), completion)
  }

  /// Loads pages until the list ends or `pageLimit` pages are loaded. `Output.progress` reports the progress.
  public func loadAll(
    fetchFromInitialPage: Bool = true, cachePolicy: CachePolicy = .networkOnly, pageLimit: Int? = nil,
    completion: Completion? = nil
  ) {
    start(
      .all(fetchFromInitialPage: fetchFromInitialPage, cachePolicy, pageLimit: pageLimit, progress: nil), completion)
  }

  /// Cancels the current load, if any. Loaded pages are kept.
  public func cancel() { calls.enqueue { [actor] in await actor.cancel() } }

  /// Cancels the current load and discards all pages.
  public func reset() { calls.enqueue { [actor] in await actor.reset() } }

  func start(_ call: PagerCall, _ completion: Completion?) {
    calls.enqueue { [actor, launches] in await actor.launch(call, launches, completion: completion) }
  }
}
