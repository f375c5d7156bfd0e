import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusGraphQLValidation
import ApusJSON

/// A coordinate that leads nowhere in a schema.
package struct UnknownCoordinate: Error, Sendable, Equatable, CustomStringConvertible {
  package let description: String

  /// - Parameter names: what is there, of which one may be meant.
  fileprivate init(_ description: String, _ name: String, of names: [String]) {
    self.description = "\(description)\(name)\(Suggestions.hint(name, names))"
  }
}

extension Schema {
  /// The element that a coordinate names (September 2025 edition, section 3.13).
  package func element(at coordinate: SchemaCoordinate) throws(UnknownCoordinate) -> SchemaElement {
    switch coordinate {
    case .type(let name):
      return .type(try knownType(name))
    case .member(let name, let typeName):
      let type = try knownType(typeName)
      if let field = type.field(named: name) { return .field(field) }
      if let field = type.inputFields.first(where: { $0.name == name }) { return .inputField(field) }
      if let value = type.enumValues.first(where: { $0.name == name }) { return .enumValue(value) }
      let names = type.fields.map(\.name) + type.inputFields.map(\.name) + type.enumValues.map(\.name)
      throw UnknownCoordinate("the type \(typeName) has no member ", name, of: names)
    case .argument(let name, let field, let typeName):
      let member = try element(at: .member(field, of: typeName))
      var arguments: [InputValueDefinition] = []
      if case .field(let field) = member { arguments = field.arguments }
      guard let argument = arguments.first(where: { $0.name == name }) else {
        throw UnknownCoordinate("\(typeName).\(field) has no argument ", name, of: arguments.map(\.name))
      }
      return .argument(argument)
    case .directive(let name):
      return .directive(try knownDirective(name))
    case .directiveArgument(let name, let directive):
      let known = try knownDirective(directive)
      guard let argument = known.argument(named: name) else {
        throw UnknownCoordinate("@\(directive) has no argument ", name, of: known.arguments.map(\.name))
      }
      return .argument(argument)
    }
  }

  private func knownType(_ name: String) throws(UnknownCoordinate) -> TypeDefinition {
    guard let type = type(named: name) else {
      throw UnknownCoordinate("the schema has no type ", name, of: types.map(\.name))
    }
    return type
  }

  private func knownDirective(_ name: String) throws(UnknownCoordinate) -> DirectiveDefinition {
    guard let directive = directive(named: name) else {
      throw UnknownCoordinate("the schema has no directive @", name, of: directives.map(\.name))
    }
    return directive
  }
}

extension SchemaElement {
  /// The definition in the schema language.
  package var sdl: String {
    switch self {
    case .type(let type): type.sdl
    case .field(let field): field.sdl
    case .argument(let input), .inputField(let input): input.sdl
    case .enumValue(let value): value.sdl
    case .directive(let directive): directive.sdl
    }
  }

  /// The definition as introspection tells it.
  package func introspectionJSON(of schema: Schema) -> JSONValue {
    switch self {
    case .type(let type): schema.introspect(type)
    case .field(let field): schema.introspect(field)
    case .argument(let input), .inputField(let input): schema.introspect(input)
    case .enumValue(let value): schema.introspect(value)
    case .directive(let directive): schema.introspect(directive)
    }
  }
}

extension SchemaElement {
  /// What names the element in its schema, as `Schema.element(at:)` reads it.
  package var coordinate: String {
    switch self {
    case .type(let type): type.name
    case .field(let field): "\(field.parentType.name).\(field.name)"
    case .argument(let argument): "\(owner ?? "")(\(argument.name):)"
    case .inputField(let input): "\(owner ?? "").\(input.name)"
    case .enumValue(let value): "\(owner ?? "").\(value.name)"
    case .directive(let directive): "@\(directive.name)"
    }
  }
}
