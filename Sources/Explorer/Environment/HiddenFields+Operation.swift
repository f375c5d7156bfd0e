import ApusClientOperation
import ApusExplorerCore

extension HiddenFields {
  /// Collects the fields that are hidden: those that were added everywhere they are selected. Types of fragments are
  /// not distinguished.
  init(of selections: CompiledSelectionSet) {
    self.init()
    var shown: Set<String> = []
    collect(selections, &shown)
    names.subtract(shown)
  }

  private mutating func collect(_ set: CompiledSelectionSet, _ shown: inout Set<String>) {
    for selection in set.selections {
      switch selection {
      case .field(let field):
        if field.isAdded { names.insert(field.responseKey) } else { shown.insert(field.responseKey) }
        guard let inner = field.selectionSet, inner.hasAdded else { continue }
        let below = HiddenFields(of: inner)
        if let other = children[field.responseKey] {
          children[field.responseKey] = other.merged(with: below)
        } else {
          children[field.responseKey] = below
        }
      case .fragment(let fragment): collect(fragment.selectionSet, &shown)
      }
    }
  }

  /// Returns the fields that are hidden in two selections of the same field.
  private func merged(with other: HiddenFields) -> HiddenFields {
    HiddenFields(
      names: names.intersection(other.names),
      children: children.merging(other.children) { $0.merged(with: $1) })
  }
}
