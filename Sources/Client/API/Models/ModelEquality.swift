import ApusClientOperation
import ApusJSON

/// When two models are equal: when everything that can be read from them is. What the object has besides, by other
/// fragments or by a server that says more than it was asked, is not theirs; a field that is left out reads as null.
struct ModelEquality {
  private let node: PlanNode

  init(_ model: any SelectionSet.Type) { node = LoweredModels.node(model) }

  /// Whether states of deferred fragments can be read from the model.
  var hasDeferred: Bool { node.hasIncremental }

  func areEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
    left == right || Self.areEqual(left, right, node)
  }

  private static func areEqual(_ left: JSONValue, _ right: JSONValue, _ node: PlanNode) -> Bool {
    switch (left.kind, right.kind) {
    case (.object, .object):
      let typename = node.typename(of: left)
      guard typename == node.typename(of: right) else { return false }
      return node.fields(for: typename).fields.allSatisfy { field in
        let (left, right) = (left[field.responseKey] ?? .null, right[field.responseKey] ?? .null)
        guard let child = field.child else {
          return left == right || Self.identity(of: left, field) == Self.identity(of: right, field)
        }
        return areEqual(left, right, child)
      }
    case (.array, .array):
      return left.count == right.count && zip(left.elements, right.elements).allSatisfy { areEqual($0, $1, node) }
    default: return left == right
    }
  }

  /// Equal models have the same: the type, and the values that are no objects.
  func hash(_ json: JSONValue, into hasher: inout Hasher) {
    let typename = node.typename(of: json)
    hasher.combine(typename)
    for field in node.fields(for: typename).fields where field.child == nil {
      hasher.combine(Self.identity(of: json[field.responseKey] ?? .null, field))
    }
  }

  /// Returns a leaf in a form for comparisons: a custom scalar as the value that it is decoded to, since equal scalars may be
  /// written in several ways.
  private static func identity(of json: JSONValue, _ field: PlanField) -> AnyHashable {
    guard let identity = field.field.leafIdentity, !json.isNull else { return AnyHashable(json) }
    func identities(_ json: JSONValue, level: Int) -> AnyHashable {
      if json.isNull { return AnyHashable(json) }
      if level == 0 { return identity(json) }
      return AnyHashable(json.elements.map { identities($0, level: level - 1) })
    }
    return identities(json, level: json.kind == .array ? field.type?.listDepth ?? 0 : 0)
  }
}

extension PlanNode {
  /// What is selected here of an object that has more.
  func selected(of json: JSONValue, typename: String? = nil) -> JSONValue {
    switch json.kind {
    case .array: return .array(json.elements.map { selected(of: $0) })
    case .object:
      let typename = self.typename(of: json) ?? typename
      return .object(
        fields(for: typename).fields.compactMap { field in
          json[field.responseKey].map { (field.responseKey, field.child?.selected(of: $0) ?? $0) }
        })
    default: return json
    }
  }
}
