import ApusClientOperation
import ApusJSON

/// The position of an object in the operation and in the response.
struct ObjectContext: Sendable {
  /// Selections at this position; `nil` if the operation has none for it.
  let node: PlanNode?
  /// States of deferred fragments; `nil` if there can be none at or below this position, or they were not recorded.
  private let states: DeferredStates?
  /// The response path, recorded only if there are states to look up.
  private let path: [PathComponent]
  /// Whether the object was created in code, so that variables are unknown.
  let isMade: Bool

  static let unknown = ObjectContext(node: nil)

  init(node: PlanNode?, states: DeferredStates? = nil, path: [PathComponent] = [], isMade: Bool = false) {
    self.node = node
    self.states = node?.hasIncremental == true ? states : nil
    self.path = path
    self.isMade = isMade
  }

  var hasStates: Bool { states != nil }

  /// The position of a changed object, whose states are derived from its data.
  var withoutStates: ObjectContext { ObjectContext(node: node, isMade: isMade) }

  func child(_ key: String, of object: JSONValue) -> ObjectContext {
    let child = node?.fields(of: object)[key]?.child
    let keepsPath = states != nil && child?.hasIncremental == true
    return ObjectContext(node: child, states: states, path: keepsPath ? path + [.key(key)] : [], isMade: isMade)
  }

  func appending(_ component: PathComponent) -> ObjectContext {
    ObjectContext(node: node, states: states, path: path + [component], isMade: isMade)
  }

  /// Returns the position with the selections of a model, if the operation has none.
  func resolved(_ model: any SelectionSet.Type) -> ObjectContext {
    node == nil ? ObjectContext(node: CompiledModelCache.node(model), isMade: true) : self
  }

  func state(of fragment: PlanFragment) -> DeferredState? {
    states?.state(of: fragment.fragment.id, at: ResponsePath(path))
  }

  /// Whether the fragments at and below this position have the same states, on objects with equal data. States that
  /// were not recorded are derived from the data.
  func hasSameStates(as other: ObjectContext, of json: JSONValue) -> Bool {
    switch (states, other.states) {
    case (nil, nil): true
    case (let left?, let right?):
      (left === right && path == other.path)
        || left.states(nested: ResponsePath(path)) == right.states(nested: ResponsePath(other.path))
    case (_?, nil): agreesWithStates(by: json)
    case (nil, _?): other.agreesWithStates(by: json)
    }
  }

  private func agreesWithStates(by json: JSONValue) -> Bool {
    guard let node, let states else { return true }
    return states.fragments(nested: ResponsePath(path)).allSatisfy { fragment in
      let rest = fragment.path.components.dropFirst(path.count)
      return DeferredStates.state(of: fragment.fragmentID, at: rest, in: json, node) == fragment.state
    }
  }
}
