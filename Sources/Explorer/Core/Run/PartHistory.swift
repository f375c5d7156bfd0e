import ApusClientAPI
import ApusJSON

/// Where a field of the response came from.
package enum FieldSource: Equatable, Sendable {
  case network, cache
  case part(Int)
}

extension RunResult {
  /// Whether a part may have changed what is at a path.
  fileprivate func touches(_ path: ResponsePath) -> Bool {
    changedPaths.contains { path.components.starts(with: $0.components) }
  }
}

/// The results of a run, one for each part, kept so that a person can step back through them.
///
/// They share all that the parts between them did not change, so keeping them costs little.
package struct PartHistory: Equatable, Sendable {
  /// Of more parts than this the oldest are forgotten, and of so many bytes as they came.
  static let limit = 1200
  static let byteLimit = 32 << 20

  private var results: [RunResult] = []
  /// What the cache had of the run when it was read again after the last part.
  private var reread: RunResult?
  private var keptBytes = 0
  /// How many parts are forgotten.
  private var firstIndex = 0
  /// Which part is shown; nil follows the newest.
  package private(set) var shownIndex: Int?
  /// The parts that a list which stands still has lines of.
  private var standing: ClosedRange<Int>?
  /// What would be forgotten, and is looked back at or stands in such a list.
  private var held: [HeldResult] = []

  private struct HeldResult: Equatable, Sendable {
    let index: Int
    let result: RunResult
  }

  package init() {}

  package var count: Int { firstIndex + results.count }
  /// The first part that is not forgotten.
  package var oldestIndex: Int { firstIndex }
  package var isInPast: Bool { shownIndex != nil }
  /// The part that is looked back at.
  package var shownInPast: RunResult? {
    shownIndex.flatMap { index in
      index >= firstIndex ? results[index - firstIndex] : held.first { $0.index == index }?.result
    }
  }
  private var newest: RunResult? { reread ?? results.last }
  /// When the newest part came.
  var lastElapsed: Duration? { results.last?.elapsed }
  /// Where the newest has no value that the cache was asked for; nil before the first.
  package var missing: [ResponsePath]? { newest?.missing }

  package mutating func add(_ result: RunResult) {
    reread = nil
    results.append(result)
    keptBytes += result.byteCount
    guard results.count > Self.limit || keptBytes > Self.byteLimit, results.count > 1 else { return }
    // A tenth more than must go, so that it is seldom done; never the newest.
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
    letGo()
    results.removeFirst(forgotten)
    firstIndex += forgotten
  }

  /// Holds the parts of a list that stands still until it goes on.
  mutating func hold(standing parts: ClosedRange<Int>?) {
    standing = parts
    letGo()
  }

  private mutating func letGo() {
    held.removeAll { $0.index != shownIndex && standing?.contains($0.result.part) != true }
  }

  /// Others changed in the cache what the newest part shows.
  package mutating func readAgain(_ result: RunResult) { reread = result }

  /// When a fragment that is pending in an earlier part came, and what became of it; nil while it is on its way.
  package func settling(of fragment: DeferredFragment) -> DeferredFragment? {
    results.last?.fragments.first {
      $0.fragmentID == fragment.fragmentID && $0.path == fragment.path && !$0.state.isPending
    }
  }

  /// When each of the parts that are remembered came.
  package var arrivals: [Duration] { results.map(\.elapsed) }

  /// The bytes of the parts up to the one that is looked back at, as far as they are remembered.
  package var byteCountInPast: Int {
    let last = shownIndex ?? count - 1
    guard last >= firstIndex else { return shownInPast?.byteCount ?? 0 }
    return results.prefix(last - firstIndex + 1).reduce(0) { $0 + $1.byteCount }
  }

  /// The part to show when one steps by so many; nil when there is none in that direction.
  mutating func step(by step: Int) -> RunResult? {
    let newest = count - 1
    let next = (shownIndex ?? newest) + step
    // From one that is held alone, the next one is the oldest of the others.
    let index = step > 0 ? max(next, firstIndex) : next
    guard index >= firstIndex, index <= newest, index != shownIndex ?? newest else { return nil }
    shownIndex = index == newest ? nil : index
    return shownInPast ?? self.newest
  }

  /// The oldest part that is remembered.
  mutating func showFirst() -> RunResult? {
    shownIndex = results.count > 1 ? firstIndex : nil
    return shownInPast ?? newest
  }

  func hasPart(_ part: Int) -> Bool { results.contains { $0.part == part } }

  /// The result that came with a part of the response.
  mutating func show(part: Int) -> RunResult? {
    guard let index = results.lastIndex(where: { $0.part == part }) else { return nil }
    shownIndex = index == results.count - 1 ? nil : index + firstIndex
    return shownInPast ?? newest
  }

  func result(ofPart part: Int) -> RunResult? { results.last { $0.part == part } }

  /// The result of a part, which stays shown when newer ones come.
  mutating func hold(part: Int) -> RunResult? {
    if let index = results.lastIndex(where: { $0.part == part }) {
      shownIndex = index + firstIndex
    } else if let other = held.last(where: { $0.result.part == part }) {
      shownIndex = other.index
    } else {
      return nil
    }
    return shownInPast
  }

  /// The part that brought a fragment, or said what became of it.
  func part(settling fragment: DeferredFragment) -> Int? {
    results.first { result in
      result.fragments.contains {
        $0.fragmentID == fragment.fragmentID && $0.path == fragment.path && !$0.state.isPending
      }
    }?.part
  }

  /// Where the value at a path came from, as far as the parts that are kept tell.
  package func source(of value: JSONValue, at path: ResponsePath) -> FieldSource? {
    let newest = shownIndex.map { $0 - firstIndex } ?? results.count - 1
    guard results.indices.contains(newest), results[newest].data?.value(at: path) == value else { return nil }
    var index = newest
    // What a part did not touch was there before it.
    while index > 0 {
      if results[index].touches(path), results[index - 1].data?.value(at: path) != value { break }
      index -= 1
    }
    let result = results[index]
    return result.isFromCache ? .cache : count == 1 ? .network : .part(result.part)
  }

  /// Back to the newest part.
  mutating func showNewest() -> RunResult? {
    shownIndex = nil
    return newest
  }
}
