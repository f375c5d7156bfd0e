import ApusGraphQLSchema

/// A field with selections, derived from a schema.
struct DerivedField: Sendable, Hashable {
  let name: String
  /// Arguments with parentheses, such as `(first: 3)`; empty if there are none.
  let arguments: String
  let type: TypeReference
  /// The type on which the field is declared.
  let parent: String
  var selections: [DerivedSelection]

  static func == (left: Self, right: Self) -> Bool { left.text == right.text && left.parent == right.parent }
  func hash(into hasher: inout Hasher) { hasher.combine(text) }

  var head: String { name + arguments }
  /// The field as text in a document: `birds(first: 3) { id name }`.
  var text: String { selections.isEmpty ? head : "\(head) { \(selections.text) }" }
  var isList: Bool { type.nullable.isList }
  /// The field with a size of 0; nil if it has no size argument.
  var emptied: DerivedField? {
    let size = ": \(FieldDeriver.listSize)"
    guard arguments.contains(size) else { return nil }
    return DerivedField(
      name: name, arguments: arguments.replacing(size, with: ": 0"), type: type, parent: parent, selections: selections)
  }
  var isLeaf: Bool { selections.isEmpty }
  var fields: [DerivedField] { selections.compactMap { if case .field(let field) = $0 { field } else { nil } } }
  var leaves: [DerivedField] { fields.filter(\.isLeaf) }
  var composites: [DerivedField] { fields.filter { !$0.isLeaf } }
  var isAbstract: Bool { type.definition?.isAbstract ?? false }
}

/// A selection of a derived operation.
enum DerivedSelection: Sendable, Hashable {
  case field(DerivedField)
  case fragment(on: String, [DerivedSelection])
  case typename

  var text: String {
    switch self {
    case .field(let field): field.text
    case .fragment(let type, let selections): "... on \(type) { \(selections.text) }"
    case .typename: "__typename"
    }
  }
}

extension [DerivedSelection] {
  var text: String { map(\.text).joined(separator: " ") }
}

/// Derives fields that can be requested without values that only a user knows.
struct FieldDeriver {
  let schema: Schema
  /// Known values for `ID` arguments, by the type of the field that takes them.
  var identifiers: [String: String] = [:]

  private static let leafLimit = 4
  private static let compositeLimit = 2
  private static let typeLimit = 3
  private static let depthLimit = 2

  /// Returns the root fields that return objects and need no unknown values, in schema order.
  func rootFields() -> [DerivedField] {
    guard let root = schema.queryType else { return [] }
    return root.fields.compactMap { field in
      guard field.type.definition?.isComposite == true else { return nil }
      return derive(field, on: root, depth: Self.depthLimit)
    }
  }

  func derive(_ field: FieldDefinition, on parent: TypeDefinition, depth: Int) -> DerivedField? {
    guard !field.isDeprecated, !field.name.hasPrefix("__"), let arguments = arguments(of: field),
      let type = field.type.definition
    else { return nil }
    let inner = type.isComposite ? selections(of: type, depth: depth) : []
    guard type.isLeaf || !inner.isEmpty else { return nil }
    return DerivedField(
      name: field.name, arguments: arguments, type: field.type, parent: parent.name, selections: inner)
  }

  /// Returns the arguments of a field; nil if the value of a required one is unknown.
  private func arguments(of field: FieldDefinition) -> String? {
    var parts: [String] = []
    for argument in field.arguments {
      if Self.sizeNames.contains(argument.name), argument.type.name == "Int", !argument.type.nullable.isList {
        // The two directions of a connection exclude each other.
        if argument.name == "last", parts.contains(where: { $0.hasPrefix("first") }) { continue }
        parts.append("\(argument.name): \(Self.listSize)")
      } else if argument.isRequired {
        guard argument.type.name == "ID", !argument.type.nullable.isList, let type = field.type.definition,
          let value = identifier(of: type)
        else { return nil }
        parts.append("\(argument.name): \(StringLiteral.text(value))")
      }
    }
    return parts.isEmpty ? "" : "(\(parts.joined(separator: ", ")))"
  }

  /// Returns a known identifier of an object of the type.
  private func identifier(of type: TypeDefinition) -> String? {
    identifiers[type.name]
      ?? (type.isAbstract ? type.possibleTypes.lazy.compactMap { identifiers[$0.name] }.first : nil)
  }

  static let listSize = 3
  private static let sizeNames: Set<String> = ["first", "last", "limit", "count"]

  private func selections(of type: TypeDefinition, depth: Int) -> [DerivedSelection] {
    if type.kind == .union {
      return [.typename]
        + type.possibleTypes.prefix(Self.typeLimit).compactMap { object in
          let leaves = leaves(of: object).prefix(2).map(DerivedSelection.field)
          return leaves.isEmpty ? nil : .fragment(on: object.name, Array(leaves))
        }
    }
    var result = leaves(of: type).prefix(Self.leafLimit).map(DerivedSelection.field)
    if type.isAbstract { result = [.typename] + result + fragments(of: type, besides: Set(type.fields.map(\.name))) }
    if depth > 0 {
      let composites = type.fields.lazy.filter { $0.type.definition?.isComposite == true }
        .compactMap { derive($0, on: type, depth: depth - 1) }
      result += composites.prefix(Self.compositeLimit).map(DerivedSelection.field)
    }
    return result
  }

  /// Returns a fragment for each of the first object types, with a leaf that is not selected yet.
  private func fragments(of type: TypeDefinition, besides names: Set<String>) -> [DerivedSelection] {
    var names = names
    return type.possibleTypes.prefix(Self.typeLimit).compactMap { object in
      guard let leaf = leaves(of: object).first(where: { !names.contains($0.name) }) else { return nil }
      names.insert(leaf.name)
      return .fragment(on: object.name, [.field(leaf)])
    }
  }

  private func leaves(of type: TypeDefinition) -> [DerivedField] {
    let leaves = type.fields.filter { $0.type.definition?.isLeaf ?? false }.compactMap {
      derive($0, on: type, depth: 0)
    }
    // An identifier makes lists comparable, and is used by later operations.
    return leaves.filter { $0.name == "id" } + leaves.filter { $0.name != "id" }
  }
}

/// A GraphQL string literal (GraphQL, section 2.9.4): a line feed is `"\u000a"`.
enum StringLiteral {
  static func text(_ value: String) -> String {
    var text = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
