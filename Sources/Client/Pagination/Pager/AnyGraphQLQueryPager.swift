import ApusClientAPI
import ApusClientRequestChain

/// A pager whose pages are a model of the caller's, whatever queries they come from.
///
///     let names = AnyGraphQLQueryPager(pager) { output in output.map(first: firstNames, other: names).joined() }
///
/// The model is made when a subscriber asks for it: outputs that nobody waits for cost nothing.
public final class AnyGraphQLQueryPager<Model: Sendable>: Sendable {
  /// What subscribers are given: the model, and the pager's state beside it.
  public struct Output: Sendable {
    /// The model of all pages that are there.
    public let model: Model
    /// Whether there is a next page.
    public let canLoadNext: Bool
    /// Whether there is a previous page.
    public let canLoadPrevious: Bool
    /// Whether a load is under way.
    public let isLoading: Bool
    /// How far `loadAll` has come; `nil` while it does not run.
    public let progress: PagerProgress?
    /// The errors of all pages, in reading order.
    public let errors: [GraphQLError]
    /// Why the last load did not end well; `nil` where it did.
    public let failure: PagerError?
  }

  /// Told when a load is over: nothing when it went well, or why it did not.
  public typealias Completion = @Sendable (PagerError?) -> Void

  /// The pager beneath, reached through closures: its own type is of no concern here.
  private struct Calls: Sendable {
    var start: @Sendable (PagerCall, Completion?) -> Void
    var perform: @Sendable (PagerCall) async throws(PagerError) -> PagingEnd
    var cancel: @Sendable () async -> Void
    var reset: @Sendable () async -> Void
  }

  private let calls: Calls
  private let latest: @Sendable () -> Output?
  private let canLoad: @Sendable () -> (next: Bool, previous: Bool)

  /// The model now and after every change, for as many as iterate; none while there is no page.
  public let outputs: PagerValues<Output>
  /// Whether there is a next page, now and whenever that changes.
  public let canLoadNextValues: PagerValues<Bool>
  /// Whether there is a previous page, now and whenever that changes.
  public let canLoadPreviousValues: PagerValues<Bool>

  /// Erases a pager's type: `transform` makes the model of all of its pages, `nil` where there is none yet.
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

  /// One query for all pages; `transform` makes the items of each page, and the model is all of them in reading order.
  public convenience init<Query: QueryOperation, Item: Sendable>(
    client: any PageSource, query: Query, strategy: PagingStrategy<Query, Query>, options: RequestOptions = .init(),
    transform: @escaping @Sendable (Query.Data) -> [Item]
  ) where Model == [Item] {
    self.init(
      client: client, initialQuery: query, strategy: strategy, options: options, initialTransform: transform,
      pageTransform: transform)
  }

  /// Different queries for the first page and the others, each with a transform of its own.
  public convenience init<InitialQuery: QueryOperation, PaginatedQuery: QueryOperation, Item: Sendable>(
    client: any PageSource, initialQuery: InitialQuery, strategy: PagingStrategy<InitialQuery, PaginatedQuery>,
    options: RequestOptions = .init(), initialTransform: @escaping @Sendable (InitialQuery.Data) -> [Item],
    pageTransform: @escaping @Sendable (PaginatedQuery.Data) -> [Item]
  ) where Model == [Item] {
    let pager = GraphQLQueryPager(
      client: client, initialQuery: initialQuery, strategy: strategy, options: options)
    self.init(pager) { output in
      output.firstPage == nil ? nil : output.map(first: initialTransform, other: pageTransform).flatMap { $0 }
    }
  }

  // MARK: State

  /// The model as it is now; `nil` while there is no page.
  public var output: Output? { latest() }
  /// Whether there is a next page.
  public var canLoadNext: Bool { canLoad().next }
  /// Whether there is a previous page.
  public var canLoadPrevious: Bool { canLoad().previous }

  /// Calls back with the output now and after every change, until the subscription is cancelled or let go.
  public func subscribe(_ onOutput: @escaping @Sendable (Output) -> Void) -> PagerSubscription {
    PagerSubscription(outputs, onOutput)
  }

  // MARK: Loading

  /// Loads the first page, and returns when its request is fulfilled. Pages that were loaded before are given up when
  /// it comes.
  ///
  /// - Throws: `PagerError`: `loadInProgress`, `cancelled`, `noData` or, for all that a fetch throws, `failed`.
  public func fetch(cachePolicy: CachePolicy = .cacheFirst) async throws(PagerError) {
    _ = try await calls.perform(.first(cachePolicy))
  }

  /// Loads the first page anew; the pages there are stay until it comes.
  ///
  /// - Throws: `PagerError`, as `fetch(cachePolicy:)` does.
  public func refetch(cachePolicy: CachePolicy = .networkOnly) async throws(PagerError) {
    _ = try await calls.perform(.first(cachePolicy))
  }

  /// Loads the page after the last one.
  ///
  /// - Throws: `PagerError`: `missingFirstPage` before the first page, `noMoreContent` behind the last, `noQuery` where
  ///   the strategy has no way forward, and those of `fetch(cachePolicy:)`.
  public func loadNext(cachePolicy: CachePolicy = .networkOnly) async throws(PagerError) {
    _ = try await calls.perform(.side(.next, cachePolicy))
  }

  /// Loads the page before the first one.
  ///
  /// - Throws: `PagerError`, as `loadNext(cachePolicy:)` does, for the way back.
  public func loadPrevious(cachePolicy: CachePolicy = .networkOnly) async throws(PagerError) {
    _ = try await calls.perform(.side(.previous, cachePolicy))
  }

  /// As `GraphQLQueryPager.Actor.loadAll`.
  ///
  /// - Returns: Why it stopped.
  /// - Throws: `PagerError`, as `loadNext(cachePolicy:)` does, but that there is no more content is no error here; one
  ///   empty page after the other is (`noMoreContent(.emptyPages)`).
  @discardableResult
  public func loadAll(
    fetchFromInitialPage: Bool = true, cachePolicy: CachePolicy = .networkOnly, pageLimit: Int? = nil,
    progress: (@Sendable (PagerProgress) -> Void)? = nil
  ) async throws(PagerError) -> PagingEnd {
    try await calls.perform(
      .all(fetchFromInitialPage: fetchFromInitialPage, cachePolicy, pageLimit: pageLimit, progress: progress))
  }

  /// Ends the load that is under way, if any; what was loaded stays.
  public func cancel() async { await calls.cancel() }

  /// Ends the load that is under way and gives up all pages.
  public func reset() async { await calls.reset() }

  // MARK: Loading, for callers that do not wait

  /// Loads the first page, and returns at once.
  public func fetch(cachePolicy: CachePolicy = .cacheFirst, completion: @escaping Completion) {
    calls.start(.first(cachePolicy), completion)
  }

  /// Loads the first page anew, and returns at once; the pages there are stay until it comes.
  public func refetch(cachePolicy: CachePolicy = .networkOnly, completion: @escaping Completion) {
    calls.start(.first(cachePolicy), completion)
  }

  /// Loads the page after the last one, and returns at once.
  public func loadNext(cachePolicy: CachePolicy = .networkOnly, completion: @escaping Completion) {
    calls.start(.side(.next, cachePolicy), completion)
  }

  /// Loads the page before the first one, and returns at once.
  public func loadPrevious(cachePolicy: CachePolicy = .networkOnly, completion: @escaping Completion) {
    calls.start(.side(.previous, cachePolicy), completion)
  }

  /// Loads one page after the other until there is no more or `pageLimit` pages are there, and returns at once.
  public func loadAll(
    fetchFromInitialPage: Bool = true, cachePolicy: CachePolicy = .networkOnly, pageLimit: Int? = nil,
    completion: @escaping Completion
  ) {
    calls.start(
      .all(fetchFromInitialPage: fetchFromInitialPage, cachePolicy, pageLimit: pageLimit, progress: nil), completion)
  }
}
