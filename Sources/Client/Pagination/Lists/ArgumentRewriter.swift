import ApusClientAPI
import ApusClientOperation
import ApusGraphQLLanguage
import ApusJSON

/// Sets arguments of the field at a path of response keys, both in an operation's text and in its compiled form:
/// `{ birds(first: 10) { name } }` becomes `{ birds(first: 10, after: "c10") { name } }`.
struct ArgumentRewriter {
  let path: [String]
  /// Arguments and their new values; `nil` removes the argument.
  let values: [(name: String, value: JSONValue?)]

  func rewrite(_ operation: CompiledOperation) -> CompiledOperation {
    let fields = operation.selections.fields(at: path)
    guard !fields.isEmpty else { return operation }
    let replaced = fields.map { (ObjectIdentifier($0), withValues($0)) }
    var copy = OperationCopy(replaced: Dictionary(replaced, uniquingKeysWith: { first, _ in first }))
    let selections = copy.set(operation.selections)
    let (text, map) = SourceMap.edited(
      operation.documentText, by: edits(of: operation.documentText, operation.name), after: operation.sourceMap)
    return CompiledOperation(
      operationType: operation.operationType, name: operation.name, documentText: text, sourceMap: map,
      rootTypeName: operation.isRootTypeKnown ? operation.rootTypeName : nil, queryTypeName: operation.queryTypeName,
      selections: selections,
      variableDefinitions: operation.variableDefinitions, fragments: operation.fragments.map { copy.fragment($0) },
      hasIncremental: operation.hasIncremental, keyRules: operation.keyRules)
  }

  // MARK: Compiled form

  private func withValues(_ field: CompiledField) -> CompiledField {
    let names = Set(values.map(\.name))
    let arguments =
      field.arguments.filter { !names.contains($0.name) }
      + values.compactMap { name, value in value.map { CompiledArgument(name: name, value: .constant($0)) } }
    return CompiledField(
      name: field.name, responseKey: field.responseKey, arguments: arguments, conditions: field.conditions,
      stream: field.stream, type: field.type, selectionSet: field.selectionSet, isAdded: field.isAdded,
      leafCheck: field.leafCheck, leafIdentity: field.leafIdentity)
  }

  // MARK: Text

  /// Returns a document with the new arguments in the named operation, or in the first one if there is none with this
  /// name.
  func rewrite(_ text: String, operationName: String? = nil) -> String {
    SourceMap.edited(text, by: edits(of: text, operationName), after: nil).text
  }

  private func edits(of text: String, _ operationName: String?) -> [(range: Range<Int>, text: String)] {
    let document = Document(parsing: text)
    let named = document.operations.first { $0.name?.value == operationName }
    guard let operation = named ?? document.operations.first else { return [] }
    var edits: [Int: (range: Range<Int>, text: String)] = [:]
    var visited: Set<String> = []
    edit(operation.selectionSet, path[...], in: document, visited: &visited, edits: &edits)
    return Array(edits.values)
  }

  /// `visited` contains the fragments with the number of remaining keys when they were visited.
  private func edit(
    _ set: SelectionSetNode, _ path: ArraySlice<String>, in document: Document, visited: inout Set<String>,
    edits: inout [Int: (range: Range<Int>, text: String)]
  ) {
    guard let key = path.first else { return }
    for selection in set.selections {
      switch selection {
      case .inlineFragment(let fragment):
        edit(fragment.selectionSet, path, in: document, visited: &visited, edits: &edits)
      case .fragmentSpread(let spread):
        let name = spread.name.value
        guard visited.insert("\(name) \(path.count)").inserted, let fragment = document.fragment(named: name) else {
          continue
        }
        edit(fragment.selectionSet, path, in: document, visited: &visited, edits: &edits)
      case .field(let field) where field.responseKey == key:
        if path.count == 1 {
          edits[field.range.lowerBound] = edit(of: field)
        } else if let set = field.selectionSet {
          edit(set, path.dropFirst(), in: document, visited: &visited, edits: &edits)
        }
      case .field: break
      }
    }
  }

  /// Returns an edit that replaces the argument list. Unchanged arguments keep their text.
  private func edit(of field: FieldNode) -> (range: Range<Int>, text: String) {
    let arguments = field.arguments
    var texts = arguments.compactMap { argument -> String? in
      guard let change = values.first(where: { argument.name.hasValue($0.name) }) else { return argument.text }
      return change.value.map { "\(change.name): \(literal($0))" }
    }
    for (name, value) in values where !arguments.contains(where: { $0.name.hasValue(name) }) {
      if let value { texts.append("\(name): \(literal(value))") }
    }
    let list = texts.isEmpty ? "" : "(" + texts.joined(separator: ", ") + ")"
    let end = field.name.range.upperBound
    guard let last = arguments.last else { return (end..<end, list) }
    return (end..<Self.endOfArguments(after: last.range.upperBound, in: field.document.source.bytes), list)
  }

  /// Returns the offset after the parenthesis that closes the arguments. Only whitespace, commas and comments precede
  /// it.
  private static func endOfArguments(after last: Int, in bytes: some RandomAccessCollection<UInt8>) -> Int {
    var isInComment = false
    var index = bytes.index(bytes.startIndex, offsetBy: last)
    while index < bytes.endIndex {
      switch bytes[index] {
      case UInt8(ascii: "#"): isInComment = true
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): isInComment = false
      case UInt8(ascii: ")") where !isInComment: return bytes.distance(from: bytes.startIndex, to: index) + 1
      default: break
      }
      bytes.formIndex(after: &index)
    }
    return last
  }

  /// Returns a scalar as a GraphQL literal, which for scalars equals its JSON text.
  private func literal(_ value: JSONValue) -> String { value.description }
}

extension PageableList {
  /// Returns a document whose operation requests a page with the arguments of that page's query. Other arguments keep
  /// their text.
  package func text(_ text: String, of first: DynamicOperation, asking page: DynamicOperation) -> String {
    func values(_ operation: DynamicOperation) -> [String: JSONValue] {
      let field = operation.compiled.selections.fields(at: path.keys).first
      let constants = field?.arguments.compactMap { argument -> (String, JSONValue)? in
        guard case .constant(let value) = argument.value else { return nil }
        return (argument.name, value)
      }
      return Dictionary(constants ?? [], uniquingKeysWith: { first, _ in first })
    }
    let (before, after) = (values(first), values(page))
    let changed = Set(before.keys).union(after.keys).sorted().filter { before[$0] != after[$0] }
    guard !changed.isEmpty else { return text }
    let rewriter = ArgumentRewriter(path: path.keys, values: changed.map { ($0, after[$0]) })
    return rewriter.rewrite(text, operationName: first.compiled.name)
  }
}

/// A copy of a compiled operation with some fields replaced. Shared selection sets and fragments remain shared.
private struct OperationCopy {
  let replaced: [ObjectIdentifier: CompiledField]
  private var sets: [ObjectIdentifier: CompiledSelectionSet] = [:]
  private var fragments: [ObjectIdentifier: CompiledFragment] = [:]

  init(replaced: [ObjectIdentifier: CompiledField]) { self.replaced = replaced }

  mutating func set(_ set: CompiledSelectionSet) -> CompiledSelectionSet {
    if let rewritten = sets[ObjectIdentifier(set)] { return rewritten }
    let copy = CompiledSelectionSet(
      parentType: set.parentType, possibleTypes: set.possibleTypes,
      selections: set.selections.map { selection in
        switch selection {
        case .field(let field): .field(self.field(field))
        case .fragment(let fragment): .fragment(self.fragment(fragment))
        }
      })
    sets[ObjectIdentifier(set)] = copy
    return copy
  }

  mutating func fragment(_ fragment: CompiledFragment) -> CompiledFragment {
    if let rewritten = fragments[ObjectIdentifier(fragment)] { return rewritten }
    let copy = CompiledFragment(
      id: fragment.id, name: fragment.name, typeCondition: fragment.typeCondition,
      possibleTypes: fragment.possibleTypes, staticApplication: fragment.staticApplication,
      conditions: fragment.conditions, deferral: fragment.deferral, deferredField: fragment.deferredField,
      selectionSet: set(fragment.selectionSet), model: fragment.model)
    fragments[ObjectIdentifier(fragment)] = copy
    return copy
  }

  private mutating func field(_ field: CompiledField) -> CompiledField {
    let field = replaced[ObjectIdentifier(field)] ?? field
    guard let selectionSet = field.selectionSet else { return field }
    return CompiledField(
      name: field.name, responseKey: field.responseKey, arguments: field.arguments, conditions: field.conditions,
      stream: field.stream, type: field.type, selectionSet: set(selectionSet), isAdded: field.isAdded,
      leafCheck: field.leafCheck, leafIdentity: field.leafIdentity)
  }
}
