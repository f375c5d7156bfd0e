import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The hover information for a symbol.
package struct Hover: Sendable, Equatable {
  /// Markdown with the declaration as code, the description, the deprecation reason and the origin.
  package let contents: String
  /// The byte range of the symbol.
  package let range: Range<Int>
}

extension LanguageService {
  /// Returns the hover information for the symbol at a byte offset.
  package func hover(at offset: Int) -> Hover? {
    occurrence(at: offset).flatMap(hover)
  }

  /// Returns the hover information for an occurrence in this document.
  package func hover(of occurrence: Occurrence) -> Hover? {
    contents(of: occurrence).map { Hover(contents: $0, range: occurrence.range) }
  }

  private func contents(of occurrence: Occurrence) -> String? {
    switch occurrence.symbol {
    case .element(let element): return HoverText.contents(of: element)
    case .alias(_, let field): return field.map { HoverText.contents(of: .field($0)) }
    case .variable(let name):
      let definition = variableDefinitions(at: occurrence.range.upperBound).first { $0.variable.name.hasValue(name) }
      guard let definition else { return nil }
      var code = "$\(name): \(definition.type)"
      if let value = definition.defaultValue { code += " = \(value.text)" }
      let type = schema?.type(named: definition.type.name)?.description
      return HoverText.joined(code: code, [definition.description ?? type])
    case .fragmentVariable(let fragment, let name):
      let found = document.fragment(named: fragment)?.declaration(ofVariable: name)
      return found.map { HoverText.joined(code: document.source.text($0.range), []) }
    case .fragment(let name):
      guard let fragment = document.fragment(named: name) else { return nil }
      return HoverText.joined(
        code: "fragment \(name) on \(fragment.typeCondition.name.value)", [fragment.description])
    case .operation(let name):
      guard let operation = document.operation(named: name) else { return nil }
      return HoverText.joined(code: "\(operation.operation.rawValue) \(name)", [operation.description])
    }
  }
}

/// Formats schema elements as Markdown.
package enum HoverText {
  package static func contents(of element: SchemaElement) -> String {
    let deprecation = element.deprecationReason.map { "**Deprecated:** \($0)" }
    return joined(code: declaration(of: element), [element.description, deprecation, origin(of: element)])
  }

  static func joined(code: String, _ paragraphs: [String?]) -> String {
    (["```graphql\n\(code)\n```"] + paragraphs.compactMap { $0 }).joined(separator: "\n\n")
  }

  /// Returns the declaration without nested definitions: `birds(first: Int): [Bird!]!` for a field,
  /// `type Bird implements Node` for a type.
  package static func declaration(of element: SchemaElement) -> String {
    switch element {
    case .type(let type): return declaration(of: type)
    case .field(let field): return "\(field.name)\(arguments(field.arguments)): \(field.type)"
    case .argument(let input), .inputField(let input): return text(of: input)
    case .enumValue(let value): return value.name
    case .directive(let directive):
      let repeatable = directive.isRepeatable ? " repeatable" : ""
      let locations = directive.locations.map(\.rawValue).joined(separator: " | ")
      return "directive @\(directive.name)\(arguments(directive.arguments))\(repeatable) on \(locations)"
    }
  }

  private static func declaration(of type: TypeDefinition) -> String {
    switch type.kind {
    case .scalar: return "scalar \(type.name)"
    case .enum: return "enum \(type.name)"
    case .inputObject: return "input \(type.name)\(type.isOneOf ? " @oneOf" : "")"
    case .union: return "union \(type.name) = " + list(type.possibleTypes.map(\.name), separator: " | ")
    case .object, .interface:
      let keyword = type.kind == .object ? "type" : "interface"
      let interfaces = type.interfaces.map(\.name)
      return "\(keyword) \(type.name)" + (interfaces.isEmpty ? "" : " implements \(list(interfaces, separator: " & "))")
    }
  }

  private static func list(_ names: [String], separator: String) -> String {
    names.count <= 8
      ? names.joined(separator: separator)
      : names.prefix(8).joined(separator: separator) + "\(separator)… \(names.count - 8) more"
  }

  /// Formats arguments on one line if it is short, else one per line.
  private static func arguments(_ arguments: [InputValueDefinition]) -> String {
    guard !arguments.isEmpty else { return "" }
    let texts = arguments.map(text)
    let line = "(\(texts.joined(separator: ", ")))"
    return line.count <= 70 ? line : "(\n  \(texts.joined(separator: "\n  "))\n)"
  }

  private static func text(of input: InputValueDefinition) -> String {
    "\(input.name): \(input.type)" + (input.defaultValueText.map { " = \($0)" } ?? "")
  }

  /// Describes the parent definition of the element and its location in the schema file.
  private static func origin(of element: SchemaElement) -> String? {
    guard let place = element.place else { return nil }
    let owner = element.owner.map { "Defined in `\($0)`" } ?? "Defined"
    guard place.document.source.name.hasSuffix(".graphql") || place.document.source.name.hasSuffix(".graphqls") else {
      return element.owner.map { "Defined in `\($0)`." }
    }
    let line = place.document.source.location(at: place.name.lowerBound).line
    return "\(owner) at \(place.document.source.name):\(line)."
  }
}
