import ApusGraphQLLanguage

extension LanguageService {
  /// Removes the variables that their operation does not use, and the fragments that no operation needs.
  func removeUnused() -> [CodeAction] {
    guard !document.hasErrors else { return [] }
    let uses = FragmentUses(document)
    let variables = document.operations.flatMap { unusedVariables(of: $0, uses) }
    let operations = document.operations
    let needed = operations.reduce(into: Set<NodeID>()) { $0.formUnion(uses.reachable(from: $1.id)) }
    // In a file of fragments alone, others use them.
    let fragments =
      operations.isEmpty
      ? []
      : uses.fragments.filter {
        !needed.contains($0.id) && !fragmentsSpreadElsewhere.contains($0.name.value)
      }
    let names = variables.map { "$\($0.name)" } + fragments.map(\.name.value)
    guard !names.isEmpty else { return [] }
    let edits = variables.map(\.edit) + fragments.map { TextEdit(range: removal(of: $0.range), text: "") }
    let title = names.count <= 3 ? names.joined(separator: ", ") : "\(names.count) definitions"
    return [CodeAction(kind: .removeUnused, title: "Remove unused \(title)", edits: edits)]
  }

  private func unusedVariables(
    of operation: OperationDefinitionNode, _ uses: FragmentUses
  ) -> [(name: String, edit: TextEdit)] {
    let definitions = operation.variableDefinitions
    guard !definitions.isEmpty else { return [] }
    var used: Set<String> = []
    for definition in [operation.id] + Array(uses.reachable(from: operation.id)) {
      for id in definition..<document.nodes[Int(definition)].next
      where document.nodes[Int(id)].kind == .variable && !definitions.contains(where: { $0.variable.id == id }) {
        used.insert(NameNode(document, id + 1).value)
      }
    }
    let unused = definitions.filter { !used.contains($0.variable.name.value) }
    if unused.count == definitions.count, let list = parentheses(around: definitions) {
      // One edit takes the whole list; the others have nothing left to do.
      return unused.enumerated().map { index, definition in
        let place = index == 0 ? list : list.upperBound..<list.upperBound
        return (definition.variable.name.value, TextEdit(range: place, text: ""))
      }
    }
    return unused.map { definition in
      (definition.variable.name.value, TextEdit(range: extent(of: definition, among: definitions), text: ""))
    }
  }

  /// A definition with what separates it from the next one, or from the one before where it is the last that stays.
  private func extent(of definition: VariableDefinitionNode, among all: [VariableDefinitionNode]) -> Range<Int> {
    guard let index = all.firstIndex(of: definition) else { return definition.range }
    if index + 1 < all.count { return definition.range.lowerBound..<all[index + 1].range.lowerBound }
    let lower = index > 0 ? all[index - 1].range.upperBound : definition.range.lowerBound
    return lower..<definition.range.upperBound
  }

  private func parentheses(around definitions: [VariableDefinitionNode]) -> Range<Int>? {
    guard let first = definitions.first,
      let pair = brackets(around: first.range.lowerBound),
      document.source.bytes[pair.opening] == UInt8(ascii: "(")
    else { return nil }
    var lower = pair.opening
    while lower > 0, document.source.bytes[lower - 1] == 0x20 { lower -= 1 }
    return lower..<pair.closing + 1
  }
}
