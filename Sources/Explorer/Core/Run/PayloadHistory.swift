import ApusClientAPI
import ApusJSON

/// The origin of a field's value.
package enum FieldSource: Equatable, Sendable {
  case network, cache
  case payload(Int)
}

extension RunResult {
  /// Whether a payload may have changed the value at a path.
  fileprivate func touches(_ path: ResponsePath) -> Bool {
    changedPaths.contains { path.components.starts(with: $0.components) }
  }
}

/// The results of a run, one per payload, so that the user can step back through them.
///
/// Consecutive results share unchanged values, so retaining them costs little memory.
package struct PayloadHistory: Equatable, Sendable {
  /// The maximum number of results to retain; the oldest are dropped first.
  static let limit = 1200
  /// The maximum size of the retained payloads, in bytes as received.
  static let byteLimit = 32 << 20

  private var results: [RunResult] = []
  /// The result of rereading the run from the cache after the last payload.
  private var reread: RunResult?
  private var keptBytes = 0
  /// The number of dropped results.
  private var firstIndex = 0
  /// The index of the result that is shown; nil follows the newest.
  package private(set) var shownIndex: Int?
  /// The payloads that a paused event list shows.
  private var standing: ClosedRange<Int>?
  /// Dropped results that are still needed: the one that is shown, and those that a paused event list shows.
  private var held: [HeldResult] = []

  private struct HeldResult: Equatable, Sendable {
    let index: Int
    let result: RunResult
  }

  package init() {}

  package var count: Int { firstIndex + results.count }
  /// The index of the oldest retained result.
  package var oldestIndex: Int { firstIndex }
  package var isInPast: Bool { shownIndex != nil }
  /// The earlier result that the user is looking at; nil while the newest is shown.
  package var shownInPast: RunResult? {
    shownIndex.flatMap { index in
      index >= firstIndex ? results[index - firstIndex] : held.first { $0.index == index }?.result
    }
  }
  var newest: RunResult? { reread ?? results.last }
  /// The arrival time of the newest payload.
  var lastElapsed: Duration? { results.last?.elapsed }
  /// The paths for which the cache has no value in the newest result; nil before the first result.
  package var missing: [ResponsePath]? { newest?.missing }

  package mutating func add(_ result: RunResult) {
    reread = nil
    results.append(result)
    keptBytes += result.byteCount
    guard results.count > Self.limit || keptBytes > Self.byteLimit, results.count > 1 else { return }
    // Drops a tenth more than necessary, so that this happens rarely; never drops the newest.
    var forgotten = 0
    while forgotten < results.count - 1,
      results.count - forgotten > Self.limit * 9 / 10 || keptBytes > Self.byteLimit * 9 / 10
    {
      keptBytes -= results[forgotten].byteCount
      forgotten += 1
    }
    for (offset, result) in results.prefix(forgotten).enumerated() {
      held.append(HeldResult(index: firstIndex + offset, result: result))
    }
    release()
    results.removeFirst(forgotten)
    firstIndex += forgotten
  }

  /// Retains the payloads of a paused event list; nil releases them.
  mutating func retain(standing payloads: ClosedRange<Int>?) {
    standing = payloads
    release()
  }

  private mutating func release() {
    held.removeAll { $0.index != shownIndex && standing?.contains($0.result.payloadIndex) != true }
  }

  /// Replaces the newest result after a change to the cache.
  package mutating func readAgain(_ result: RunResult) { reread = result }

  /// Returns the settled state of a fragment that is pending in an earlier payload; nil while it is still pending.
  package func settling(of fragment: DeferredFragment) -> DeferredFragment? {
    results.last?.fragments.first {
      $0.fragmentID == fragment.fragmentID && $0.path == fragment.path && !$0.state.isPending
    }
  }

  /// The arrival times of the retained payloads.
  package var arrivals: [Duration] { results.map(\.elapsed) }

  /// The size of the retained payloads up to the one that is shown, in bytes.
  package var byteCountInPast: Int {
    let last = shownIndex ?? count - 1
    guard last >= firstIndex else { return shownInPast?.byteCount ?? 0 }
    return results.prefix(last - firstIndex + 1).reduce(0) { $0 + $1.byteCount }
  }

  /// The errors that came with the payload of that time.
  func newErrors(at elapsed: Duration) -> [GraphQLError] {
    guard let index = results.firstIndex(where: { $0.elapsed == elapsed }) else { return [] }
    let earlier = index > 0 ? results[index - 1].errors.count : 0
    return Array(results[index].errors.dropFirst(earlier))
  }

  /// Shows the payload with this number, counted from 0; `nil` if it is not kept.
  mutating func show(index: Int) -> RunResult? {
    guard index >= firstIndex, index < count else { return nil }
    shownIndex = index == count - 1 ? nil : index
    return shownInPast ?? newest
  }

  /// Shows the result that is `step` payloads away and returns it; nil if there is none in that direction.
  mutating func step(by step: Int) -> RunResult? {
    let newest = count - 1
    let next = (shownIndex ?? newest) + step
    // The successor of a result that was dropped from `results` is the oldest retained one.
    let index = step > 0 ? max(next, firstIndex) : next
    guard index >= firstIndex, index <= newest, index != shownIndex ?? newest else { return nil }
    shownIndex = index == newest ? nil : index
    return shownInPast ?? self.newest
  }

  /// Shows the oldest retained result.
  mutating func showFirst() -> RunResult? {
    shownIndex = results.count > 1 ? firstIndex : nil
    return shownInPast ?? newest
  }

  func hasPayload(_ index: Int) -> Bool { results.contains { $0.payloadIndex == index } }

  mutating func show(payload: Int) -> RunResult? {
    guard let index = results.lastIndex(where: { $0.payloadIndex == payload }) else { return nil }
    shownIndex = index == results.count - 1 ? nil : index + firstIndex
    return shownInPast ?? newest
  }

  func result(ofPayload payload: Int) -> RunResult? { results.last { $0.payloadIndex == payload } }

  /// Shows the result of a payload and keeps it on the screen when newer payloads arrive.
  mutating func retain(payload: Int) -> RunResult? {
    if let index = results.lastIndex(where: { $0.payloadIndex == payload }) {
      shownIndex = index + firstIndex
    } else if let other = held.last(where: { $0.result.payloadIndex == payload }) {
      shownIndex = other.index
    } else {
      return nil
    }
    return shownInPast
  }

  /// Returns the index of the payload that delivered a fragment or reported its failure.
  func payload(settling fragment: DeferredFragment) -> Int? {
    results.first { result in
      result.fragments.contains {
        $0.fragmentID == fragment.fragmentID && $0.path == fragment.path && !$0.state.isPending
      }
    }?.payloadIndex
  }

  /// Returns the origin of the value at a path, as far as the retained results determine it.
  package func source(of value: JSONValue, at path: ResponsePath) -> FieldSource? {
    let newest = shownIndex.map { $0 - firstIndex } ?? results.count - 1
    guard results.indices.contains(newest), results[newest].data?.value(at: path) == value else { return nil }
    var index = newest
    // A payload that does not touch the path left the value as it was.
    while index > 0 {
      if results[index].touches(path), results[index - 1].data?.value(at: path) != value { break }
      index -= 1
    }
    // An earlier payload that was dropped may have delivered the value.
    if index == 0, firstIndex > 0 { return nil }
    let result = results[index]
    return result.isFromCache ? .cache : count == 1 ? .network : .payload(result.payloadIndex)
  }

  mutating func showNewest() -> RunResult? {
    shownIndex = nil
    return newest
  }
}
