import ApusGraphQLLanguage

extension LanguageService {
  /// Returns the operation at an offset, else the last one before it, else the first one.
  package func operation(at offset: Int) -> OperationDefinitionNode? {
    let operations = document.operations
    return operations.first { $0.range.lowerBound <= offset && offset <= $0.range.upperBound }
      ?? operations.last { $0.range.upperBound <= offset } ?? operations.first
  }

  /// Returns the fragments that an operation or fragment needs, directly and indirectly, in the order of the document.
  /// A request for the operation must include them.
  package func fragments(neededBy definition: some SyntaxView) -> [FragmentDefinitionNode] {
    let uses = FragmentDependencies(document)
    let needed = uses.reachable(from: definition.id)
    return uses.fragments.filter { needed.contains($0.id) }
  }

  /// Returns the names of fragments that a definition needs and the document does not define.
  package func missingFragments(neededBy definition: some SyntaxView) -> [String] {
    let uses = FragmentDependencies(document)
    let definitions = [definition.id] + uses.reachable(from: definition.id).sorted()
    var seen: Set<String> = []
    return definitions.flatMap { uses.spreads[$0] ?? [] }.filter { uses.named[$0] == nil && seen.insert($0).inserted }
  }

  /// Returns the variables that can be used at an offset: those of the operation, or for a fragment those of the
  /// operations that need it.
  func variableDefinitions(at offset: Int) -> [VariableDefinitionNode] {
    let fragment = document.fragments.first { $0.range.lowerBound < offset && offset <= $0.range.upperBound }
    guard let fragment else { return operation(at: offset)?.variableDefinitions ?? [] }
    let users = FragmentDependencies(document).users(of: fragment)
    var seen: Set<String> = []
    let inherited = document.operations.filter { users.contains($0.id) }.flatMap(\.variableDefinitions)
    return (fragment.variableDefinitions + inherited)
      .filter { seen.insert($0.variable.name.value).inserted }
  }
}

/// The fragment spreads of each definition in a document.
struct FragmentDependencies {
  let fragments: [FragmentDefinitionNode]
  private(set) var named: [String: FragmentDefinitionNode] = [:]
  /// Names of spread fragments by definition, in the order of the document.
  private(set) var spreads: [NodeID: [String]] = [:]

  init(_ document: Document) {
    fragments = document.fragments
    for fragment in fragments where named[fragment.name.value] == nil { named[fragment.name.value] = fragment }
    for definition in document.children(of: 0) {
      var names: [String] = []
      for id in definition..<document.nodes[Int(definition)].next
      where document.nodes[Int(id)].kind == .fragmentSpread {
        names.append(FragmentSpreadNode(document, id).name.value)
      }
      spreads[definition] = names
    }
  }

  /// Returns the definitions that spread a fragment, directly or indirectly.
  func users(of fragment: FragmentDefinitionNode) -> Set<NodeID> {
    var usersOfName: [String: [NodeID]] = [:]
    for (definition, names) in spreads {
      for name in names { usersOfName[name, default: []].append(definition) }
    }
    let nameOfFragment = Dictionary(uniqueKeysWithValues: named.map { ($1.id, $0) })
    var found: Set<NodeID> = []
    var open = [fragment.id]
    while let next = open.popLast() {
      guard let name = nameOfFragment[next] else { continue }
      for user in usersOfName[name] ?? [] where found.insert(user).inserted { open.append(user) }
    }
    return found
  }

  /// Returns the fragments that a definition spreads, directly or indirectly.
  func reachable(from definition: NodeID) -> Set<NodeID> {
    var found: Set<NodeID> = []
    var open = [definition]
    while let next = open.popLast() {
      for name in spreads[next] ?? [] {
        guard let fragment = named[name], found.insert(fragment.id).inserted else { continue }
        open.append(fragment.id)
      }
    }
    return found
  }
}
