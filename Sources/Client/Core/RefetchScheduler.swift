import ApusClientAPI
import ApusClientCache
import ApusClientRequestChain
import ApusJSON

/// Decides when data lost from a result is fetched again: once for each loss, with growing delays after failures, and
/// without endless loops between queries that remove each other's records.
///
/// A change made by such a fetch has a depth one greater than the loss that caused it. Losses caused by deep changes
/// are not fetched again, because no user action caused them. The depth of another process's change is unknown; a
/// change soon after a fetch is assumed to be the reaction to it.
package struct RefetchScheduler: Sendable {
  /// The next action of the caller.
  package enum Decision: Sendable, Equatable {
    case nothing
    case fetch(depth: Int)
    /// Call `waited` after this time.
    case wait(Duration)
  }

  /// The maximum depth: a query reacts to a loss, another query to that reaction, and no more.
  private static let deepestLoss = 1

  /// Whether lost data may be fetched.
  package let isAllowed: Bool
  private let policy: RetryPolicy
  private let maximumRetries: Int
  /// Whether lost data has not been restored.
  private var isOpen = false
  /// Whether lost data is not fetched because two watches take it from each other.
  private var isContested = false
  private var failureCount = 0
  private var isWaiting = false
  /// The depth and the start of the newest fetch.
  private var depth = 0
  private var newest: ContinuousClock.Instant?

  package init(_ options: RequestOptions) {
    isAllowed = options.cachePolicy.usesNetwork && options.cacheWrites != .never
    policy = options.refetching
    maximumRetries = options.maximumRetries
  }

  /// Processes a change. `isLoss` is whether it removed data, and `isConflict` whether it is the response of a watch from
  /// which this data was taken before. Contested data is fetched again only after the response of a single request.
  package mutating func changed(
    by change: CacheChange, isComplete: Bool, isLoss: Bool, isConflict: Bool = false
  ) -> Decision {
    if isComplete { (isOpen, isContested) = (false, false) }
    let isNew = isLoss || (isContested && change.isSingleResponse)
    guard isAllowed, !isComplete, isOpen || isNew else { return .nothing }
    if isConflict {
      (isOpen, isContested) = (false, true)
      return .nothing
    }
    isOpen = true
    let lossDepth = lossDepth(change)
    guard !isWaiting, lossDepth <= Self.deepestLoss else { return .nothing }
    depth = lossDepth + 1
    if failureCount > 0, let delay = policy.delay(before: failureCount) {
      isWaiting = true
      return .wait(delay)
    }
    return fetch()
  }

  /// Processes the end of a delay.
  package mutating func waited() -> Decision {
    isWaiting = false
    return isOpen ? fetch() : .nothing
  }

  /// Processes a successful fetch. Without data it counts as a failure, but fetching again would not help.
  package mutating func succeeded(hasData: Bool) {
    failureCount = hasData ? 0 : failureCount + 1
    isOpen = !hasData
  }

  /// Processes a failed fetch.
  package mutating func failed(_ error: any Error) -> Decision {
    failureCount += 1
    isOpen = true
    guard failureCount <= maximumRetries, policy.mayHelp(error), let delay = policy.delay(before: failureCount)
    else { return .nothing }
    isWaiting = true
    return .wait(delay)
  }

  private mutating func fetch() -> Decision {
    newest = .now
    return .fetch(depth: depth)
  }

  private func lossDepth(_ change: CacheChange) -> Int {
    guard change.cause == .external, let newest, newest.duration(to: .now) < policy.longestDelay else {
      return change.refetchDepth
    }
    return depth + 1
  }
}

extension CacheChange {
  /// Whether the change is a response that no watch requested.
  package var isSingleResponse: Bool {
    switch cause {
    case .write: watch == nil
    case .eviction, .clearing, .modification, .collection, .trimming, .optimistic, .rollback, .external, .imported,
      .transaction:
      false
    }
  }
}

extension CacheRead {
  /// The paths of missing data, except those with an error.
  package var unansweredPlaces: Set<ResponsePath> {
    if missing.isEmpty { return contradicted }
    return Set(missing).subtracting(errors.compactMap(\.path)).union(contradicted)
  }

  /// Whether data of an earlier read is missing. A read or a response without data had nothing to lose.
  package func hasLost(since earlier: CacheReadSummary) -> Bool {
    if isComplete || !earlier.hasData { return false }
    if data == nil { return true }
    let now = CacheReadSummary(self)
    return !unansweredPlaces.subtracting(earlier.missing).isEmpty
      || (now.pendingCount > earlier.pendingCount && now.fulfilledCount < earlier.fulfilledCount)
  }
}

/// The extent of cached data for a query, for comparison with a later read.
package struct CacheReadSummary: Sendable {
  static let nothing = CacheReadSummary()

  private(set) var hasData: Bool
  /// The paths of missing data.
  private(set) var missing: Set<ResponsePath>
  private(set) var pendingCount: Int
  private(set) var fulfilledCount: Int

  private init() {
    (hasData, missing, pendingCount, fulfilledCount) = (false, [], 0, 0)
  }

  package init(_ read: CacheRead) {
    hasData = read.data != nil
    missing = Set(read.missing).union(read.contradicted)
    pendingCount = read.pendingFragments.count
    fulfilledCount = read.fragments.count { $0.state == .fulfilled }
  }

  /// Creates a summary of the cached data after writing a result. Another task may have removed some of it before the
  /// read, so that everything in the result without an error counts as cached.
  package init<Data: Sendable>(_ read: CacheRead, after result: GraphQLResult<Data>) {
    self.init(read)
    guard let json = result.json else { return }
    hasData = hasData || !json.isNull
    let failed = result.errors.compactMap(\.path)
    missing = missing.filter { path in
      json.value(at: path)?.isNull ?? true || failed.contains { path.components.starts(with: $0.components) }
    }
    pendingCount = result.fragments.count { $0.state.isPending }
    fulfilledCount = result.fragments.count { $0.state == .fulfilled }
  }

  /// Creates a summary of the cached data after writing a result.
  package init<Data: Sendable>(_ result: GraphQLResult<Data>) {
    hasData = result.json.map { !$0.isNull } ?? (result.data != nil)
    missing = []
    pendingCount = result.fragments.count { $0.state.isPending }
    fulfilledCount = result.fragments.count { $0.state == .fulfilled }
  }
}
