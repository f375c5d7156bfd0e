import ApusGraphQLLanguage

extension LanguageService {
  /// Removes the variables that their operation does not use and the fragments that no operation needs.
  func removeUnused() -> [CodeAction] {
    guard !document.hasErrors else { return [] }
    let uses = FragmentDependencies(document)
    let variables = document.operations.flatMap { unusedVariables(of: $0, uses) }
    let operations = document.operations
    let needed = operations.reduce(into: Set<NodeID>()) { $0.formUnion(uses.reachable(from: $1.id)) }
    // A file without operations defines its fragments for other files.
    let fragments =
      operations.isEmpty
      ? []
      : uses.fragments.filter {
        !needed.contains($0.id) && !fragmentsSpreadElsewhere.contains($0.name.value)
      }
    let names = variables.map { "$\($0.name)" } + fragments.map(\.name.value)
    guard !names.isEmpty else { return [] }
    let places = variables.map(\.place) + fragments.map { removal(of: $0.range) }
    let edits = Self.joined(places).map { TextEdit(range: $0, text: "") }
    let title = names.count <= 3 ? names.joined(separator: ", ") : "\(names.count) definitions"
    return [CodeAction(kind: .removeUnused, title: "Remove unused \(title)", edits: edits)]
  }

  /// Returns the ranges with overlapping and adjacent ones joined.
  private static func joined(_ places: [Range<Int>]) -> [Range<Int>] {
    var joined: [Range<Int>] = []
    for place in places.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, place.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, place.upperBound)
      } else {
        joined.append(place)
      }
    }
    return joined
  }

  private func unusedVariables(
    of operation: OperationDefinitionNode, _ uses: FragmentDependencies
  ) -> [(name: String, place: Range<Int>)] {
    let definitions = operation.variableDefinitions
    guard !definitions.isEmpty else { return [] }
    var used: Set<String> = []
    for definition in [operation.id] + Array(uses.reachable(from: operation.id)) {
      for id in definition..<document.nodes[Int(definition)].next
      where document.nodes[Int(id)].kind == .variable && !definitions.contains(where: { $0.variable.id == id }) {
        used.insert(NameNode(document, id + 1).value)
      }
    }
    let isUnused = definitions.map { !used.contains($0.variable.name.value) }
    let list = isUnused.allSatisfy { $0 } ? parentheses(around: definitions) : nil
    return definitions.indices.filter { isUnused[$0] }.map { index in
      (definitions[index].variable.name.value, list ?? extent(of: index, among: definitions, isUnused))
    }
  }

  /// Returns the range of a definition with the separator after it. If all following definitions are removed too, the range
  /// includes the separator before it instead.
  private func extent(of index: Int, among all: [VariableDefinitionNode], _ isUnused: [Bool]) -> Range<Int> {
    let range = all[index].range
    if isUnused[index...].contains(false) { return range.lowerBound..<all[index + 1].range.lowerBound }
    return (index > 0 ? all[index - 1].range.upperBound : range.lowerBound)..<range.upperBound
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
