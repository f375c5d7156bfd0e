import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The location of a definition in the document or in a document of the schema.
package struct DefinitionLocation: Sendable {
  package let document: Document
  /// The byte range of the whole definition.
  package let range: Range<Int>
  /// The byte range of the name.
  package let name: Range<Int>
  /// The schema element; `nil` for a definition of the document itself.
  package let element: SchemaElement?
}

extension LanguageService {
  /// Returns the definition of the symbol at a byte offset.
  package func definition(at offset: Int) -> DefinitionLocation? {
    guard let occurrence = occurrence(at: offset) else { return nil }
    switch occurrence.symbol {
    case .element(let element): return location(of: element)
    case .alias(_, let field): return field.flatMap { location(of: .field($0)) }
    case .fragment(let name):
      return document.fragment(named: name).map { location($0.range, $0.name.range) }
    case .operation(let name):
      return document.operation(named: name).flatMap { operation in
        operation.name.map { location(operation.range, $0.range) }
      }
    case .fragmentVariable(let fragment, let name):
      let found = document.fragment(named: fragment)?.declaration(ofVariable: name)
      return found.map { location($0.range, $0.name) }
    case .variable(let name):
      let definition = variableDefinitions(at: occurrence.range.upperBound).first { $0.variable.name.hasValue(name) }
      return definition.map { location($0.range, $0.variable.name.range) }
    }
  }

  private func location(_ range: Range<Int>, _ name: Range<Int>) -> DefinitionLocation {
    DefinitionLocation(document: document, range: range, name: name, element: nil)
  }

  private func location(of element: SchemaElement) -> DefinitionLocation? {
    element.place.map {
      DefinitionLocation(document: $0.document, range: $0.definition, name: $0.name, element: element)
    }
  }

  /// Returns all occurrences of the symbol at a byte offset, in the order of the document.
  package func references(at offset: Int) -> [Occurrence] {
    guard let occurrence = occurrence(at: offset) else { return [] }
    switch occurrence.symbol {
    case .alias: return [occurrence]
    case .variable(let name):
      let scope = VariableScope(of: name, at: occurrence.range.lowerBound, in: document)
      return occurrences().filter { $0.symbol == occurrence.symbol && scope.contains($0.range.lowerBound) }
    case .operation, .fragment, .fragmentVariable, .element:
      return occurrences().filter { $0.symbol == occurrence.symbol }
    }
  }
}

/// The definitions that share a variable: operations, the fragments they need, and the operations that also need these.
struct VariableScope {
  private var ranges: [Range<Int>] = []

  init(of variable: String, at offset: Int, in document: Document) {
    let uses = FragmentDependencies(document)
    let operations = document.operations.map { ($0.id, uses.reachable(from: $0.id)) }
    var members: Set<NodeID> = []
    for id in document.children(of: 0) {
      let range = document.nodes[Int(id)].range
      if range.lowerBound <= offset, offset <= range.upperBound { members = [id] }
    }
    // Operations share a variable through a fragment that uses it.
    var count = 0
    while count != members.count {
      count = members.count
      for (operation, fragments) in operations {
        let shared = fragments.filter { Self.uses(variable, $0, document) && !Self.declares(variable, $0, document) }
        if members.contains(operation) { members.formUnion(shared) }
        if !members.isDisjoint(with: shared) { members.insert(operation) }
      }
    }
    ranges = members.map { document.nodes[Int($0)].range }
  }

  private static func uses(_ variable: String, _ fragment: NodeID, _ document: Document) -> Bool {
    (fragment..<document.nodes[Int(fragment)].next).contains {
      document.nodes[Int($0)].kind == .variable && NameNode(document, $0 + 1).hasValue(variable)
    }
  }

  private static func declares(_ variable: String, _ fragment: NodeID, _ document: Document) -> Bool {
    FragmentDefinitionNode(document, fragment).declaredVariables.contains(variable)
  }

  func contains(_ offset: Int) -> Bool { ranges.contains { $0.contains(offset) } }
}
