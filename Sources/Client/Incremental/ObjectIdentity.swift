import ApusClientOperation
import ApusJSON

/// Compares objects of two payloads by their typenames, their key fields and the keyed objects directly in them.
struct ObjectIdentity: Sendable {
  /// The key of an object, as far as its payload has it. Without a `__typename` it is still comparable.
  struct Key: Sendable {
    let typename: String?
    /// Values of the key fields by name, in the order of the rules; empty for an object without a key.
    let values: [(name: String, text: String)]
  }

  enum Comparison { case same, different, unknown }

  /// The selected fields of a type by their role.
  private struct Shape: Sendable {
    var keyFields: [(name: String, responseKeys: [String])] = []
    /// Whether the key fields form one key together.
    var isComposite = false
    var objects: [PlanField] = []
    var leaves: [PlanField] = []
  }

  private struct ShapeID: Hashable {
    let fields: ObjectIdentifier
    let typename: String?
  }

  let rules: KeyRules
  private var shapes: [ShapeID: Shape] = [:]

  init(rules: KeyRules) {
    self.rules = rules
  }

  /// Returns the key of an object. Key fields are found through their aliases.
  mutating func key(of object: JSONValue, _ node: PlanNode) -> Key {
    let typename = node.typename(of: object)
    guard object.kind == .object else { return Key(typename: nil, values: []) }
    let fields = node.fields(of: object)
    if let rule = rules.key, let typename, let text = rule(typename, Self.byName(object, fields)) {
      return Key(typename: typename, values: [("", text)])
    }
    let shape = shape(fields, typename)
    let values: [(name: String, text: String)] = shape.keyFields.compactMap { name, responseKeys in
      responseKeys.lazy.compactMap { object[$0].flatMap { KeyRules.text(of: $0) } }.first.map { (name, $0) }
    }
    guard shape.isComposite else { return Key(typename: typename, values: values) }
    guard values.count == shape.keyFields.count else { return Key(typename: typename, values: []) }
    // The lengths keep the parts apart.
    let text = values.map { "\($0.text.utf8.count):\($0.text)" }.joined()
    return Key(typename: typename, values: [("", text)])
  }

  /// Returns the keys of the keyed objects directly in an object, by response key.
  mutating func innerKeys(of object: JSONValue, _ node: PlanNode) -> [(responseKey: String, key: Key)] {
    guard object.kind == .object else { return [] }
    return shape(node.fields(of: object), node.typename(of: object)).objects.compactMap { field in
      guard let child = field.child, let value = object[field.responseKey], value.kind == .object else { return nil }
      let key = key(of: value, child)
      return key.values.isEmpty ? nil : (field.responseKey, key)
    }
  }

  static func compare(_ left: Key, _ right: Key) -> Comparison {
    var result = Comparison.unknown
    for value in left.values {
      guard let other = right.values.first(where: { $0.name == value.name }) else { continue }
      if other.text != value.text { return .different }
      result = .same
    }
    if result == .same, areDifferent(left.typename, right.typename) { return .different }
    return result
  }

  /// Whether two objects cannot be the same: their typenames, keys or a keyed object directly in them differ. For list
  /// elements that were paired by index, a differing leaf is proof too. A null proves nothing, because it may be due to
  /// an error.
  mutating func areDifferent(
    _ older: JSONValue, _ newer: JSONValue, _ node: PlanNode, arePairedByIndex: Bool
  ) -> Bool {
    let (olderKey, newerKey) = (key(of: older, node), key(of: newer, node))
    if Self.areDifferent(olderKey.typename, newerKey.typename) { return true }
    if Self.compare(olderKey, newerKey) == .different { return true }
    let typename = newerKey.typename ?? olderKey.typename
    let shape = shape(node.fields(for: node.dependsOnType ? typename : nil), typename)
    for field in shape.objects {
      guard let child = field.child, let old = older[field.responseKey], old.kind == .object,
        let new = newer[field.responseKey], new.kind == .object
      else { continue }
      if Self.compare(key(of: old, child), key(of: new, child)) == .different { return true }
    }
    guard arePairedByIndex else { return false }
    return shape.leaves.contains { field in
      guard let old = older[field.responseKey]?.present, let new = newer[field.responseKey]?.present else {
        return false
      }
      return !Self.areEqual(old, new, field)
    }
  }

  /// Whether two leaves are equal. Some custom scalars have several JSON forms of one value.
  private static func areEqual(_ left: JSONValue, _ right: JSONValue, _ field: PlanField) -> Bool {
    if left == right { return true }
    guard let identity = field.field.leafIdentity else { return false }
    return identity(left) == identity(right)
  }

  private static func areDifferent(_ left: String?, _ right: String?) -> Bool {
    guard let left, let right else { return false }
    return left != right
  }

  private static func byName(_ object: JSONValue, _ fields: PlanFields) -> JSONValue {
    .object(
      fields.fields.compactMap { field in
        field.argumentsKey == field.field.name
          ? object[field.responseKey].map { (field.field.name, $0) } : nil
      })
  }

  private mutating func shape(_ fields: PlanFields, _ typename: String?) -> Shape {
    let id = ShapeID(fields: ObjectIdentifier(fields), typename: typename)
    if let existing = shapes[id] { return existing }
    var shape = Shape()
    let declared = typename.flatMap { rules.fieldsByType[$0] }
    shape.isComposite = (declared?.count ?? 0) > 1
    for name in declared ?? rules.candidates {
      let keys = fields.fields.filter { $0.field.name == name && $0.argumentsKey == name && $0.child == nil }
      if !keys.isEmpty || shape.isComposite { shape.keyFields.append((name, keys.map(\.responseKey))) }
    }
    for field in fields.fields {
      if field.child != nil {
        shape.objects.append(field)
      } else if field.field.name != "__typename" {
        shape.leaves.append(field)
      }
    }
    shapes[id] = shape
    return shape
  }
}
