import ApusJSON

/// Fields that were added to the query for the cache, such as `__typename` and `id`. They are not shown, because the
/// user did not select them.
package struct HiddenFields: Equatable, Sendable {
  package var names: Set<String>
  package var children: [String: HiddenFields]

  package init(names: Set<String> = [], children: [String: HiddenFields] = [:]) {
    self.names = names
    self.children = children
  }

  package var isEmpty: Bool { names.isEmpty && children.isEmpty }

  /// Returns the fields hidden below a path; list indexes are ignored.
  func nested(_ path: ResponsePath) -> HiddenFields? {
    var found = self
    for case .key(let key) in path.components {
      guard let below = found.children[key] else { return nil }
      found = below
    }
    return found
  }
}
