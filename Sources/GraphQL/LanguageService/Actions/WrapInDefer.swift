import ApusGraphQLLanguage
import ApusGraphQLSchema

extension LanguageService {
  /// Defers the selections in the range, or the one at the cursor, with a label that is unique in the document: `name`
  /// becomes `... @defer(label: "name") { name }`.
  func wrapInDefer(_ place: CodeActionContext) -> CodeAction? {
    guard let (nodes, type) = place.selections, let first = nodes.first, let last = nodes.last else { return nil }
    if let schema, schema.directive(named: "defer") == nil { return nil }
    guard canDefer(nodes, of: type, place) else { return nil }
    if nodes.count == 1, let name = deferrableFragment(first) {
      let label = freeLabel(name)
      let offset = insertion(into: first)
      return CodeAction(
        kind: .wrapInDefer, title: "Defer as \"\(label)\"", edits: [.insert(" @defer(label: \"\(label)\")", at: offset)]
      )
    }
    guard case .field(let field) = first else { return nil }
    let label = freeLabel(field.responseKey)
    let range = first.range.lowerBound..<last.range.upperBound
    let indentation = place.indentation(at: range.lowerBound)
    let body = ActionText.reindented(
      document.source.text(range), from: indentation, to: indentation + "  ")
    let text = "... @defer(label: \"\(label)\") {\n\(indentation)  \(body)\n\(indentation)}"
    return CodeAction(
      kind: .wrapInDefer, title: "Defer as \"\(label)\"", edits: [TextEdit(range: range, text: text)])
  }

  /// Whether the selections can be deferred: not in a subscription, and not at the root of a mutation, whose fields run
  /// serially.
  private func canDefer(_ nodes: [SelectionNode], of type: TypeDefinition?, _ place: CodeActionContext) -> Bool {
    if nodes.contains(where: { $0.directives.contains { $0.name.hasValue("defer") } }) { return false }
    guard case .operation(let operation) = place.definition else { return true }
    switch operation.operation {
    case .query: return true
    case .subscription: return false
    case .mutation: return type.map { $0 != schema?.mutationType } ?? false
    }
  }

  /// Returns the name for the label of a fragment that can have the directive itself; `nil` for a field.
  private func deferrableFragment(_ selection: SelectionNode) -> String? {
    switch selection {
    case .field: nil
    case .fragmentSpread(let spread): spread.name.value
    case .inlineFragment(let fragment): fragment.typeCondition?.name.value ?? "fragment"
    }
  }

  private func insertion(into selection: SelectionNode) -> Int {
    switch selection {
    case .field(let field): field.range.upperBound
    case .fragmentSpread(let spread): spread.name.range.upperBound
    case .inlineFragment(let fragment): fragment.typeCondition?.range.upperBound ?? fragment.range.lowerBound + 3
    }
  }

  private func freeLabel(_ name: String) -> String {
    var labels: Set<String> = []
    for index in document.nodes.indices where document.nodes[index].kind == .directive {
      let argument = DirectiveNode(document, NodeID(index)).argument(named: "label")
      if let label = argument?.value.stringValue { labels.insert(label) }
    }
    return ActionText.free(name) { labels.contains($0) }
  }
}
