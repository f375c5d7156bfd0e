import ApusClientAPI
import ApusJSON

/// The items of the pages that were loaded, to recognize a page that only repeats them.
struct LoadedItems: Sendable {
  private var keys: Set<JSONValue> = []
  /// The directions in which a page of repeated items was the last one.
  private(set) var endedDirections: Set<PagingDirection> = []

  mutating func add(_ page: Page<some QueryOperation>) {
    keys.formUnion(page.items.compactMap(\.itemKey))
  }

  /// Returns whether all items of a page were loaded before. Items without a key can be equal by chance, so that a page with
  /// such items is repeated only if its lists are those of the page next to it.
  func areRepeated(in page: Page<some QueryOperation>, after neighbor: [JSONValue]) -> Bool {
    let items = page.items
    guard !items.isEmpty else { return false }
    return items.allSatisfy { $0.itemKey.map(keys.contains) ?? false } || items == neighbor
  }

  mutating func end(_ direction: PagingDirection) { endedDirections.insert(direction) }
}

extension JSONValue {
  /// `["Bird", "b42"]` for an item or an edge with that node; `nil` if it has no key.
  var itemKey: JSONValue? {
    let node = self["node"] ?? self
    guard node.kind == .object, let id = node["id"] ?? node["nodeId"] ?? node["_id"], !id.isNull else { return nil }
    return .array([node["__typename"] ?? .null, id])
  }
}
