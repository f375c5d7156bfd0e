import ApusGraphQLLanguage
import ApusGraphQLSchema

/// A type that input values are coerced to: of an argument or input field in the schema, or of a variable.
protocol InputType: CustomStringConvertible {
  var isNonNull: Bool { get }
  /// Without the outermost `!`.
  var nullable: Self { get }
  /// What the list is of, or nil if it is no list.
  var elementType: Self? { get }
  /// The innermost type.
  var definition: TypeDefinition? { get }
}

extension TypeReference: InputType {}

/// A variable's type, which stands in the document.
struct VariableType: InputType {
  let node: TypeNode
  let schema: Schema

  var isNonNull: Bool { node.kind == .nonNull }
  var nullable: VariableType { isNonNull ? inner ?? self : self }
  var elementType: VariableType? { node.kind == .list ? inner : nullable.node.kind == .list ? nullable.inner : nil }
  var definition: TypeDefinition? { schema.type(named: node.name) }
  var description: String { node.description }

  private var inner: VariableType? { node.ofType.map { VariableType(node: $0, schema: schema) } }
}
