import ApusClientOperation
import ApusJSON

/// Equality of models: all values that can be read from them are equal. Other data of the objects, from other fragments
/// or extra fields in the response, does not count. A missing field equals null.
struct ModelEquality {
  private let node: PlanNode

  init(_ model: any SelectionSet.Type) { node = CompiledModelCache.node(model) }

  /// Whether the model can show states of deferred fragments.
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

  /// Hashes the type and the values that are not objects, which are the same for equal models.
  func hash(_ json: JSONValue, into hasher: inout Hasher) {
    let typename = node.typename(of: json)
    hasher.combine(typename)
    for field in node.fields(for: typename).fields where field.child == nil {
      hasher.combine(Self.identity(of: json[field.responseKey] ?? .null, field))
    }
  }

  /// Returns a leaf in a form for comparison: a custom scalar is decoded, because equal scalars may have different JSON
  /// values.
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
  /// Returns the object reduced to the selected fields.
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
