import ApusClientOperation
import ApusJSON

/// The data of a model: an object of a response and its position in the operation. Fields are decoded on access.
/// Changing a field creates a new object that shares unchanged parts with the old one.
///
/// Stored as a single reference, so that the compiler generates no code to copy and destroy each model.
public struct DataDict: Sendable, Hashable {
  private final class Object: Sendable {
    let json: JSONValue
    let place: ObjectContext

    init(_ json: JSONValue, _ place: ObjectContext) {
      self.json = json
      self.place = place
    }
  }

  private var object: Object

  /// The JSON object with everything that the operation selects on it.
  public var json: JSONValue { object.json }
  private var place: ObjectContext { object.place }

  /// Creates data at a position that has a plan node.
  init(_ json: JSONValue, place: ObjectContext) {
    object = Object(json, place)
  }

  /// Creates the data of a response's root object.
  package init(_ response: ResponseData, plan: SelectionPlan) {
    self.init(response.json, place: ObjectContext(node: plan.root, states: DeferredStates(response.fragments)))
  }

  /// Creates an object in code, as the initializers of selection sets do. The fields of given deferred fragments are
  /// merged into it; fragments that are not given are pending.
  ///
  /// - Parameter keys: The response keys, separated by spaces.
  public init<Model: SelectionSet>(
    _ model: Model.Type, typename: String, _ keys: StaticString, _ values: [any OutputValue],
    deferred: [(any SelectionSet)?] = []
  ) {
    let keys = keys.withUTF8Buffer { keys in
      keys.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    }
    self.init(model, typename: typename, OutputFields(Array(zip(keys, values))), deferred: deferred)
  }

  /// Creates an object in code from response keys and values.
  public init<Model: SelectionSet>(
    _ model: Model.Type, typename: String, _ fields: OutputFields, deferred: [(any SelectionSet)?] = []
  ) {
    let node = CompiledModelCache.node(Model.self)
    // A response does not include the type of an object that can have only one type, unless it is selected.
    let key = node.typenameKey ?? (node.concreteType == nil ? "__typename" : nil)
    let given = JSONValue.object((key.map { [($0, JSONValue(typename))] } ?? []) + fields.members)
    var json = given
    for case let fragment? in deferred {
      // In a response, the fragment may have been on another object, with further fields.
      let fragmentData = CompiledModelCache.node(type(of: fragment)).selected(
        of: fragment.__data.json, typename: typename)
      // Merging two objects cannot fail.
      json = (try? json.mergingDeeply(fragmentData, at: .root).mergingDeeply(given, at: .root)) ?? json
    }
    self.init(json, place: ObjectContext(node: node, isMade: true))
  }

  /// The value of a field by its response key. Traps if the operation does not select the field with this type, which
  /// is a programming error.
  public subscript<Value: OutputValue>(_ key: String) -> Value {
    get {
      guard let value = Value(field(key)) else { missing(key, Value.self) }
      return value
    }
    set {
      // An object accepts any member.
      object = Object((try? json.replacing(at: [.key(key)], with: newValue._json)) ?? json, place.withoutStates)
    }
  }

  /// Merges the fields of a changed view on the same object, such as an inline fragment. `nil` changes nothing.
  public mutating func mergeFields(of view: (any SelectionSet)?) {
    guard let view else { return }
    var changed = json
    for (key, value) in view.__data.json.members {
      changed = (try? changed.replacing(at: [.key(key)], with: value)) ?? changed
    }
    object = Object(changed, place.withoutStates)
  }

  /// The type name of the object.
  public var typename: String? { place.node?.typename(of: json) ?? json["__typename"]?.string }

  /// Whether a fragment that is not deferred covers the object and is not excluded by a condition.
  public func covers(_ model: any SelectionSet.Type) -> Bool {
    if let composite = model as? any CompositeInlineFragment.Type {
      return composite.__mergedSources.allSatisfy { covers($0) }
    }
    guard let node = place.node, node.fields(of: json).models.contains(ObjectIdentifier(model)) else { return false }
    // Objects created in code have no variables to evaluate conditions, so a fragment is present if its fields are.
    return !place.isMade
      || FragmentCoverage.covers(CompiledModelCache.required(model), value: json, typename: nil, usage: nil)
  }

  /// Returns the state of a deferred fragment on this object.
  public func state(of model: any SelectionSet.Type, label: String? = nil) -> DeferredState {
    guard let node = place.node else { return .notExecuted }
    let typename = node.typename(of: json)
    var first: DeferredState?
    for fragment in node.fields(for: typename).fragments
    where fragment.fragment.model == ObjectIdentifier(model)
      && (label == nil || fragment.fragment.deferral?.label == label)
    {
      let state = place.state(of: fragment) ?? state(of: fragment, model, typename: typename)
      if state == .fulfilled { return state }
      first = first ?? state
    }
    return first ?? .notExecuted
  }

  /// Returns the state as shown by the data, for objects without recorded states.
  private func state(
    of fragment: PlanFragment, _ model: any SelectionSet.Type, typename: String?
  ) -> DeferredState {
    let node = place.isMade ? CompiledModelCache.required(model) : fragment.node
    let usage = place.isMade ? nil : fragment.usage
    return DeferredStates.state(of: fragment, node: node, usage: usage, in: json, typename)
  }

  private func field(_ key: String) -> FieldValue {
    let value = json[key] ?? .null
    guard value.kind == .object || value.kind == .array else { return FieldValue(value, place: .unknown) }
    return FieldValue(value, place: place.child(key, of: json))
  }

  private func missing(_ key: String, _ type: any OutputValue.Type) -> Never {
    let found = json[key].map { "is \($0.kind)" } ?? "is missing"
    preconditionFailure("the field \"\(key)\" of a \(typename ?? "model") \(found), where the model has \(type)")
  }

  public static func == (left: DataDict, right: DataDict) -> Bool {
    left.json == right.json && left.place.hasSameStates(as: right.place, of: left.json)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(json) }

  func isEqual(to other: DataDict, as model: any SelectionSet.Type) -> Bool {
    let equality = ModelEquality(model)
    return equality.areEqual(json, other.json)
      && (!equality.hasDeferred || place.hasSameStates(as: other.place, of: json))
  }

  func hash(as model: any SelectionSet.Type, into hasher: inout Hasher) {
    ModelEquality(model).hash(json, into: &hasher)
  }
}

/// The fields of an object created in code, in order: `["id": "b42", "name": "Owl"]`.
public struct OutputFields: Sendable, ExpressibleByDictionaryLiteral {
  let members: [(String, JSONValue)]

  public init(dictionaryLiteral elements: (String, any OutputValue)...) {
    self.init(elements)
  }

  init(_ elements: [(String, any OutputValue)]) {
    members = elements.map { ($0.0, $0.1._json) }
  }
}
