import ApusGraphQLLanguage

/// The context of the definition of an argument or input field.
struct InputValueContext {
  let node: NodeID
  /// The type or directive.
  let owner: NodeID
  /// The field; `nil` for an argument of a directive and for an input field.
  let field: NodeID?
  let location: DirectiveLocation
}

extension InputValueContext {
  /// The schema coordinate: `Type.field(argument:)`, `@directive(argument:)` or `Type.inputField`.
  func coordinate(_ context: ValidationContext) -> String {
    let name = context.definedName(node)
    if location == .inputFieldDefinition { return "\(context.definedName(owner)).\(name)" }
    let directive = context.kind(owner) == .directiveDefinition ? "@" : ""
    let field = field.map { "." + context.definedName($0) } ?? ""
    return "\(directive)\(context.definedName(owner))\(field)(\(name):)"
  }

  /// The kind of the definition, for messages.
  var words: String { location == .inputFieldDefinition ? "input field" : "argument" }
}
