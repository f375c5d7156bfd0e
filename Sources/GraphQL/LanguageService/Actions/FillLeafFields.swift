import ApusGraphQLLanguage
import ApusGraphQLSchema

extension LanguageService {
  /// Selects the missing leaf fields of the field at the cursor, or of the selection set around it.
  func fillLeafFields(_ place: CodeActionContext) -> CodeAction? {
    fillField(place) ?? fillSelectionSet(place)
  }

  /// Fills the field at the cursor if it has a composite type and no selections.
  private func fillField(_ place: CodeActionContext) -> CodeAction? {
    guard let step = place.path.last(.field), let type = step.field?.type.definition, type.isComposite else {
      return nil
    }
    let field = FieldNode(document, step.node.id)
    let set = field.selectionSet.flatMap { $0.isMissing ? nil : $0 }
    guard set.map(\.selections.isEmpty) ?? true else { return nil }
    let indentation = place.indentation(at: field.range.lowerBound)
    let block = ActionText.block(leafFields(of: type, without: []), indentation: indentation)
    let edit = set.map { TextEdit(range: $0.range, text: block) } ?? .insert(" " + block, at: field.range.upperBound)
    return CodeAction(kind: .fillLeafFields, title: "Select all leaf fields of \(type.name)", edits: [edit])
  }

  private func fillSelectionSet(_ place: CodeActionContext) -> CodeAction? {
    guard let (set, type) = place.path.selectionSet, let type else { return nil }
    var selected: Set<String> = []
    for case .field(let field) in set.selections { selected.insert(field.name.value) }
    let missing = leafFields(of: type, without: selected).filter { !selected.contains($0) }
    guard !missing.isEmpty else { return nil }
    let indentation = place.indentation(at: set.range.lowerBound)
    let title = "Select all leaf fields of \(type.name)"
    guard let last = set.selections.last else {
      let block = ActionText.block(missing, indentation: indentation)
      return CodeAction(kind: .fillLeafFields, title: title, edits: [TextEdit(range: set.range, text: block)])
    }
    let inner = document.source.location(at: last.range.lowerBound).line
    let isOnLine = inner == document.source.location(at: set.range.lowerBound).line
    let text = missing.map { isOnLine ? " \($0)" : "\n\(place.indentation(at: last.range.lowerBound))\($0)" }.joined()
    return CodeAction(kind: .fillLeafFields, title: title, edits: [.insert(text, at: last.range.upperBound)])
  }

  /// Returns the leaf fields that need no arguments and are not deprecated, or `__typename` if there is none.
  private func leafFields(of type: TypeDefinition, without selected: Set<String>) -> [String] {
    let names = type.fields
      .filter { field in
        field.type.definition?.isLeaf ?? false && !field.isDeprecated && !field.arguments.contains(where: \.isRequired)
      }
      .map(\.name)
    return names.isEmpty && selected.isEmpty ? ["__typename"] : names
  }
}
