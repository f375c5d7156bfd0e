import ApusGraphQLLanguage
import ApusGraphQLSchema

extension LanguageService {
  /// Moves the selections in the range, or the whole selection set around the cursor if the range is empty, to a new
  /// fragment: `{ bird { id name } }` becomes `{ bird { ...BirdFields } } fragment BirdFields on Bird { id name }`.
  func extractFragment(_ place: CodeActionContext) -> CodeAction? {
    guard let (nodes, type) = extractedSelections(place), let type, let first = nodes.first, let last = nodes.last
    else {
      return nil
    }
    // A single spread is already a fragment.
    if nodes.count == 1, case .fragmentSpread = first { return nil }
    let range = first.range.lowerBound..<last.range.upperBound
    let name = ActionText.free("\(type)Fields") { document.fragment(named: $0) != nil }
    let indentation = place.indentation(at: range.lowerBound)
    let isOnOneLine = !document.source.bytes[range].contains(0x0A)
    let body = ActionText.reindented(document.source.text(range), from: isOnOneLine ? "" : indentation, to: "  ")
    let fragment = "\n\nfragment \(name) on \(type) {\n  \(body)\n}\n"
    return CodeAction(
      kind: .extractFragment, title: "Extract to fragment \(name)",
      edits: [TextEdit(range: range, text: "...\(name)"), endOfText(fragment)])
  }

  private func extractedSelections(_ place: CodeActionContext) -> (nodes: [SelectionNode], type: String?)? {
    if place.range.isEmpty {
      guard let (set, type) = place.path.selectionSet else { return nil }
      // The whole selection set of an operation or fragment is not extracted.
      let isOfDefinition = place.path.steps.filter { $0.node.kind == .selectionSet }.count == 1
      return isOfDefinition ? nil : (set.selections, type?.name ?? conditionName(place))
    }
    guard let (nodes, type) = place.selections else { return nil }
    return (nodes, type?.name ?? conditionName(place))
  }

  /// Returns the name of the type condition, which is the only known type without a schema.
  private func conditionName(_ place: CodeActionContext) -> String? {
    guard schema == nil, let step = place.path.last(.field, .inlineFragment, .fragmentDefinition) else { return nil }
    switch step.node.kind {
    case .inlineFragment: return InlineFragmentNode(document, step.node.id).typeCondition?.name.value
    case .fragmentDefinition: return FragmentDefinitionNode(document, step.node.id).typeCondition.name.value
    default: return nil
    }
  }

  /// Appends text after the last definition.
  private func endOfText(_ text: String) -> TextEdit {
    let bytes = document.source.bytes
    var end = bytes.count
    while end > 0, bytes[end - 1] <= 0x20 { end -= 1 }
    return TextEdit(range: end..<bytes.count, text: text)
  }
}
