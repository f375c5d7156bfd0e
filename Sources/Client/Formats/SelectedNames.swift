import ApusClientOperation
import ApusJSON

/// The response keys that an operation selects at each path, for any type: `bird` and `bird.name` for
/// `{ bird { name } }`.
///
/// A recording has additional fields if the document was extended for the cache.
struct SelectedNames: Sendable {
  /// The selections by response key; `nil` for leaf fields.
  private var fields: [String: SelectedNames?] = [:]
  /// The named fragments whose fields are there. A fragment may be spread any number of times at each level.
  private var fragments: Set<String> = []

  private init() {}

  init(_ set: CompiledSelectionSet) { collect(set) }

  private mutating func collect(_ set: CompiledSelectionSet) {
    for selection in set.selections {
      switch selection {
      case .fragment(let fragment):
        if let name = fragment.name, !fragments.insert(name).inserted { continue }
        collect(fragment.selectionSet)
      case .field(let field):
        guard let inner = field.selectionSet else {
          fields[field.responseKey] = .some(nil)
          continue
        }
        var names = (fields[field.responseKey] ?? nil) ?? SelectedNames()
        names.collect(inner)
        fields[field.responseKey] = names
      }
    }
  }

  /// Whether the value at a path of the data has fields that are not selected.
  func hasOthers(in data: JSONValue, at path: ResponsePath) -> Bool {
    var names = self
    for component in path.components {
      guard case .key(let key) = component else { continue }
      guard let inner = names.fields[key] else { return true }
      guard let inner else { return false }
      names = inner
    }
    return data.value(at: path).map { names.hasOthers($0) } ?? false
  }

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

  /// Returns data without fields that are not selected.
  func selected(_ value: JSONValue) -> JSONValue {
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
