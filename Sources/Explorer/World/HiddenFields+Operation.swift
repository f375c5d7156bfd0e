import ApusClientOperation
import ApusExplorerCore

extension HiddenFields {
  /// A field is hidden if it was added wherever it is selected; the types of fragments are not told apart.
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

  /// Two selections of one field: what both hide is hidden.
  private func merged(with other: HiddenFields) -> HiddenFields {
    HiddenFields(
      names: names.intersection(other.names),
      children: children.merging(other.children) { $0.merged(with: $1) })
  }
}
