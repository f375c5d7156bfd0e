import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The compiler's access to an optional schema, with a cache for expensive results.
final class CompilerTypes {
  static let typename = CompiledType.nonNull(.named("String", kind: .scalar))

  let schema: Schema?
  private var possible: [String: Set<String>] = [:]

  init(schema: Schema?) {
    self.schema = schema
  }

  func root(_ operation: OperationType) -> TypeDefinition? { schema?.rootType(operation) }

  func type(named name: String) -> TypeDefinition? { schema?.type(named: name) }

  func field(_ name: String, of type: TypeDefinition?) -> FieldDefinition? { type?.field(named: name) }

  /// Returns the object types that a type condition covers; `nil` if the schema does not define it.
  func possibleTypes(_ name: String) -> Set<String>? {
    guard let schema, let type = schema.type(named: name), type.isComposite else { return nil }
    return possibleTypes(type, in: schema)
  }

  private func possibleTypes(_ type: TypeDefinition, in schema: Schema) -> Set<String> {
    guard type.isAbstract else { return [type.name] }
    if let types = possible[type.name] { return types }
    let types = Set(schema.possibleTypes(of: type).map(\.name))
    possible[type.name] = types
    return types
  }

  /// Whether a type condition applies to a parent type, as far as this is known without an object.
  func application(of condition: String?, on parent: TypeDefinition?) -> CompiledFragment.Application {
    guard let condition else { return .covers }
    guard let parent else { return .mayCover }
    if parent.name == condition { return .covers }
    guard let schema, let type = schema.type(named: condition), type.isComposite else { return .mayCover }
    let covered = possibleTypes(type, in: schema)
    let possible = possibleTypes(parent, in: schema)
    if possible.isSubset(of: covered) { return .covers }
    return possible.isDisjoint(with: covered) ? .never : .mayCover
  }

  func compiled(_ type: TypeReference) -> CompiledType {
    if type.isNonNull { return .nonNull(compiled(type.nullable)) }
    if let element = type.elementType { return .list(compiled(element)) }
    return .named(type.name, kind: kind(type.definition))
  }

  private func kind(_ type: TypeDefinition?) -> NamedTypeKind {
    switch type?.kind {
    case .object: .object
    case .interface, .union: .abstract
    case .enum: .enumeration
    case .scalar, .inputObject, nil: .scalar
    }
  }
}
