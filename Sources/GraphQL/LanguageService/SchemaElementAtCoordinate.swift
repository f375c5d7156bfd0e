import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusGraphQLValidation
import ApusJSON

/// An error for a coordinate that does not exist in the schema.
package struct UnknownCoordinateError: Error, Sendable, Equatable, CustomStringConvertible {
  package let description: String

  /// - Parameter names: The existing names, for a suggestion.
  fileprivate init(_ description: String, _ name: String, of names: [String]) {
    self.description = "\(description)\(name)\(NameSuggestions.hint(name, names))"
  }
}

extension Schema {
  /// Returns the element of a coordinate (September 2025 edition, section 3.13); `nil` if it does not exist.
  package func find(_ coordinate: SchemaCoordinate) -> SchemaElement? {
    switch coordinate {
    case .type(let name): return type(named: name).map { .type($0) }
    case .member(let name, let typeName):
      guard let type = type(named: typeName) else { return nil }
      if let field = type.field(named: name) { return .field(field) }
      if let field = type.inputField(named: name) { return .inputField(field) }
      return type.enumValue(named: name).map { .enumValue($0) }
    case .argument(let name, let field, let typeName):
      return type(named: typeName)?.field(named: field)?.argument(named: name).map { .argument($0) }
    case .directive(let name): return directive(named: name).map { .directive($0) }
    case .directiveArgument(let name, let directiveName):
      return directive(named: directiveName)?.argument(named: name).map { .argument($0) }
    }
  }

  /// Returns the element of a coordinate. If it does not exist, the error suggests a similar name.
  package func element(at coordinate: SchemaCoordinate) throws(UnknownCoordinateError) -> SchemaElement {
    if let element = find(coordinate) { return element }
    switch coordinate {
    case .type(let name): throw UnknownCoordinateError("the schema has no type ", name, of: types.map(\.name))
    case .member(let name, let typeName):
      guard case .type(let type) = try element(at: .type(typeName)) else { break }
      let names = type.fields.map(\.name) + type.inputFields.map(\.name) + type.enumValues.map(\.name)
      throw UnknownCoordinateError("the type \(typeName) has no member ", name, of: names)
    case .argument(let name, let fieldName, let typeName):
      var arguments: [InputValueDefinition] = []
      if case .field(let field) = try element(at: .member(fieldName, of: typeName)) { arguments = field.arguments }
      throw UnknownCoordinateError("\(typeName).\(fieldName) has no argument ", name, of: arguments.map(\.name))
    case .directive(let name):
      throw UnknownCoordinateError("the schema has no directive @", name, of: directives.map(\.name))
    case .directiveArgument(let name, let directiveName):
      guard case .directive(let directive) = try element(at: .directive(directiveName)) else { break }
      throw UnknownCoordinateError("@\(directiveName) has no argument ", name, of: directive.arguments.map(\.name))
    }
    throw UnknownCoordinateError("the schema has no element ", "\(coordinate)", of: [])
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

  /// Returns the definition as introspection JSON.
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
  /// The coordinate of the element, which `Schema.element(at:)` parses: `Query.birds(first:)`.
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
