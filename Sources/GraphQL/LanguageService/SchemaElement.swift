import ApusGraphQLLanguage
import ApusGraphQLSchema

/// A named element of a schema.
package enum SchemaElement: Sendable, Hashable {
  case type(TypeDefinition)
  case field(FieldDefinition)
  case argument(InputValueDefinition)
  case inputField(InputValueDefinition)
  case enumValue(EnumValueDefinition)
  case directive(DirectiveDefinition)

  package var name: String {
    switch self {
    case .type(let type): type.name
    case .field(let field): field.name
    case .argument(let input), .inputField(let input): input.name
    case .enumValue(let value): value.name
    case .directive(let directive): directive.name
    }
  }

  /// The type of a field or input value: `[Bird!]!`.
  package var typeText: String? {
    switch self {
    case .type, .directive: nil
    case .field(let field): field.type.description
    case .argument(let input), .inputField(let input): input.type.description
    case .enumValue: nil
    }
  }

  package var description: String? {
    switch self {
    case .type(let type): type.description
    case .field(let field): field.description
    case .argument(let input), .inputField(let input): input.description
    case .enumValue(let value): value.description
    case .directive(let directive): directive.description
    }
  }

  package var isDeprecated: Bool {
    switch self {
    case .type, .directive: false
    case .field(let field): field.isDeprecated
    case .argument(let input), .inputField(let input): input.isDeprecated
    case .enumValue(let value): value.isDeprecated
    }
  }

  package var deprecationReason: String? {
    switch self {
    case .type, .directive: nil
    case .field(let field): field.deprecationReason
    case .argument(let input), .inputField(let input): input.deprecationReason
    case .enumValue(let value): value.deprecationReason
    }
  }

  /// The description followed by the deprecation reason.
  package var documentation: String? {
    let parts = [description, deprecationReason.map { "Deprecated: \($0)" }].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: "\n\n")
  }

  /// The location in the schema's documents: the whole definition and its name.
  package var place: (document: Document, definition: Range<Int>, name: Range<Int>)? {
    switch self {
    case .type(let type): type.nodes.first.map { ($0.document, $0.range, $0.name.range) }
    case .field(let field): (field.node.document, field.node.range, field.node.name.range)
    case .argument(let input), .inputField(let input):
      (input.node.document, input.node.range, input.node.name.range)
    case .enumValue(let value): (value.node.document, value.node.range, value.node.name.range)
    case .directive(let directive): (directive.node.document, directive.node.range, directive.node.name.range)
    }
  }

  /// The coordinate of the parent definition: `Bird` for the field `Bird.name`, and `Query.birds` for its argument.
  package var owner: String? {
    switch self {
    case .type, .directive: return nil
    case .field(let field): return field.parentType.name
    case .argument, .inputField, .enumValue:
      guard let place else { return nil }
      let path = place.document.nodes(containing: place.name.upperBound)
      let names = path.compactMap { node -> String? in
        switch node.kind {
        case .fieldDefinition: FieldDefinitionNode(node.document, node.id).name.value
        case .directiveDefinition: "@\(DirectiveDefinitionNode(node.document, node.id).name.value)"
        case .objectTypeDefinition, .interfaceTypeDefinition, .inputObjectTypeDefinition, .enumTypeDefinition:
          TypeDefinitionNode(node.document, node.id).name.value
        default: nil
        }
      }
      return names.joined(separator: ".")
    }
  }
}
