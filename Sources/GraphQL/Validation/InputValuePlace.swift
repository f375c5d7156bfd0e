import ApusGraphQLLanguage

/// The place of the definition of an argument or of an input object's field.
struct InputValuePlace {
  let node: NodeID
  /// The type or directive.
  let owner: NodeID
  /// The field, of an argument of one.
  let field: NodeID?
  let location: DirectiveLocation
}

extension InputValuePlace {
  /// `Type.field(argument:)`, `@directive(argument:)` or `Type.inputField`: the specification's schema coordinate.
  func coordinate(_ context: ValidationContext) -> String {
    let name = context.definedName(node)
    if location == .inputFieldDefinition { return "\(context.definedName(owner)).\(name)" }
    let directive = context.kind(owner) == .directiveDefinition ? "@" : ""
    let field = field.map { "." + context.definedName($0) } ?? ""
    return "\(directive)\(context.definedName(owner))\(field)(\(name):)"
  }

  /// The kind of the definition in words.
  var words: String { location == .inputFieldDefinition ? "input field" : "argument" }
}
