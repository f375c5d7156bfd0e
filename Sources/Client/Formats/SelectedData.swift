import ApusClientOperation
import ApusJSON

/// The response keys that an operation selects at each path, for any type.
///
/// A recording has additional fields if the document was extended for the cache.
struct SelectedNames: Sendable {
  /// The selections by response key; `nil` for leaf fields.
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

  /// Returns data without fields that are not selected. If there are none, returns the value itself, without copying.
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
