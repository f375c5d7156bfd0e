import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The federation directives of one subgraph with their field sets, for the federation rules.
struct FederatedSubgraph {
  /// A directive with a field set.
  struct Application {
    let directive: DirectiveNode
    /// The type or field that the directive is applied to: `Product` or `Product.price`.
    let title: String
    let fields: FieldSet
  }

  let federation: Federation
  private(set) var externals: ExternalFields
  private(set) var applications: [Application] = []
  /// Directives whose argument is not a string.
  private(set) var malformed: [(directive: DirectiveNode, purpose: FieldSet.Purpose)] = []

  init?(_ context: ValidationContext) {
    guard let schema = context.schema, let federation = schema.federation else { return nil }
    self.federation = federation
    externals = ExternalFields(
      context, directive: federation.name(of: "external"), isVersion2: federation.isVersion2)
    let types = context.typeDefinitions.compactMap { type in
      schema.type(named: type.name.value).flatMap { $0.isComposite ? (type, $0) : nil }
    }
    for (type, definition) in types where context.spend(10) {
      let first = applications.count
      add(.key, type.directives, title: definition.name, on: definition, context)
      guard type.isExtension || type.directive(named: federation.name(of: "extends")) != nil else { continue }
      externals.exclude(keysOfExtensions: applications[first...].flatMap(\.fields.members))
    }
    for (type, definition) in types where context.spend(10) {
      for field in type.fields {
        let title = "\(definition.name).\(field.name.value)"
        add(.requires, field.directives, title: title, on: definition, context)
        if let result = schema.type(named: field.type.name), result.isComposite {
          add(.provides, field.directives, title: title, on: result, context)
        }
      }
    }
  }

  private mutating func add(
    _ purpose: FieldSet.Purpose, _ directives: [DirectiveNode], title: String, on type: TypeDefinition,
    _ context: ValidationContext
  ) {
    let name = federation.name(of: purpose.rawValue)
    for directive in directives where directive.name.hasValue(name) {
      guard let value = directive.argument(named: "fields")?.value else { continue }
      // Version 1 also allows an unquoted name.
      guard value.kind == .string || !federation.isVersion2 && value.kind == .enum else {
        if federation.isVersion2 { malformed.append((directive, purpose)) }
        continue
      }
      guard context.spend(value.range.count * 20) else { return }
      let fields = FieldSet(purpose, value, on: type, externals: externals, context)
      applications.append(Application(directive: directive, title: title, fields: fields))
    }
  }
}
