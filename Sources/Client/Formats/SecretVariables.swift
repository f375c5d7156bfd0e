import ApusGraphQLLanguage
import ApusSecrets

/// A document whose secret literals became variables of its operations: `login(password: "•••")` becomes
/// `login(password: $password)`, with the definition `$password: String!`.
package struct SecretVariables {
  package struct Variable: Equatable, Sendable {
    package let name: String
    package let type: String
  }

  package private(set) var document: String
  /// The variables that need a value, in the order of the document.
  package private(set) var variables: [Variable] = []

  /// A replacement in the text.
  private typealias Edit = (range: Range<Int>, text: String)

  /// Replaces the references of a document. Returns nil if the document has a syntax error.
  ///
  /// - Parameters:
  ///   - original: The document with its secrets, whose literals decide between `String!`, `Int!` and `Float!`.
  ///   - syntax: A valid document with the same offsets, for text with `{{variables}}`.
  package init?(_ draft: DraftText, original: String? = nil, syntax: Document? = nil) {
    document = draft.text
    let secrets = draft.documentSecrets.filter { !$0.isInComment }
    guard !secrets.isEmpty else { return }
    let parsed = syntax ?? Document(parsing: draft.parsable)
    guard parsed.diagnostics.isEmpty else { return nil }
    let literals = original.map { draft.originals(of: secrets, in: $0) } ?? secrets.map { _ in nil }
    var names = Set(parsed.operations.flatMap(\.variableDefinitions).map { $0.variable.name.value })
    var edits: [Edit] = []
    var added: [Int: [Variable]] = [:]
    var end = 0
    for (secret, literal) in zip(secrets, literals) where secret.literal.lowerBound >= end {
      end = secret.literal.upperBound
      if let definition = Self.definition(withDefault: secret.literal, in: parsed) {
        let variable = Variable(name: definition.variable.name.value, type: "\(definition.type)")
        edits.append((definition.type.range.upperBound..<(definition.defaultValue?.range.upperBound ?? end), ""))
        end = definition.range.upperBound
        variables.append(variable)
        continue
      }
      let variable = Variable(
        name: Self.free(secret.path.last ?? "secret", &names),
        type: Self.type(of: literal ?? (secret.isUnquoted ? "0" : nil)))
      edits.append((secret.literal, "$\(variable.name)"))
      for index in Self.operations(with: secret.literal, in: parsed) { added[index, default: []].append(variable) }
      variables.append(variable)
    }
    for (index, variables) in added { edits.append(Self.edit(parsed.operations[index], adding: variables)) }
    var bytes = Array(draft.text.utf8)
    for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      bytes.replaceSubrange(edit.range, with: edit.text.utf8)
    }
    document = String(decoding: bytes, as: UTF8.self)
  }

  private static func definition(withDefault literal: Range<Int>, in document: Document) -> VariableDefinitionNode? {
    document.operations.lazy.flatMap(\.variableDefinitions).first { definition in
      definition.defaultValue.map { $0.range.contains(literal.lowerBound) } ?? false
    }
  }

  private static func type(of literal: String?) -> String {
    guard let first = literal?.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first) else {
      return "String!"
    }
    return literal?.contains { ".eE".contains($0) } == true ? "Float!" : "Int!"
  }

  /// Returns a variable name that is not in use yet.
  private static func free(_ name: String, _ names: inout Set<String>) -> String {
    let plain = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    let base = plain.first?.isNumber ?? true ? "_\(plain)" : plain
    var free = base
    var number = 2
    while !names.insert(free).inserted {
      free = "\(base)\(number)"
      number += 1
    }
    return free
  }

  // MARK: Operations

  /// Returns the indexes of the operations that contain a literal or spread the fragment that contains it.
  private static func operations(with literal: Range<Int>, in document: Document) -> [Int] {
    let fragments = document.fragments
    var spreads: Set<String> = []
    if let fragment = fragments.first(where: { $0.range.contains(literal.lowerBound) }) {
      spreads = [fragment.name.value]
      var isGrowing = true
      while isGrowing {
        let outer = fragments.filter { Self.spreads(spreads, $0.range, in: document) }.map(\.name.value)
        isGrowing = !spreads.isSuperset(of: outer)
        spreads.formUnion(outer)
      }
    }
    return document.operations.indices.filter { index in
      let range = document.operations[index].range
      return range.contains(literal.lowerBound) || Self.spreads(spreads, range, in: document)
    }
  }

  /// Whether one of the fragments is spread in a range.
  private static func spreads(_ names: Set<String>, _ range: Range<Int>, in document: Document) -> Bool {
    guard !names.isEmpty else { return false }
    return document.nodes.indices.contains { index in
      guard document.nodes[index].kind == .fragmentSpread, range.contains(document.nodes[index].range.lowerBound) else {
        return false
      }
      return names.contains(FragmentSpreadNode(document, NodeID(index)).name.value)
    }
  }

  private static func edit(_ operation: OperationDefinitionNode, adding variables: [Variable]) -> Edit {
    let text = variables.map { "$\($0.name): \($0.type)" }.joined(separator: ", ")
    func insert(_ text: String, at offset: Int) -> Edit { (offset..<offset, text) }
    if let last = operation.variableDefinitions.last { return insert(", \(text)", at: last.range.upperBound) }
    if operation.isShorthand { return insert("query (\(text)) ", at: operation.selectionSet.range.lowerBound) }
    if let name = operation.name { return insert("(\(text))", at: name.range.upperBound) }
    let next = operation.directives.first?.range.lowerBound ?? operation.selectionSet.range.lowerBound
    return insert("(\(text)) ", at: next)
  }
}
