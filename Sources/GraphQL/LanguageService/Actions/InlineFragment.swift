import ApusGraphQLLanguage
import ApusGraphQLSchema

extension LanguageService {
  /// Replaces the fragment spread at the cursor, or all spreads of the fragment definition at the cursor, by the fragment's
  /// selections. Removes a fragment that is no longer used.
  func inlineFragment(_ place: CodeActionContext) -> CodeAction? {
    if let step = place.path.last(.fragmentSpread, .field, .inlineFragment), step.node.kind == .fragmentSpread {
      let spread = FragmentSpreadNode(document, step.node.id)
      guard let fragment = document.fragment(named: spread.name.value), isInlinable(fragment) else { return nil }
      var edits = [inlined(fragment, at: spread, in: step.type, place)]
      if spreads(of: fragment).count == 1 { edits.append(TextEdit(range: removal(of: fragment.range), text: "")) }
      return CodeAction(kind: .inlineFragment, title: "Inline fragment \(fragment.name.value)", edits: edits)
    }
    guard case .fragment(let fragment) = place.definition, isInlinable(fragment),
      place.offset < fragment.selectionSet.range.lowerBound
    else { return nil }
    let spreads = spreads(of: fragment)
    guard !spreads.isEmpty else { return nil }
    let edits = spreads.map { spread in
      let path = TypedPath(to: spread.name.range.upperBound, in: document, schema: schema)
      return inlined(fragment, at: spread, in: path.last(.fragmentSpread)?.type, place)
    }
    return CodeAction(
      kind: .inlineFragment, title: "Inline fragment \(fragment.name.value) everywhere",
      edits: edits + [TextEdit(range: removal(of: fragment.range), text: "")])
  }

  /// Whether the fragment has selections and does not spread itself.
  private func isInlinable(_ fragment: FragmentDefinitionNode) -> Bool {
    fragment.selectionSet.kind == .selectionSet && !fragment.selectionSet.selections.isEmpty
      && !FragmentDependencies(document).reachable(from: fragment.id).contains(fragment.id)
  }

  func spreads(of fragment: FragmentDefinitionNode) -> [FragmentSpreadNode] {
    document.nodes.indices.lazy
      .filter { document.nodes[$0].kind == .fragmentSpread }
      .map { FragmentSpreadNode(document, NodeID($0)) }
      .filter { $0.name.hasValue(fragment.name.value) }
  }

  /// Returns the selections without a type condition if the spread has the same parent type, else an inline fragment.
  private func inlined(
    _ fragment: FragmentDefinitionNode, at spread: FragmentSpreadNode, in parent: TypeDefinition?,
    _ place: CodeActionContext
  ) -> TextEdit {
    let set = fragment.selectionSet
    let condition = fragment.typeCondition.name.value
    let indentation = place.indentation(at: spread.range.lowerBound)
    let directives = (fragment.directives + spread.directives).map { " \($0.text)" }.joined()
    let old = place.indentation(at: set.range.lowerBound)
    if directives.isEmpty, parent?.name == condition, let first = set.selections.first, let last = set.selections.last {
      let body = document.source.text(first.range.lowerBound..<last.range.upperBound)
      let text = ActionText.reindented(body, from: place.indentation(at: first.range.lowerBound), to: indentation)
      return TextEdit(range: spread.range, text: text)
    }
    let body = ActionText.reindented(set.text, from: old, to: indentation)
    return TextEdit(range: spread.range, text: "... on \(condition)\(directives) \(body)")
  }

  /// Returns the range of a definition with the blank lines before it; for the first definition, with those after it.
  func removal(of range: Range<Int>) -> Range<Int> {
    let bytes = document.source.bytes
    var lower = range.lowerBound
    while lower > 0, bytes[lower - 1] <= 0x20 { lower -= 1 }
    var upper = range.upperBound
    if lower == 0 {
      while upper < bytes.count, bytes[upper] <= 0x20 { upper += 1 }
    }
    return lower..<upper
  }
}
