import ApusGraphQLLanguage
import ApusGraphQLSchema

/// An extended type must be defined and have the same kind. Invalid:
/// `type Bird { id: ID } extend input Bird { name: String }`.
///
/// Specification: Scalar Extensions, Object Extensions and so on, Type Validation.
enum PossibleTypeExtensionsRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    var definitions: [NameID: TypeDefinitionNode] = [:]
    for definition in context.typeDefinitions where !definition.isExtension {
      definitions[context.nameID(of: definition.name)] = definition
    }
    var names: [String]?
    for type in context.typeDefinitions where type.isExtension {
      let name = type.name.value
      if let definition = definitions[context.nameID(of: type.name)] {
        guard definition.kind != type.kind else { continue }
        context.report("Cannot extend non-\(type.kind.words) type \"\(name)\".", definition, type)
      } else if !type.name.isMissing, context.schema?.federation == nil, !isBuiltInOfApollo(type, context) {
        // A subgraph may extend a type of another subgraph.
        let options = names ?? definitions.values.sorted { $0.id < $1.id }.map(\.name.value)
        names = options
        let near = context.near(name, among: options.count) { options }
        context.report(
          "Cannot extend type \"\(name)\" because it is not defined." + NameSuggestions.didYouMean(near), type.name,
          suggesting: context.suggestion(near, for: type.name))
      }
    }
  }

  /// Whether a built-in scalar is extended for Apollo Kotlin: `extend scalar ID @mapTo(builtIn: Long)`.
  private static func isBuiltInOfApollo(_ type: TypeDefinitionNode, _ context: ValidationContext) -> Bool {
    context.schema?.has(.apollo) == true && type.kind == .scalar
      && ["ID", "String", "Int", "Float", "Boolean"].contains(type.name.value)
  }
}
