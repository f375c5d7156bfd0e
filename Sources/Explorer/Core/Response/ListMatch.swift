import ApusAlgorithms
import ApusExplorerText
import ApusJSON

/// Which items of two lists are one and the same: found by what identifies them where every item has that, so that one that
/// was put in does not make all behind it differ. Lists of anything else are matched by their places.
struct ListMatch: Equatable, Sendable {
  /// For each item of the later list its place in the earlier one; nil for one that was added.
  let before: [Int?]
  /// Places in the earlier list whose items are gone.
  let removed: [Int]
  /// Places in the later list whose items stood elsewhere among those that are in both.
  let moved: Set<Int>

  /// Longer lists are matched by their places: it is done while they are drawn.
  static let limit = 10_000

  /// nil where the items are to be matched by their places.
  init?(_ earlier: JSONValue, _ later: JSONValue) {
    guard earlier.kind == .array, later.kind == .array, earlier.count > 0, later.count > 0,
      max(earlier.count, later.count) <= Self.limit, let old = Self.identities(of: earlier),
      let new = Self.identities(of: later)
    else { return nil }
    let places = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($0.element, $0.offset) })
    before = new.map { places[$0] }
    let kept = Set(before.compactMap { $0 })
    removed = old.indices.filter { !kept.contains($0) }
    moved = Self.moved(before)
  }

  /// What each item is told by; nil where one has nothing, or two have the same.
  private static func identities(of list: JSONValue) -> [String]? {
    var all: [String] = []
    all.reserveCapacity(list.count)
    for item in list.elements {
      guard let identity = identity(of: item) else { return nil }
      all.append(identity)
    }
    return Set(all).count == all.count ? all : nil
  }

  /// An object's id with its type, as it is a cache key; that of its node for the edge of a connection.
  private static func identity(of item: JSONValue) -> String? {
    guard item.kind == .object else { return nil }
    if let id = item["id"], id.kind == .string || id.kind == .number {
      return "\(item["__typename"]?.string ?? ""):\(id.string ?? id.description)"
    }
    return item["node"].flatMap { identity(of: $0) }
  }

  /// Those beside the longest run of items that are in their old order.
  private static func moved(_ before: [Int?]) -> Set<Int> {
    let kept = before.indices.filter { before[$0] != nil }
    let places = kept.compactMap { before[$0] }
    guard zip(places, places.dropFirst()).contains(where: { $0 > $1 }) else { return [] }
    // The ends of the best runs of each length, and for each item the one before it in its run.
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: places.count)
    for (index, place) in places.enumerated() {
      let length = ends.partitioningIndex { places[$0] >= place }
      previous[index] = length > 0 ? ends[length - 1] : nil
      if length < ends.count { ends[length] = index } else { ends.append(index) }
    }
    var moved = Set(kept)
    var index = ends.last
    while let here = index {
      moved.remove(kept[here])
      index = previous[here]
    }
    return moved
  }

  /// The place of the earlier response that a place of the later one was at; nil where it was not there.
  static func path(_ path: ResponsePath, of later: JSONValue, in earlier: JSONValue) -> ResponsePath? {
    var (old, new): (JSONValue?, JSONValue?) = (earlier, later)
    var components: [PathComponent] = []
    for component in path.components {
      guard let oldValue = old, let newValue = new else { return nil }
      switch component {
      case .key(let key):
        components.append(component)
        (old, new) = (oldValue[key], newValue[key])
      case .index(let index):
        let match = ListMatch(oldValue, newValue)
        let place: Int? =
          match.map { index < $0.before.count ? $0.before[index] : nil } ?? (index < oldValue.count ? index : nil)
        guard let place else { return nil }
        components.append(.index(place))
        (old, new) = (oldValue[place], newValue[index])
      }
    }
    return old == nil ? nil : ResponsePath(components)
  }
}
