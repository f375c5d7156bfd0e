import ClientOperation
import JSON

/// Pages through the results of a query, one load at a time: the form for callers that do not wait.
///
/// Every call returns at once; its completion is told when the load is over. `actor` is the same pager for callers that
/// await.
public final class GraphQLQueryPager: Sendable {
  /// The pager itself.
  public let actor: Actor

  public init(first: PageRequest, strategy: PagingStrategy, fetch: @escaping PageFetch) {
    actor = Actor(first: first, strategy: strategy, fetch: fetch)
  }

  public typealias Completion = @Sendable (PagerError?) -> Void

  /// Loads the first page; pages that were loaded before are given up.
  public func fetch(completion: Completion? = nil) { start(completion) { try await $0.fetch() } }

  public func loadNext(completion: Completion? = nil) { start(completion) { try await $0.loadNext() } }

  public func loadAll(pageLimit: Int? = nil, completion: Completion? = nil) {
    start(completion) { try await $0.loadAll(pageLimit: pageLimit) }
  }

  /// Ends the load that is under way, if any; what was loaded stays.
  public func cancel() { Task { [actor] in await actor.cancel() } }

  /// Ends the load that is under way and gives up all pages.
  public func reset() { Task { [actor] in await actor.reset() } }

  private func start(_ completion: Completion?, _ load: @escaping @Sendable (Actor) async throws -> Void) {
    Task { [actor] in
      do {
        try await load(actor)
        completion?(nil)
      } catch {
        completion?(error as? PagerError ?? .failed(error))
      }
    }
  }
}
