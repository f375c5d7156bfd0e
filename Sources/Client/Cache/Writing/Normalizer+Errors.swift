import ApusClientAPI
import ApusClientOperation
import ApusClientRecords
import ApusClientResultExecution
import ApusJSON

/// Storing errors with the fields that have no value because of them, so that a cache miss can report the reason.
///
/// Error paths are resolved in the response, not in the records: if a response contains an object twice, its record has the
/// references of the later occurrence.
extension Normalizer {
  /// A value at a path of the response.
  private struct Found {
    let value: JSONValue
    let shapes: NormalizerNode
    /// The field that contains the value, and the indexes in its lists; `nil` for the operation's root.
    var field: FieldLocation?
    var positions: ContiguousArray<UInt32> = []
  }

  /// Stores the errors of a field that has no value because of them.
  mutating func recordError(_ unanswered: ErroredField, data: JSONValue) {
    guard let path = unanswered.path.field, case .key(let key)? = path.components.last else { return }
    var place = Found(value: data, shapes: shapes(of: plan.root))
    for component in path.components.dropLast() {
      guard let next = step(component, from: place) else { return }
      place = next
    }
    guard let object = object(at: place), let field = object.shape.fields.first(where: { $0.responseKey == key })
    else { return }
    guard options.reaches(path) || records.storage.isEmbedded(object.record) else { return }
    recordError(unanswered.errors, field.plan, of: object)
  }

  /// Stores the errors of a failed deferred fragment with each field that is missing because of it.
  mutating func recordError(_ fragment: DeferredFragment, data: JSONValue) {
    var place = Found(value: data, shapes: shapes(of: plan.root))
    for component in fragment.objectPath.components {
      guard let next = step(component, from: place) else { return }
      place = next
    }
    let fragments = place.shapes.node.fields(of: place.value).fragments
    guard let planned = fragments.first(where: { $0.fragment.id == fragment.fragmentID }) else { return }
    noteMissing(of: planned.node, usage: planned.usage, fragment.state.errors, place)
  }

  private mutating func noteMissing(
    of node: PlanNode, usage: PlanDeferral?, _ errors: [GraphQLError], _ place: Found
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
        recordError(errors, field, of: object)
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
      return Found(value: value, shapes: child, field: FieldLocation(object.record, field.pathID))
    case .index(let index):
      guard place.value.kind == .array, let value = place.value[index] else { return nil }
      return Found(
        value: value, shapes: place.shapes, field: place.field, positions: place.positions + [UInt32(index)])
    }
  }

  /// Returns the object at a path and the record that it was written to.
  private mutating func object(at place: Found) -> (record: RecordID, shape: NormalizerSelection)? {
    guard place.value.kind == .object else { return nil }
    let shape = shape(in: place.shapes, typename: place.shapes.typename(of: place.value))
    // An object of an impossible type is not written, so its errors do not belong to the record with its key.
    guard shape.isPossible else { return nil }
    guard let field = place.field else { return (root, shape) }
    return (key(of: place.value, shape) ?? path(in: field, place.positions), shape)
  }

  /// Adds errors to those that are stored with a field, if the field has no value.
  private mutating func recordError(
    _ errors: [GraphQLError], _ field: PlanField, of object: (record: RecordID, shape: NormalizerSelection)
  ) {
    let record = object.record
    guard isKept(record), records.storage.exists(record) else { return }
    let key = policies.fieldKey(field, of: object.shape.parentType, variables: plan.variables)
    let id = records.storage.fieldNames.intern(key)
    guard records.storage.value(of: id, in: record) == nil else { return }
    var list =
      records.storage.notes.error(record, id).flatMap { JSONBytes.document(Array($0.utf8)) }
      .map { Array($0.elements) } ?? []
    for error in errors where !list.contains(error.json) { list.append(error.json) }
    records.storage.notes.setError(JSONValue.array(list).description, record, id)
    if let merge = object.shape.fields.first(where: { $0.plan === field })?.merge {
      records.merges[FieldLocation(record, id)] = merge
    }
  }
}

/// A value of a response that is missing because of errors, or must not be cached.
package struct ErroredField {
  /// The path of the value, which can be a list item.
  let path: ResponsePath
  var errors: [GraphQLError]

  /// Returns the data without these values, or `nil` if nothing remains that can be cached.
  package static func removeAll(
    from data: JSONValue, _ errors: [GraphQLError], explained: [GraphQLError], plan: SelectionPlan
  ) -> JSONValue? {
    FieldRemoval.remove(all(errors, explained: explained, in: data, plan).map(\.path), from: data)
  }

  /// Returns the nulls in the data that errors explain. An error without a valid path may explain any null, unless it is in
  /// `explained`: the errors of deferred fragments and streamed lists, which leave no nulls.
  static func all(
    _ errors: [GraphQLError], explained: [GraphQLError], in data: JSONValue, _ plan: SelectionPlan
  ) -> [ErroredField] {
    if errors.isEmpty { return [] }
    var fields: [ErroredField] = []
    var unexplained: GraphQLError?
    for error in errors {
      if let place = path(of: error, in: data, plan.root) {
        fields.append(ErroredField(path: place, errors: [error]))
      } else if unexplained == nil, !explained.contains(error) {
        unexplained = error
      }
    }
    if let unexplained { addNulls(in: data, at: [], unexplained, to: &fields) }
    return fields
  }

  private static func addNulls(
    in value: JSONValue, at place: [PathComponent], _ error: GraphQLError, to fields: inout [ErroredField]
  ) {
    switch value.kind {
    case .null: fields.append(ErroredField(path: ResponsePath(place), errors: [error]))
    case .object:
      for member in value.members { addNulls(in: member.value, at: place + [.key(member.key)], error, to: &fields) }
    case .array:
      for (index, element) in value.elements.enumerated() {
        addNulls(in: element, at: place + [.index(index)], error, to: &fields)
      }
    default: break
    }
  }

  /// Returns the path of the null or missing field that an error explains, or `nil` if the error's path leads to neither.
  private static func path(of error: GraphQLError, in data: JSONValue, _ root: PlanNode) -> ResponsePath? {
    guard let path = error.path else { return nil }
    var (value, node): (JSONValue, PlanNode?) = (data, root)
    for (index, component) in path.components.enumerated() {
      let place = ResponsePath(Array(path.components[...index]))
      switch component {
      case .key(let key):
        guard value.kind == .object, let field = node?.fields(of: value)[key] else { return nil }
        guard let member = value[key], !member.isNull else { return place }
        (value, node) = (member, field.child)
      case .index(let index):
        guard let element = value[index] else { return nil }
        if element.isNull { return place }
        value = element
      }
    }
    return nil
  }
}

extension GraphQLError {
  /// The error code (`extensions.code`) of errors that the client detected in a response: `INVALID_RESPONSE`.
  public static let invalidResponseCode = "INVALID_RESPONSE"

  package init(_ error: ResultError) {
    self.init(
      message: error.description, path: error.path,
      extensions: .object([("code", JSONValue(Self.invalidResponseCode))]))
  }
}
