import ApusGraphQLLanguage
import ApusGraphQLSchema

extension LanguageService {
  /// Adds the missing required arguments, with example values, to the field or directive at the cursor: `bird` becomes
  /// `bird(id: "")`.
  func addRequiredArguments(_ place: CodeActionContext) -> CodeAction? {
    guard let step = place.path.last(.field, .directive) else { return nil }
    let definitions: [InputValueDefinition]
    let name: NameNode
    let arguments: [ArgumentNode]
    let title: String
    if step.node.kind == .field {
      let field = FieldNode(document, step.node.id)
      // A cursor inside the field's selection set does not mean this field.
      if let set = field.selectionSet, !set.isMissing, set.range.lowerBound < place.offset { return nil }
      definitions = step.field?.arguments ?? []
      (name, arguments, title) = (field.name, field.arguments, field.name.value)
    } else {
      let directive = DirectiveNode(document, step.node.id)
      definitions = (schema ?? Self.builtIns).directive(named: directive.name.value)?.arguments ?? []
      (name, arguments, title) = (directive.name, directive.arguments, "@\(directive.name.value)")
    }
    let missing = definitions.filter { definition in
      definition.isRequired && !arguments.contains { $0.name.hasValue(definition.name) }
    }
    guard !missing.isEmpty else { return nil }
    let text = missing.map { "\($0.name): \(ExampleValue.literal(of: $0.type))" }.joined(separator: ", ")
    let edit: TextEdit
    if let last = arguments.last {
      edit = .insert(", \(text)", at: last.range.upperBound)
    } else if let empty = emptyParentheses(after: name.range.upperBound) {
      edit = TextEdit(range: empty, text: "(\(text))")
    } else {
      edit = .insert("(\(text))", at: name.range.upperBound)
    }
    return CodeAction(
      kind: .addRequiredArguments, title: "Add the required arguments of \(title)", edits: [edit])
  }

  private func emptyParentheses(after offset: Int) -> Range<Int>? {
    let tokens = document.tokens(from: offset, to: min(offset + 200, document.source.bytes.count)).prefix(2)
    guard tokens.count == 2, tokens[0].kind == .parenthesisLeft, tokens[1].kind == .parenthesisRight else { return nil }
    return tokens[0].range.lowerBound..<tokens[1].range.upperBound
  }
}

/// An example value of each type, for the user to change.
enum ExampleValue {
  static func literal(of type: TypeReference) -> String { literal(of: type, within: []) }

  private static func literal(of type: TypeReference, within parents: [TypeDefinition]) -> String {
    if type.isList { return "[]" }
    guard let definition = type.definition else { return "null" }
    switch definition.kind {
    case .enum: return definition.enumValues.first { !$0.isDeprecated }?.name ?? "null"
    case .inputObject:
      guard !parents.contains(definition) else { return "{}" }
      let fields =
        definition.isOneOf ? Array(definition.inputFields.prefix(1)) : definition.inputFields.filter(\.isRequired)
      guard !fields.isEmpty else { return "{}" }
      let members = fields.map { "\($0.name): \(literal(of: $0.type, within: parents + [definition]))" }
      return "{ \(members.joined(separator: ", ")) }"
    case .scalar, .object, .interface, .union:
      switch definition.name {
      case "Int": return "0"
      case "Float": return "0.0"
      case "Boolean": return "false"
      default: return "\"\""
      }
    }
  }
}
