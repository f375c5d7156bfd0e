import ApusClientAPI
import ApusClientCache
import ApusClientRequestChain
import ApusJSON

/// Decides when what was lost under a result is asked for again: each loss once, after failures ever later, and never
/// in a circle of queries that take records from one another.
///
/// A change that a fetch of this kind made carries its depth, one more than that of the loss that the fetch made good.
/// What was lost to a deep change is not asked for: whoever caused it did not ask for anything itself. Of another
/// process's changes the depth is not known; one that comes soon after a fetch counts as the answer to it.
package struct Refetching: Sendable {
  /// What is to be done.
  package enum Decision: Sendable, Equatable {
    case nothing
    case fetch(depth: Int)
    /// To be asked again, by `waited`, after this time.
    case wait(Duration)
  }

  /// A query answers a loss, another one answers what that took away; there it ends.
  private static let deepestLoss = 1

  /// Whether a loss may be fetched at all.
  package let isAllowed: Bool
  private let policy: RetryPolicy
  private let maximumRetries: Int
  /// Something was lost and has not come back.
  private var isOpen = false
  private var failureCount = 0
  private var isWaiting = false
  /// The depth of the newest fetch, and when it began.
  private var depth = 0
  private var newest: ContinuousClock.Instant?

  package init(_ options: RequestOptions) {
    isAllowed = options.cachePolicy != .cacheOnly && options.cacheWrites != .never
    policy = options.refetching
    maximumRetries = options.maximumRetries
  }

  /// After a change: `isLoss` says that it took something away.
  package mutating func changed(by change: CacheChange, isComplete: Bool, isLoss: Bool) -> Decision {
    if isComplete { isOpen = false }
    guard isAllowed, !isComplete, isOpen || isLoss else { return .nothing }
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

  /// After a wait.
  package mutating func waited() -> Decision {
    isWaiting = false
    return isOpen ? fetch() : .nothing
  }

  /// The fetch brought its answer. One without data is a failure that asking again does not help.
  package mutating func succeeded(hasData: Bool) {
    failureCount = hasData ? 0 : failureCount + 1
    isOpen = !hasData
  }

  /// The fetch failed.
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
    guard change.cause == .foreign, let newest, newest.duration(to: .now) < policy.longestDelay else {
      return change.refetchDepth
    }
    return depth + 1
  }
}

extension CacheRead {
  /// What is missing for another reason than an error, which was the answer.
  package var unansweredPlaces: Set<ResponsePath> {
    if missing.isEmpty { return contradicted }
    return Set(missing).subtracting(errors.compactMap(\.path)).union(contradicted)
  }

  /// Whether something is gone that an earlier read had.
  package func hasLost(since earlier: CacheHolding) -> Bool {
    if isComplete { return false }
    if data == nil { return earlier.hasData }
    let now = CacheHolding(self)
    return !unansweredPlaces.subtracting(earlier.missing).isEmpty
      || (now.pendingCount > earlier.pendingCount && now.fulfilledCount < earlier.fulfilledCount)
  }
}

/// How much of a query a cache had, to be compared with a later read.
package struct CacheHolding: Sendable {
  static let nothing = CacheHolding()

  private(set) var hasData: Bool
  /// What could not be given out.
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

  /// What a cache has when a result was written to it, where somebody else may have taken some of it away before it was
  /// read: what the result has itself, without an error, counts as held.
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

  /// What a cache has when a result was written to it.
  package init<Data: Sendable>(_ result: GraphQLResult<Data>) {
    hasData = result.data != nil
    missing = []
    pendingCount = result.fragments.count { $0.state.isPending }
    fulfilledCount = result.fragments.count { $0.state == .fulfilled }
  }
}
