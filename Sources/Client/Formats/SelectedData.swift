import ApusClientOperation
import ApusJSON

/// The names that an operation selects at each place of its response, whatever the types of its fragments.
///
/// What was recorded has more where the operation was sent with fields for the cache's sake.
struct SelectedNames: Sendable {
  /// By the response key; nil beneath what has no selections.
  private var fields: [String: SelectedNames?] = [:]

  init(_ set: CompiledSelectionSet) { collect(set) }

  private mutating func collect(_ set: CompiledSelectionSet) {
    for selection in set.selections {
      switch selection {
      case .fragment(let fragment): collect(fragment.selectionSet)
      case .field(let field):
        guard let inner = field.selectionSet else {
          fields[field.responseKey] = .some(nil)
          continue
        }
        var names = (fields[field.responseKey] ?? nil) ?? SelectedNames(inner)
        names.collect(inner)
        fields[field.responseKey] = names
      }
    }
  }

  /// Data without what is not selected; where everything is, the value itself, which shares all that it has.
  func filtering(_ data: JSONValue) -> JSONValue { hasOthers(data) ? selected(data) : data }

  private func hasOthers(_ value: JSONValue) -> Bool {
    switch value.kind {
    case .array: return value.elements.contains(where: hasOthers)
    case .object:
      return value.members.contains { key, member in
        guard let names = fields[key] else { return true }
        return names?.hasOthers(member) ?? false
      }
    default: return false
    }
  }

  private func selected(_ value: JSONValue) -> JSONValue {
    switch value.kind {
    case .array: return .array(value.elements.map(selected))
    case .object:
      return .object(
        value.members.compactMap { key, member in
          fields[key].map { names in (key, names?.selected(member) ?? member) }
        })
    default: return value
    }
  }
}
