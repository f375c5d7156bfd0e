import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The federation directives of one subgraph with their field sets, for the federation rules.
struct FederatedSubgraph {
  /// A directive with a field set.
  struct Application {
    let directive: NodeID
    /// The type or field that the directive is applied to.
    let owner: NodeID
    /// The name of the owner.
    let title: String
    let fields: FieldSet
  }

  let federation: Federation
  let externals: ExternalFields
  private(set) var applications: [Application] = []
  /// Directives whose argument is not a string.
  private(set) var malformed: [(directive: NodeID, purpose: FieldSet.Purpose)] = []

  init?(_ context: ValidationContext) {
    guard let schema = context.schema, let federation = schema.federation else { return nil }
    self.federation = federation
    externals = ExternalFields(context, directive: federation.name(of: "external"))
    for type in context.typeDefinitions where context.spend(10) {
      guard let definition = schema.type(named: context.definedName(type)), definition.isComposite else { continue }
      add(.key, of: type, title: definition.name, on: definition, context)
      for field in context.children(type, .fieldDefinition) {
        let title = "\(definition.name).\(context.definedName(field))"
        add(.requires, of: field, title: title, on: definition, context)
        guard let result = FieldDefinitionNode(context.document, field).type.namedType.type(in: schema) else {
          continue
        }
        if result.isComposite { add(.provides, of: field, title: title, on: result, context) }
      }
    }
  }

  private mutating func add(
    _ purpose: FieldSet.Purpose, of owner: NodeID, title: String, on type: TypeDefinition, _ context: ValidationContext
  ) {
    let name = federation.name(of: purpose.rawValue)
    for directive in context.children(owner, .directive) where context.name(directive + 1) == name {
      guard let value = DirectiveNode(context.document, directive).argument(named: "fields")?.value else { continue }
      // Version 1 also allows an unquoted name.
      guard value.kind == .string || !federation.isVersion2 && value.kind == .enum else {
        if federation.isVersion2 { malformed.append((directive, purpose)) }
        continue
      }
      guard context.spend(value.range.count * 20) else { return }
      let fields = FieldSet(purpose, value, on: type, externals: externals, context)
      applications.append(Application(directive: directive, owner: owner, title: title, fields: fields))
    }
  }
}

extension NamedTypeNode {
  fileprivate func type(in schema: Schema) -> TypeDefinition? { schema.type(named: name.value) }
}
