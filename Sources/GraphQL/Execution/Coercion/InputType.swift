import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The type of an input value: of an argument or input field in the schema, or of a variable.
protocol InputType: CustomStringConvertible {
  var isNonNull: Bool { get }
  /// The type without its outermost `!`.
  var nullable: Self { get }
  /// The element type; nil if the type is not a list.
  var elementType: Self? { get }
  /// The innermost type.
  var definition: TypeDefinition? { get }
}

extension TypeReference: InputType {}

/// The type of a variable, as written in the document.
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
