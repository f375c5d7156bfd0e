import ApusJSON

/// Fields that were added for the cache's sake and never asked for: they are not shown.
package struct HiddenFields: Equatable, Sendable {
  package var names: Set<String>
  package var children: [String: HiddenFields]

  package init(names: Set<String> = [], children: [String: HiddenFields] = [:]) {
    self.names = names
    self.children = children
  }

  package var isEmpty: Bool { names.isEmpty && children.isEmpty }

  /// What is hidden beneath a place; indices of lists lead nowhere deeper.
  func beneath(_ path: ResponsePath) -> HiddenFields? {
    var found = self
    for case .key(let key) in path.components {
      guard let below = found.children[key] else { return nil }
      found = below
    }
    return found
  }
}
