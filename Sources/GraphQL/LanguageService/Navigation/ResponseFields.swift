import ApusGraphQLLanguage

extension LanguageService {
  /// Returns the range of the response key of the first field that a response path leads to, or `nil` if there is none in
  /// the document.
  ///
  /// - Parameter keys: The response keys of the path, without list indexes.
  package func field(at keys: [String], in operation: OperationDefinitionNode) -> Range<Int>? {
    var sets = [operation.selectionSet]
    var found: FieldNode?
    for key in keys {
      var visited: Set<String> = []
      let fields = sets.flatMap { selected(by: $0, named: key, &visited) }
      guard let first = fields.first else { return nil }
      found = first
      sets = fields.compactMap(\.selectionSet)
    }
    return found.map { $0.alias?.range ?? $0.name.range }
  }

  /// Returns the fields with a response key, including those of fragments.
  private func selected(by set: SelectionSetNode, named key: String, _ visited: inout Set<String>) -> [FieldNode] {
    var found: [FieldNode] = []
    for selection in set.selections {
      switch selection {
      case .field(let field): if field.responseKey == key { found.append(field) }
      case .inlineFragment(let fragment): found += selected(by: fragment.selectionSet, named: key, &visited)
      case .fragmentSpread(let spread):
        let name = spread.name.value
        guard visited.insert(name).inserted, let fragment = document.fragment(named: name) else { continue }
        found += selected(by: fragment.selectionSet, named: key, &visited)
      }
    }
    return found
  }
}
