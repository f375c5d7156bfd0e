import ApusClientAPI
import ApusClientOperation
import ApusClientResultExecution
import ApusJSON

/// Errors are kept where they left no value, so that whoever misses it learns why.
extension Normalizer {
  /// What stands at a place of the response, and what became of it.
  private struct Found {
    var value: JSONValue
    var node: PlanNode
    var slot: ValueSlot
  }

  /// Notes an error with the field that it left without a value, if the response still tells which that is.
  mutating func note(_ error: GraphQLError, data: JSONValue, root: UInt32) {
    guard let path = error.path else { return }
    var place = Found(value: data, node: plan.root, slot: .reference(root))
    for component in path.components {
      if case .key(let key) = component {
        guard place.slot.kind == .reference else { return }
        guard let next = place.value[key], !next.isNull else {
          guard let field = place.node.fields(of: place.value)[key] else { return }
          return note([error], field, of: place.slot.target, in: place.node, place.value)
        }
      }
      guard let next = step(component, from: place) else { return }
      place = next
    }
  }

  /// Notes why a deferred fragment failed with each field that it did not bring.
  mutating func note(_ fragment: DeferredFragment, data: JSONValue, root: UInt32) {
    var place = Found(value: data, node: plan.root, slot: .reference(root))
    for component in fragment.path.components {
      guard let next = step(component, from: place) else { return }
      place = next
    }
    let known = place.node.fields(of: place.value).fragments.first { $0.fragment.id == fragment.fragmentID }
    guard let known else { return }
    noteMissing(of: known.node, usage: known.usage, fragment.state.errors, place)
  }

  private mutating func noteMissing(
    of node: PlanNode, usage: DeferUsage?, _ errors: [GraphQLError], _ place: Found
  ) {
    switch place.slot.kind {
    case .reference where place.value.kind == .object:
      for field in node.fields(for: place.node.typename(of: place.value)).fields
      where FragmentCoverage.isOwn(field, usage: usage) && field.isCertain {
        if place.value[field.responseKey] == nil {
          note(errors, field, of: place.slot.target, in: place.node, place.value)
        } else if let child = field.child, let next = step(.key(field.responseKey), from: place) {
          noteMissing(of: child, usage: usage, errors, next)
        }
      }
    case .list:
      for index in 0..<place.slot.count {
        if let next = step(.index(index), from: place) { noteMissing(of: node, usage: usage, errors, next) }
      }
    default: return
    }
  }

  private func step(_ component: PathComponent, from place: Found) -> Found? {
    switch component {
    case .key(let key):
      guard place.slot.kind == .reference, let value = place.value[key],
        let field = place.node.fields(of: place.value)[key], let child = field.child,
        let symbol = symbol(of: field, in: place.node, place.value),
        let slot = records.table.value(ofField: symbol, in: place.slot.target)
      else { return nil }
      return Found(value: value, node: child, slot: slot)
    case .index(let index):
      guard place.slot.kind == .list, index < place.slot.count, let value = place.value[index] else { return nil }
      return Found(value: value, node: place.node, slot: records.table.slots.element(place.slot.run, index))
    }
  }

  private func fieldKey(_ field: PlanField, in node: PlanNode, _ object: JSONValue) -> String {
    policies.fieldKey(field, of: node.typename(of: object) ?? node.concreteType, variables: plan.variables)
  }

  private func symbol(of field: PlanField, in node: PlanNode, _ object: JSONValue) -> UInt32? {
    records.table.fieldKeys.index(of: fieldKey(field, in: node, object))
  }

  /// Adds errors to those that are noted with a field already, if it has no value.
  private mutating func note(
    _ errors: [GraphQLError], _ field: PlanField, of id: UInt32, in node: PlanNode, _ object: JSONValue
  ) {
    guard isKept(id), records.table.entries[id].exists else { return }
    let symbol = records.table.fieldKeys.intern(fieldKey(field, in: node, object))
    guard records.table.value(ofField: symbol, in: id) == nil else { return }
    var list =
      records.table.notes.error(id, symbol).flatMap { JSONText.document(Array($0.utf8)) }
      .map { Array($0.elements) } ?? []
    for error in errors where !list.contains(error.json) { list.append(error.json) }
    records.table.notes.setError(JSONValue.array(list).description, id, symbol)
  }
}

/// The fields that errors have made null.
package enum UnansweredField {
  /// The data without them; `nil` when nothing is left that could be kept.
  package static func removeAll(
    from data: JSONValue, _ errors: [GraphQLError], _ fragments: [DeferredFragment]
  ) -> JSONValue? {
    FieldRemoval.remove(paths(of: errors, fragments, in: data), from: data)
  }

  /// Where they stand. An error that does not say where it happened, and is no deferred fragment's, may have left any of the
  /// nulls.
  static func paths(
    of errors: [GraphQLError], _ fragments: [DeferredFragment], in data: JSONValue
  ) -> [ResponsePath] {
    if errors.isEmpty { return [] }
    var paths = errors.compactMap { path(of: $0, in: data) }
    let isUnexplained = errors.contains { error in
      error.path == nil && !fragments.contains { $0.state.errors.contains(error) }
    }
    if isUnexplained { addNulls(in: data, at: [], to: &paths) }
    return paths
  }

  private static func addNulls(in value: JSONValue, at place: [PathComponent], to paths: inout [ResponsePath]) {
    switch value.kind {
    case .null: paths.append(ResponsePath(place))
    case .object:
      for member in value.members { addNulls(in: member.value, at: place + [.key(member.key)], to: &paths) }
    case .array:
      for (index, element) in value.elements.enumerated() {
        addNulls(in: element, at: place + [.index(index)], to: &paths)
      }
    default: break
    }
  }

  /// The path to it; nil when the error left no null. Where the null stands in a list, it is the path to the list's item.
  private static func path(of error: GraphQLError, in data: JSONValue) -> ResponsePath? {
    guard let path = error.path else { return nil }
    var value = data
    var place: [PathComponent] = []
    for component in path.components {
      let next: JSONValue? =
        switch component {
        case .key(let key): value[key]
        case .index(let index): value[index]
        }
      guard let next else { return nil }
      place.append(component)
      value = next
      if value.isNull { return ResponsePath(place) }
    }
    return nil
  }
}

extension GraphQLError {
  /// The code of errors that the client found in a response, under `extensions.code`.
  public static let invalidResponseCode = "INVALID_RESPONSE"

  package init(_ error: ResultError) {
    self.init(
      message: error.description, path: error.path,
      extensions: .object([("code", JSONValue(Self.invalidResponseCode))]))
  }
}
