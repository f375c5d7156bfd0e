import ApusClientAPI
import ApusClientOperation
import ApusClientResultExecution
import ApusJSON

/// Errors are kept where they left no value, so that whoever misses it learns why.
///
/// Their paths are followed along the response and not along its records: of an object that a response tells twice, the
/// record has the later one's references.
extension Normalizer {
  /// What stands at a place of the response.
  private struct Found {
    let value: JSONValue
    let shapes: NormalizerShapes
    /// The field that it stands in, and where in the field's lists.
    var field: (record: UInt32, symbol: UInt32) = (0, 0)
    var positions: ContiguousArray<UInt32> = []
    /// Of the operation's own fields: the root.
    var root: UInt32?
  }

  /// Notes an error with the field that it left without a value, if the response still tells which that is.
  mutating func note(_ error: GraphQLError, data: JSONValue, root: UInt32) {
    guard let path = error.path else { return }
    var place = Found(value: data, shapes: shapes(of: plan.root), root: root)
    for component in path.components {
      if case .key(let key) = component, let object = object(at: place), place.value[key]?.isNull ?? true {
        guard let field = object.shape.fields.first(where: { $0.responseKey == key }) else { return }
        return note([error], field.plan, of: object)
      }
      guard let next = step(component, from: place) else { return }
      place = next
    }
  }

  /// Notes why a deferred fragment failed with each field that it did not bring.
  mutating func note(_ fragment: DeferredFragment, data: JSONValue, root: UInt32) {
    var place = Found(value: data, shapes: shapes(of: plan.root), root: root)
    for component in fragment.path.components {
      guard let next = step(component, from: place) else { return }
      place = next
    }
    let fragments = place.shapes.node.fields(of: place.value).fragments
    guard let known = fragments.first(where: { $0.fragment.id == fragment.fragmentID }) else { return }
    noteMissing(of: known.node, usage: known.usage, fragment.state.errors, place)
  }

  private mutating func noteMissing(
    of node: PlanNode, usage: DeferUsage?, _ errors: [GraphQLError], _ place: Found
  ) {
    if place.value.kind == .array {
      for index in 0..<place.value.count {
        if let next = step(.index(index), from: place) { noteMissing(of: node, usage: usage, errors, next) }
      }
    }
    guard let object = object(at: place) else { return }
    for field in node.fields(for: place.shapes.node.typename(of: place.value)).fields
    where FragmentCoverage.isOwn(field, usage: usage) && field.isCertain {
      if place.value[field.responseKey] == nil {
        note(errors, field, of: object)
      } else if let child = field.child, let next = step(.key(field.responseKey), from: place) {
        noteMissing(of: child, usage: usage, errors, next)
      }
    }
  }

  private mutating func step(_ component: PathComponent, from place: Found) -> Found? {
    switch component {
    case .key(let key):
      guard let object = object(at: place), let value = place.value[key],
        let field = object.shape.fields.first(where: { $0.responseKey == key }), let child = field.child
      else { return nil }
      return Found(value: value, shapes: child, field: (object.record, field.pathSymbol))
    case .index(let index):
      guard place.value.kind == .array, let value = place.value[index] else { return nil }
      return Found(
        value: value, shapes: place.shapes, field: place.field, positions: place.positions + [UInt32(index)])
    }
  }

  /// The object at a place, and the record that it was written to.
  private mutating func object(at place: Found) -> (record: UInt32, shape: NormalizerShape)? {
    guard place.value.kind == .object else { return nil }
    let shape = shape(in: place.shapes, typename: place.shapes.typename(of: place.value))
    if let root = place.root { return (root, shape) }
    listPositions = place.positions
    defer { listPositions = [] }
    let own = key(of: place.value, shape: shape, hasBytes: false)
    return (own ?? path(record: place.field.record, field: place.field.symbol), shape)
  }

  /// Adds errors to those that are noted with a field already, if it has no value.
  private mutating func note(
    _ errors: [GraphQLError], _ field: PlanField, of object: (record: UInt32, shape: NormalizerShape)
  ) {
    let id = object.record
    guard isKept(id), records.table.entries[id].exists else { return }
    let key = policies.fieldKey(field, of: object.shape.parentType, variables: plan.variables)
    let symbol = records.table.fieldKeys.intern(key)
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
