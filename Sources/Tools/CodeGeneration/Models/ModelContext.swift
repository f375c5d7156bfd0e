import GraphQLLanguage
import GraphQLSchema

/// What all structs of models are made from: the documents as one, and the schema.
final class ModelContext {
  let document: Document
  let schema: Schema
  private let definitions: [String: FragmentDefinitionNode]

  init(document: Document, schema: Schema) {
    self.document = document
    self.schema = schema
    definitions = Dictionary(
      document.fragments.map { ($0.name.value, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func fragment(_ name: String) -> FragmentDefinitionNode? { definitions[name] }

  /// Whether every object of the type meets the condition.
  func covers(_ condition: String?, _ type: TypeDefinition) -> Bool {
    guard let condition else { return true }
    guard let other = schema.type(named: condition) else { return false }
    return type.isSubtype(of: other)
  }
}
