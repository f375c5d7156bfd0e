import ApusGraphQLLanguage
import ApusGraphQLSchema

extension LanguageService {
  /// Declares the undeclared variable at the cursor, with the type of its location, in every operation that reaches it:
  /// `query { bird(id: $id) { name } }` becomes `query ($id: ID!) { … }`.
  func addMissingVariable(_ place: CodeActionContext) -> CodeAction? {
    guard let occurrence = occurrence(at: place.offset), case .variable(let name) = occurrence.symbol,
      !occurrence.isDefinition, let type = inputType(at: occurrence.range.lowerBound)
    else { return nil }
    let edits = operations(around: place.offset)
      .filter { operation in !operation.variableDefinitions.contains { $0.variable.name.hasValue(name) } }
      .map { operation in
        let declaration = operation.declaration(of: "$\(name): \(type)")
        return TextEdit.insert(declaration.text, at: declaration.offset)
      }
    guard !edits.isEmpty else { return nil }
    return CodeAction(kind: .addMissingVariable, title: "Declare $\(name): \(type)", edits: edits)
  }

  /// Returns the operation at an offset, or the operations that need the fragment at it.
  private func operations(around offset: Int) -> [OperationDefinitionNode] {
    let fragment = document.fragments.first { $0.range.contains(offset) }
    guard let fragment else { return operation(at: offset).map { [$0] } ?? [] }
    let uses = FragmentDependencies(document)
    return document.operations.filter { uses.reachable(from: $0.id).contains(fragment.id) }
  }

  /// Returns the input type of the value at an offset.
  func inputType(at offset: Int) -> TypeReference? {
    let path = TypedPath(to: offset, in: document, schema: schema)
    var type: TypeReference?
    var definitions: [InputValueDefinition] = []
    for step in path.steps {
      switch step.node.kind {
      case .field: definitions = step.field?.arguments ?? []
      case .directive:
        let name = DirectiveNode(document, step.node.id).name.value
        definitions = (schema ?? Self.builtIns).directive(named: name)?.arguments ?? []
      case .argument:
        type = definitions.first { ArgumentNode(document, step.node.id).name.hasValue($0.name) }?.type
      case .objectField:
        type = type?.definition?.inputField(named: ObjectFieldNode(document, step.node.id).name.value)?.type
      case .listValue: type = type?.elementType ?? type
      case .variableDefinition: type = nil
      default: break
      }
    }
    return type
  }
}
