import ApusClientOperation
import ApusJSON

/// The data behind a model: an object of a response, and where in its operation it stands. Fields are decoded when they
/// are read. Changing one gives this value another object that shares the rest with the old one.
///
/// One reference, so that a model is one: a compiler writes no code of its own to copy and destroy each of them.
public struct DataDict: Sendable, Hashable {
  private final class Object: Sendable {
    let json: JSONValue
    let place: ObjectPlace

    init(_ json: JSONValue, _ place: ObjectPlace) {
      self.json = json
      self.place = place
    }
  }

  private var object: Object

  /// The object, with all that its operation selects on it.
  public var json: JSONValue { object.json }
  private var place: ObjectPlace { object.place }

  /// The place must know its plan node.
  init(_ json: JSONValue, place: ObjectPlace) {
    object = Object(json, place)
  }

  /// The root object of a response.
  package init(_ response: ResponseData, plan: SelectionPlan) {
    self.init(response.json, place: ObjectPlace(node: plan.root, states: DeferredStates(response.fragments)))
  }

  /// An object made by hand: what selection set initializers are made of. Of deferred fragments that are given, their own
  /// fields are merged into it; one that is left out is pending.
  ///
  /// - Parameter keys: The response keys, with a blank between two.
  public init<Model: SelectionSet>(
    _ model: Model.Type, typename: String, _ keys: StaticString, _ values: [any OutputValue],
    deferred: [(any SelectionSet)?] = []
  ) {
    let keys = keys.withUTF8Buffer { keys in
      keys.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    }
    self.init(model, typename: typename, OutputFields(Array(zip(keys, values))), deferred: deferred)
  }

  /// The same with each value behind its response key.
  public init<Model: SelectionSet>(
    _ model: Model.Type, typename: String, _ fields: OutputFields, deferred: [(any SelectionSet)?] = []
  ) {
    let node = LoweredModels.node(Model.self)
    // Where an object can be of one type only and nobody asks for it, a response does not tell it either.
    let key = node.typenameKey ?? (node.concreteType == nil ? "__typename" : nil)
    let given = JSONValue.object((key.map { [($0, JSONValue(typename))] } ?? []) + fields.members)
    var json = given
    for case let fragment? in deferred {
      // The fragment may stand on another object of a response, all of which is behind it.
      let own = LoweredModels.node(type(of: fragment)).selected(of: fragment.__data.json, typename: typename)
      // Two objects always merge.
      json = (try? json.mergingDeeply(own, at: .root).mergingDeeply(given, at: .root)) ?? json
    }
    self.init(json, place: ObjectPlace(node: node, isMade: true))
  }

  /// A field by its response key. Asking for one that the operation does not select, or by another type, is an error of
  /// the program.
  public subscript<Value: OutputValue>(_ key: String) -> Value {
    get {
      guard let value = Value(field(key)) else { missing(key, Value.self) }
      return value
    }
    set {
      // An object takes any member.
      object = Object((try? json.replacing(at: [.key(key)], with: newValue._json)) ?? json, place.withoutStates)
    }
  }

  /// Takes over the fields of a view on the same object in which some were changed, such as the one through an inline
  /// fragment. `nil` changes nothing.
  public mutating func takeFields(of view: (any SelectionSet)?) {
    guard let view else { return }
    var changed = json
    for (key, value) in view.__data.json.members {
      changed = (try? changed.replacing(at: [.key(key)], with: value)) ?? changed
    }
    object = Object(changed, place.withoutStates)
  }

  /// The type that the object says it has.
  public var typename: String? { place.node?.typename(of: json) ?? json["__typename"]?.string }

  /// Whether a fragment that is not deferred covers the object and was not left out by a condition.
  public func covers(_ model: any SelectionSet.Type) -> Bool {
    if let composite = model as? any CompositeInlineFragment.Type {
      return composite.__mergedSources.allSatisfy { covers($0) }
    }
    guard let node = place.node, node.fields(of: json).models.contains(ObjectIdentifier(model)) else { return false }
    // An object made by hand has no variables to decide conditions: a fragment is there when its fields are.
    return !place.isMade
      || FragmentCoverage.covers(LoweredModels.required(model), value: json, typename: nil, usage: nil)
  }

  /// What became of a deferred fragment on this object.
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

  /// Where nobody kept the states, the data tells them.
  private func state(
    of fragment: PlanFragment, _ model: any SelectionSet.Type, typename: String?
  ) -> DeferredState {
    let node = place.isMade ? LoweredModels.required(model) : fragment.node
    let usage = place.isMade ? nil : fragment.usage
    return DeferredStates.state(of: fragment, node: node, usage: usage, in: json, typename)
  }

  private func field(_ key: String) -> FieldView {
    let value = json[key] ?? .null
    guard value.kind == .object || value.kind == .array else { return FieldView(value, place: .unknown) }
    return FieldView(value, place: place.child(key, of: json))
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

/// The fields of an object made by hand, in their order.
public struct OutputFields: Sendable, ExpressibleByDictionaryLiteral {
  let members: [(String, JSONValue)]

  public init(dictionaryLiteral elements: (String, any OutputValue)...) {
    self.init(elements)
  }

  init(_ elements: [(String, any OutputValue)]) {
    members = elements.map { ($0.0, $0.1._json) }
  }
}
