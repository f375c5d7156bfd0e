import ApusClientOperation
import ApusJSON

/// Where in an operation an object stands, and where in a response.
struct ObjectPlace: Sendable {
  /// What is selected here; `nil` where the operation does not tell.
  let node: PlanNode?
  /// The states of the response's fragments; `nil` where none can stand here or beneath, or nobody kept them.
  private let states: DeferredStates?
  /// The path to here; kept only as long as there are states to look up by it.
  private let path: [PathComponent]
  /// Whether the object was made by hand, so that no variables are known.
  let isMade: Bool

  static let unknown = ObjectPlace(node: nil)

  init(node: PlanNode?, states: DeferredStates? = nil, path: [PathComponent] = [], isMade: Bool = false) {
    self.node = node
    self.states = node?.hasIncremental == true ? states : nil
    self.path = path
    self.isMade = isMade
  }

  var hasStates: Bool { states != nil }

  /// The same place, once its object has been changed: the data tells the states.
  var withoutStates: ObjectPlace { ObjectPlace(node: node, isMade: isMade) }

  func child(_ key: String, of object: JSONValue) -> ObjectPlace {
    let child = node?.fields(of: object)[key]?.child
    let keepsPath = states != nil && child?.hasIncremental == true
    return ObjectPlace(node: child, states: states, path: keepsPath ? path + [.key(key)] : [], isMade: isMade)
  }

  func appending(_ component: PathComponent) -> ObjectPlace {
    ObjectPlace(node: node, states: states, path: path + [component], isMade: isMade)
  }

  /// The same place, known by its model where the operation does not tell.
  func resolved(_ model: any SelectionSet.Type) -> ObjectPlace {
    node == nil ? ObjectPlace(node: LoweredModels.node(model), isMade: true) : self
  }

  func state(of fragment: PlanFragment) -> DeferredState? {
    states?.state(of: fragment.fragment.id, at: ResponsePath(path))
  }

  /// Whether the fragments here and beneath are in the same states, on objects with the same data. Where nobody kept the
  /// states, the data tells them.
  func hasSameStates(as other: ObjectPlace, of json: JSONValue) -> Bool {
    switch (states, other.states) {
    case (nil, nil): true
    case (let left?, let right?):
      (left === right && path == other.path)
        || left.states(beneath: ResponsePath(path)) == right.states(beneath: ResponsePath(other.path))
    case (_?, nil): areStatesTold(by: json)
    case (nil, _?): other.areStatesTold(by: json)
    }
  }

  private func areStatesTold(by json: JSONValue) -> Bool {
    guard let node, let states else { return true }
    return states.fragments(beneath: ResponsePath(path)).allSatisfy { fragment in
      let rest = fragment.path.components.dropFirst(path.count)
      return DeferredStates.state(of: fragment.fragmentID, at: rest, in: json, node) == fragment.state
    }
  }
}
