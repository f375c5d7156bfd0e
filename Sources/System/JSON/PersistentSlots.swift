/// A sparse, persistent map from small integers to values: a radix tree of 32-way nodes. Setting a slot copies the few
/// nodes on its way and shares all others with the map before.
struct PersistentSlots: Sendable {
  private static let bits = 5
  private static let width = 1 << bits

  private final class Node: Sendable {
    let children: [Node?]
    let values: [JSONValue?]
    init(children: [Node?]) {
      self.children = children
      values = []
    }
    init(values: [JSONValue?]) {
      self.values = values
      children = []
    }
  }

  private var root: Node?
  /// How many levels of inner nodes stand above the leaves.
  private var height = 0

  var isEmpty: Bool { root == nil }

  subscript(slot: Int) -> JSONValue? {
    guard var node = root, slot >> (Self.bits * (height + 1)) == 0 else { return nil }
    for level in stride(from: height, to: 0, by: -1) {
      guard let child = node.children[slot >> (Self.bits * level) & (Self.width - 1)] else { return nil }
      node = child
    }
    return node.values[slot & (Self.width - 1)]
  }

  func setting(_ slot: Int, to value: JSONValue) -> PersistentSlots {
    var result = self
    while slot >> (Self.bits * (result.height + 1)) != 0 {
      if let root = result.root {
        var children = [Node?](repeating: nil, count: Self.width)
        children[0] = root
        result.root = Node(children: children)
      }
      result.height += 1
    }
    result.root = Self.setting(slot, to: value, in: result.root, level: result.height)
    return result
  }

  private static func setting(_ slot: Int, to value: JSONValue, in node: Node?, level: Int) -> Node {
    let index = slot >> (bits * level) & (width - 1)
    if level == 0 {
      var values = node?.values ?? [JSONValue?](repeating: nil, count: width)
      values[index] = value
      return Node(values: values)
    }
    var children = node?.children ?? [Node?](repeating: nil, count: width)
    children[index] = setting(slot, to: value, in: children[index], level: level - 1)
    return Node(children: children)
  }
}
