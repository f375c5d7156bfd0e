/// A sparse list as a radix tree with 32 branches per node. A changed copy shares all unchanged branches, so that
/// changing one element of a long list copies a few small arrays.
struct PersistentSlots<Element: Sendable>: Sendable {
  /// The array of a node is copied only if it is shared, so a change copies at most one small array per level.
  private struct Node: Sendable {
    var children: [Node] = []
    var slots: [Element?] = []

    func element(at index: Int, shift: Int) -> Element? {
      let branch = index >> shift & 31
      if shift == 0 { return branch < slots.count ? slots[branch] : nil }
      return branch < children.count ? children[branch].element(at: index, shift: shift - 5) : nil
    }

    mutating func set(_ index: Int, to element: Element, shift: Int) {
      let branch = index >> shift & 31
      if shift == 0 {
        while slots.count <= branch { slots.append(nil) }
        slots[branch] = element
      } else {
        while children.count <= branch { children.append(Node()) }
        children[branch].set(index, to: element, shift: shift - 5)
      }
    }
  }

  private var root = Node()
  private var shift = 0
  private(set) var isEmpty = true

  subscript(index: Int) -> Element? {
    index >> (shift + 5) == 0 ? root.element(at: index, shift: shift) : nil
  }

  mutating func set(_ index: Int, to element: Element) {
    while index >> (shift + 5) != 0 {
      if !isEmpty { root = Node(children: [root]) }
      shift += 5
    }
    isEmpty = false
    root.set(index, to: element, shift: shift)
  }
}
