import ApusClientOperation
import ApusJSON

/// Collects the fields that a selection requests from an object while it runs with mock values.
final class SelectionCollector {
  final class Field {
    let name: String
    let responseKey: String
    let type: String
    let kind: NamedTypeKind
    /// The arguments that are given.
    let arguments: [Argument]
    let inner: SelectionCollector?

    init(
      name: String, responseKey: String, type: String, kind: NamedTypeKind, arguments: [Argument],
      inner: SelectionCollector?
    ) {
      self.name = name
      self.responseKey = responseKey
      self.type = type
      self.kind = kind
      self.arguments = arguments
      self.inner = inner
    }
  }

  struct Fragment {
    /// The label; nil for a branch of `on`.
    let label: String?
    let condition: Bool?
    let inner: SelectionCollector
  }

  enum Item {
    case field(Field)
    case fragment(Fragment)
  }

  let scope: any TypeScope.Type
  let variant: MockVariant
  let keys: ResponseKeys
  private(set) var items: [Item] = []

  init(_ scope: any TypeScope.Type, variant: MockVariant, keys: ResponseKeys = ResponseKeys()) {
    self.scope = scope
    self.variant = variant
    self.keys = keys
  }

  /// Records a field and returns the collector for its selections. Repeating a field with the same arguments has no
  /// effect.
  @discardableResult
  func field(
    _ name: String, _ type: String, _ kind: NamedTypeKind, _ arguments: [Argument], _ inner: (any TypeScope.Type)?
  ) -> SelectionCollector? {
    for case .field(let field) in items where field.name == name && Argument.areSame(field.arguments, arguments) {
      return field.inner
    }
    let given = arguments.filter { $0.value != nil }
    let key = keys.key(for: name, type: type, given)
    let collector = inner.map { SelectionCollector($0, variant: variant, keys: keys.nested(key)) }
    items.append(
      .field(
        Field(name: name, responseKey: key, type: type, kind: kind, arguments: given, inner: collector)))
    return collector
  }

  func fragment(on scope: any TypeScope.Type) -> SelectionCollector {
    fragment(scope, label: nil, condition: nil)
  }

  func deferred(_ scope: any TypeScope.Type, _ label: String, _ condition: Bool?) -> SelectionCollector {
    fragment(scope, label: label, condition: condition)
  }

  private func fragment(_ scope: any TypeScope.Type, label: String?, condition: Bool?) -> SelectionCollector {
    for case .fragment(let fragment) in items where fragment.label == label && fragment.inner.scope == scope {
      return fragment.inner
    }
    let inner = SelectionCollector(scope, variant: variant, keys: keys)
    items.append(.fragment(Fragment(label: label, condition: condition, inner: inner)))
    return inner
  }
}

/// The response keys at one position of the response: `birds`, and `birds_2` for the same field with other arguments. A
/// field uses its own name; if the key is used by the same field with other arguments, or by a field of another type
/// that would not merge with it, a number is appended.
///
/// All fragments on an object share the keys, so that the document's fields can always be merged.
final class ResponseKeys {
  private struct Owner {
    let name: String
    let type: String
    let arguments: [Argument]
  }

  private var owners: [String: Owner] = [:]
  private var inner: [String: ResponseKeys] = [:]

  func key(for name: String, type: String, _ arguments: [Argument]) -> String {
    var key = name
    var number = 1
    while let owner = owners[key] {
      if owner.name == name, owner.type == type, Argument.areSame(owner.arguments, arguments) { return key }
      number += 1
      key = "\(name)_\(number)"
    }
    owners[key] = Owner(name: name, type: type, arguments: arguments)
    return key
  }

  func nested(_ key: String) -> ResponseKeys {
    if let keys = inner[key] { return keys }
    let made = ResponseKeys()
    inner[key] = made
    return made
  }
}

extension Argument {
  /// Whether both have the same values, ignoring omitted arguments.
  static func areSame(_ left: [Argument], _ right: [Argument]) -> Bool {
    if left.isEmpty, right.isEmpty { return true }
    let left = left.filter { $0.value != nil }
    let right = right.filter { $0.value != nil }
    return left.count == right.count && zip(left, right).allSatisfy { $0.name == $1.name && $0.value == $1.value }
  }
}
