import ApusAlgorithms
import ApusExplorerText
import ApusJSON

/// An alignment of two list versions by item identity, so that an inserted item does not make all the following ones
/// differ. If an item has no identity, the lists are aligned by index instead.
struct ListAlignment: Equatable, Sendable {
  /// For each item of the later list, its index in the earlier one; nil for an added item.
  let before: [Int?]
  /// Indexes of the removed items in the earlier list.
  let removed: [Int]
  /// Indexes in the later list of the items that changed their order relative to others.
  let moved: Set<Int>

  /// The maximum length. Longer lists are aligned by index, because alignment happens while drawing.
  static let limit = 10_000

  /// Returns nil if the items are to be aligned by index.
  init?(_ earlier: JSONValue, _ later: JSONValue) {
    guard earlier.kind == .array, later.kind == .array, earlier.count > 0, later.count > 0,
      max(earlier.count, later.count) <= Self.limit
    else { return nil }
    // The history has no `__typename` that was added for the cache: without it, the other list is aligned by `id` too.
    let hasTypes = Self.haveTypes(earlier) && Self.haveTypes(later)
    guard let old = Self.identities(of: earlier, hasTypes), let new = Self.identities(of: later, hasTypes) else {
      return nil
    }
    let offsets = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($0.element, $0.offset) })
    before = new.map { offsets[$0] }
    let retained = Set(before.compactMap { $0 })
    removed = old.indices.filter { !retained.contains($0) }
    moved = Self.moved(before)
  }

  /// Returns the identity of each item; nil if an item has none or two items share one.
  private static func identities(of list: JSONValue, _ hasTypes: Bool) -> [String]? {
    var all: [String] = []
    all.reserveCapacity(list.count)
    for item in list.elements {
      guard let object = identified(item), let id = object["id"] else { return nil }
      // `Bird:b42`, as a cache key would be.
      all.append("\(hasTypes ? object["__typename"]?.string ?? "" : ""):\(id.string ?? id.description)")
    }
    return Set(all).count == all.count ? all : nil
  }

  private static func haveTypes(_ list: JSONValue) -> Bool {
    list.elements.allSatisfy { identified($0)?["__typename"]?.string != nil }
  }

  /// Returns an object with an `id`, or the node with one of an edge.
  private static func identified(_ item: JSONValue) -> JSONValue? {
    guard item.kind == .object else { return nil }
    if let id = item["id"], id.kind == .string || id.kind == .number { return item }
    return item["node"].flatMap { identified($0) }
  }

  /// Returns the indexes of the items outside the longest subsequence that kept its order.
  private static func moved(_ before: [Int?]) -> Set<Int> {
    let retained = before.indices.filter { before[$0] != nil }
    let offsets = retained.compactMap { before[$0] }
    guard zip(offsets, offsets.dropFirst()).contains(where: { $0 > $1 }) else { return [] }
    // `ends` has the last item of the best subsequence of each length; `previous` has each item's predecessor in
    // its subsequence.
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: offsets.count)
    for (index, offset) in offsets.enumerated() {
      let length = ends.partitioningIndex { offsets[$0] >= offset }
      previous[index] = length > 0 ? ends[length - 1] : nil
      if length < ends.count { ends[length] = index } else { ends.append(index) }
    }
    var moved = Set(retained)
    var index = ends.last
    while let here = index {
      moved.remove(retained[here])
      index = previous[here]
    }
    return moved
  }

  /// Returns the path in the earlier response of a value in the later one; nil if the value was not there.
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
        let match = ListAlignment(oldValue, newValue)
        let before: Int? =
          match.map { index < $0.before.count ? $0.before[index] : nil } ?? (index < oldValue.count ? index : nil)
        guard let before else { return nil }
        components.append(.index(before))
        (old, new) = (oldValue[before], newValue[index])
      }
    }
    return old == nil ? nil : ResponsePath(components)
  }
}
