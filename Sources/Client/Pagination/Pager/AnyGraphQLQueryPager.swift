import ApusClientAPI
import ApusClientRequestChain

/// A type-erased pager whose pages are converted to a model of the caller.
///
///     let names = AnyGraphQLQueryPager(pager) { output in output.map(first: firstNames, other: names).joined() }
///
/// The model is created only when a subscriber reads it.
public final class AnyGraphQLQueryPager<Model: Sendable>: Sendable {
  /// The model and the state of the pager.
  public struct Output: Sendable {
    /// The model of all loaded pages.
    public let model: Model
    /// Whether there is a next page.
    public let canLoadNext: Bool
    /// Whether there is a previous page.
    public let canLoadPrevious: Bool
    /// Whether a load is in progress.
    public let isLoading: Bool
    /// The progress of `loadAll`; `nil` if it is not running.
    public let progress: PagerProgress?
    /// The errors of all pages, in the order of the list.
    public let errors: [GraphQLError]
    /// The error of the last load; `nil` if it succeeded.
    public let failure: PagerError?
  }

  /// A callback for the end of a load. Its argument is the error, or `nil` if the load succeeded.
  public typealias Completion = @Sendable (PagerError?) -> Void

  /// The methods of the underlying pager, as closures without its type.
  private struct Calls: Sendable {
    var start: @Sendable (PagerCall, Completion?) -> Void
    var perform: @Sendable (PagerCall) async throws(PagerError) -> PagingStopReason
    var cancel: @Sendable () async -> Void
    var reset: @Sendable () async -> Void
  }

  private let calls: Calls
  private let latest: @Sendable () -> Output?
  private let canLoad: @Sendable () -> (next: Bool, previous: Bool)

  /// The output now and after each change, for any number of iterators. There is no value before the first page is loaded.
  public let outputs: PagerValues<Output>
  /// Whether there is a next page, now and after each change.
  public let canLoadNextValues: PagerValues<Bool>
  /// Whether there is a previous page, now and after each change.
  public let canLoadPreviousValues: PagerValues<Bool>

  /// Creates a type-erased pager.
  ///
  /// - Parameters:
  ///   - pager: The underlying pager.
  ///   - transform: Returns the model of all pages, or `nil` if there is no model yet.
  public init<InitialQuery: QueryOperation, PaginatedQuery: QueryOperation>(
    _ pager: GraphQLQueryPager<InitialQuery, PaginatedQuery>,
    transform: @escaping @Sendable (PagerOutput<InitialQuery, PaginatedQuery>) -> Model?
  ) {
    let actor = pager.actor
    let make: @Sendable (PagerOutput<InitialQuery, PaginatedQuery>) -> Output? = { output in
      transform(output).map { model in
        Output(
          model: model, canLoadNext: output.canLoadNext, canLoadPrevious: output.canLoadPrevious,
          isLoading: output.isLoading, progress: output.progress, errors: output.errors, failure: output.failure)
      }
    }
    calls = Calls(
      start: { call, completion in pager.start(call, completion) },
      perform: { call throws(PagerError) in try await actor.perform(call) },
      cancel: { await actor.cancel() }, reset: { await actor.reset() })
    latest = { make(actor.channel.latest) }
    canLoad = { (actor.channel.latest.canLoadNext, actor.channel.latest.canLoadPrevious) }
    outputs = PagerValues(actor.channel, make)
    canLoadNextValues = actor.canLoadNextValues
    canLoadPreviousValues = actor.canLoadPreviousValues
  }

  /// Creates a pager with one query for all pages. The model is the list of the items that `transform` returns for each
  /// page.
  public convenience init<Query: QueryOperation, Item: Sendable>(
    client: any PageSource, query: Query, strategy: PagingStrategy<Query, Query>, options: RequestOptions = .init(),
    transform: @escaping @Sendable (Query.Data) -> [Item]
  ) where Model == [Item] {
    self.init(
      client: client, initialQuery: query, strategy: strategy, options: options, initialTransform: transform,
      pageTransform: transform)
  }

  /// Creates a pager with different queries for the initial page and the other pages, and a transform for each.
  public convenience init<InitialQuery: QueryOperation, PaginatedQuery: QueryOperation, Item: Sendable>(
    client: any PageSource, initialQuery: InitialQuery, strategy: PagingStrategy<InitialQuery, PaginatedQuery>,
    options: RequestOptions = .init(), initialTransform: @escaping @Sendable (InitialQuery.Data) -> [Item],
    pageTransform: @escaping @Sendable (PaginatedQuery.Data) -> [Item]
  ) where Model == [Item] {
    let pager = GraphQLQueryPager(
      client: client, initialQuery: initialQuery, strategy: strategy, options: options)
    self.init(pager) { output in
      output.initialPage == nil ? nil : output.map(first: initialTransform, other: pageTransform).flatMap { $0 }
    }
  }

  // MARK: State

  /// The current output; `nil` before the first page is loaded.
  public var output: Output? { latest() }
  /// Whether there is a next page.
  public var canLoadNext: Bool { canLoad().next }
  /// Whether there is a previous page.
  public var canLoadPrevious: Bool { canLoad().previous }

  /// Calls `onOutput` with the current output and after each change, until the subscription is canceled or released.
  public func subscribe(_ onOutput: @escaping @Sendable (Output) -> Void) -> PagerSubscription {
    PagerSubscription(outputs, onOutput)
  }

  // MARK: Loading

  /// Loads the initial page and returns when the request is complete. Previously loaded pages are discarded when the page
  /// arrives.
  ///
  /// - Throws: `PagerError`: `loadInProgress`, `cancelled`, `noData`, or `failed` for any other error of the request.
  public func fetch(cachePolicy: CachePolicy = .cacheFirst) async throws(PagerError) {
    _ = try await calls.perform(.first(cachePolicy))
  }

  /// Reloads the initial page. The existing pages remain until it arrives.
  ///
  /// - Throws: `PagerError`; see `fetch(cachePolicy:)`.
  public func refetch(cachePolicy: CachePolicy = .networkOnly) async throws(PagerError) {
    _ = try await calls.perform(.first(cachePolicy))
  }

  /// Loads the page after the last loaded page.
  ///
  /// - Throws: `PagerError`: `missingInitialPage` before the initial page is loaded, `noMoreContent` after the last page,
  ///   `noQuery` if the strategy does not support this direction, and the errors of `fetch(cachePolicy:)`.
  public func loadNext(cachePolicy: CachePolicy = .networkOnly) async throws(PagerError) {
    _ = try await calls.perform(.side(.next, cachePolicy))
  }

  /// Loads the page before the first loaded page.
  ///
  /// - Throws: `PagerError`; see `loadNext(cachePolicy:)`.
  public func loadPrevious(cachePolicy: CachePolicy = .networkOnly) async throws(PagerError) {
    _ = try await calls.perform(.side(.previous, cachePolicy))
  }

  /// Loads all pages; see `GraphQLQueryPager.Actor.loadAll`.
  ///
  /// - Returns: The reason why loading stopped.
  /// - Throws: `PagerError`; see `loadNext(cachePolicy:)`. The end of the list is not an error, except after too many
  ///   consecutive empty pages (`noMoreContent(.emptyPages)`).
  @discardableResult
  public func loadAll(
    fetchFromInitialPage: Bool = true, cachePolicy: CachePolicy = .networkOnly, pageLimit: Int? = nil,
    progress: (@Sendable (PagerProgress) -> Void)? = nil
  ) async throws(PagerError) -> PagingStopReason {
    try await calls.perform(
      .all(fetchFromInitialPage: fetchFromInitialPage, cachePolicy, pageLimit: pageLimit, progress: progress))
  }

  /// Cancels the current load, if any. Loaded pages are kept.
  public func cancel() async { await calls.cancel() }

  /// Cancels the current load and discards all pages.
  public func reset() async { await calls.reset() }

  // MARK: Loading with callbacks

  /// Loads the initial page and returns immediately.
  public func fetch(cachePolicy: CachePolicy = .cacheFirst, completion: @escaping Completion) {
    calls.start(.first(cachePolicy), completion)
  }

  /// Reloads the initial page and returns immediately. The existing pages remain until it arrives.
  public func refetch(cachePolicy: CachePolicy = .networkOnly, completion: @escaping Completion) {
    calls.start(.first(cachePolicy), completion)
  }

  /// Loads the page after the last loaded page and returns immediately.
  public func loadNext(cachePolicy: CachePolicy = .networkOnly, completion: @escaping Completion) {
    calls.start(.side(.next, cachePolicy), completion)
  }

  /// Loads the page before the first loaded page and returns immediately.
  public func loadPrevious(cachePolicy: CachePolicy = .networkOnly, completion: @escaping Completion) {
    calls.start(.side(.previous, cachePolicy), completion)
  }

  /// Loads pages until the list ends or `pageLimit` pages are loaded, and returns immediately.
  public func loadAll(
    fetchFromInitialPage: Bool = true, cachePolicy: CachePolicy = .networkOnly, pageLimit: Int? = nil,
    completion: @escaping Completion
  ) {
    calls.start(
      .all(fetchFromInitialPage: fetchFromInitialPage, cachePolicy, pageLimit: pageLimit, progress: nil), completion)
  }
}
