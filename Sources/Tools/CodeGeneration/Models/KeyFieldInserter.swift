import ApusASCII
import ApusClientOperation
import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Adds `__typename` and the declared key fields to the selections of every object, and removes directives that only
/// the generator reads. Other key fields are added only for the cache: models have no properties for them.
struct KeyFieldInserter {
  /// A key field without a property in models: `id` in `{ bird { name } }`, unless the schema or the settings declare
  /// it as a key field of the type.
  struct HiddenKey {
    let definition: FieldDefinition
    /// The type that has the field, if not every object of the selection has it.
    let owner: TypeDefinition?
  }

  /// The hidden keys of a selection set, and the range of their text.
  struct HiddenKeys {
    let range: Range<Int>
    let keys: [HiddenKey]
  }

  private struct Insertion {
    let offset: Int
    let text: String
    let hiddenText: String
    let keys: [HiddenKey]
  }

  /// The document with the added fields.
  let document: Document
  /// Hidden keys by the offsets of their selection sets.
  let hiddenKeys: [Int: HiddenKeys]

  init(_ source: Document, schema: Schema, keyFields: KeyFields) {
    var walk = Walk(source, schema: schema, keyFields: keyFields)
    walk.run()
    var bytes: [UInt8] = []
    var hidden: [Int: HiddenKeys] = [:]
    let original = source.source.bytes
    var offset = 0
    for insertion in walk.insertions.sorted(by: { $0.offset < $1.offset }) {
      bytes.append(contentsOf: original[offset..<insertion.offset])
      let set = bytes.count - 1
      bytes.append(contentsOf: insertion.text.utf8)
      let start = bytes.count
      bytes.append(contentsOf: insertion.hiddenText.utf8)
      if !insertion.keys.isEmpty { hidden[set] = HiddenKeys(range: start..<bytes.count, keys: insertion.keys) }
      offset = insertion.offset
    }
    bytes.append(contentsOf: original[offset...])
    document = Document(parsing: bytes, name: source.source.name)
    hiddenKeys = hidden
  }

  private struct Walk {
    let source: Document
    let schema: Schema
    let keyFields: KeyFields
    let added: CacheFieldPlanner
    var insertions: [Insertion] = []

    init(_ source: Document, schema: Schema, keyFields: KeyFields) {
      self.source = source
      self.schema = schema
      self.keyFields = keyFields
      added = CacheFieldPlanner(document: source, schema: schema, options: keyFields.compileOptions)
    }

    mutating func run() {
      for definition in source.definitions {
        switch definition {
        case .operation(let operation):
          visit(operation.selectionSet, schema.rootType(operation.operation), of: .root)
        case .fragment(let fragment):
          visit(fragment.selectionSet, schema.type(named: fragment.typeCondition.name.value), of: .fragment)
        case .schema, .typeDefinition, .directiveDefinition: break
        }
      }
    }

    /// The owner of a selection set. The added fields of a named fragment appear wherever it is used.
    private enum Place { case root, field, fragment, introspection, inlineFragment }

    private mutating func visit(_ set: SelectionSetNode, _ type: TypeDefinition?, of place: Place) {
      if let type { add(to: set, type, of: place) }
      for selection in set.selections {
        switch selection {
        case .field(let field):
          guard let inner = field.selectionSet else { continue }
          visit(
            inner, type?.field(named: field.name.value)?.type.definition,
            of: field.name.value.hasPrefix("__") ? .introspection : .field)
        case .inlineFragment(let fragment):
          let condition = fragment.typeCondition.map { schema.type(named: $0.name.value) } ?? type
          visit(fragment.selectionSet, condition, of: .inlineFragment)
        case .fragmentSpread: break
        }
      }
    }

    private mutating func add(to set: SelectionSetNode, _ type: TypeDefinition, of place: Place) {
      switch place {
      case .root, .introspection, .inlineFragment: return
      case .field, .fragment: break
      }
      let shown = (["__typename"] + (keyFields.declared(type) ?? [])).filter { name in
        added.canAdd(name, to: set)
          && !set.selections.contains { if case .field(let field) = $0 { field.responseKey == name } else { false } }
      }
      var keys: [HiddenKey] = []
      var hidden: [CompiledSelection] = []
      for selection in place == .field ? added.additions(to: set, type: type) : [] {
        let found = self.keys(selection, on: type).filter { $0.owner != nil || !shown.contains($0.definition.name) }
        if !found.isEmpty { hidden.append(selection) }
        keys += found
      }
      if shown.isEmpty && keys.isEmpty { return }
      let text = shown.isEmpty ? "" : " " + shown.joined(separator: " ")
      insertions.append(
        Insertion(
          offset: set.range.lowerBound + 1, text: keys.isEmpty ? text + " " : text,
          hiddenText: keys.isEmpty ? "" : " " + CacheFieldPlanner.text(of: hidden) + " ", keys: keys))
    }

    private func keys(_ selection: CompiledSelection, on type: TypeDefinition) -> [HiddenKey] {
      switch selection {
      case .field(let field):
        guard !field.name.hasPrefix("__"), let definition = type.field(named: field.name) else { return [] }
        return [HiddenKey(definition: definition, owner: nil)]
      case .fragment(let fragment):
        guard let owner = fragment.typeCondition.flatMap({ schema.type(named: $0) }) else { return [] }
        return fragment.selectionSet.selections.flatMap { keys($0, on: owner) }
          .map { HiddenKey(definition: $0.definition, owner: owner) }
      }
    }
  }
}

/// The text of a definition that is sent: minified, `query Birds{birds{__typename id}}`.
struct DefinitionText {
  /// Returns the text in canonical layout, or minified. Descriptions are not sent, because many servers do not support
  /// them on operations; they document the model.
  static func text(_ node: AnyNode, _ directives: [DirectiveNode], minified: Bool) -> String {
    let printed = Printer.print(withoutDescriptions(node))
    let text = directives.isLocalCacheMutation ? withoutLocalDirectives(printed) : printed
    return minified ? Minifier.minify(Document(parsing: text), [0..<text.utf8.count]) : text
  }

  private static func withoutDescriptions(_ node: AnyNode) -> AnyNode {
    let range = node.range
    let descriptions = node.document.executableDescriptions.filter(range.contains)
    guard !descriptions.isEmpty else { return node }
    var bytes = node.document.source.bytes[range]
    for description in descriptions.reversed() { bytes.removeSubrange(description) }
    let document = Document(parsing: Array(bytes))
    return document.definitions.first.map { AnyNode(document, $0.id) } ?? node
  }

  private static func withoutLocalDirectives(_ text: String) -> String {
    var text = text
    for name in DocumentSource.localCacheMutations {
      while let range = text.firstRange(of: " @\(name)") { text.removeSubrange(range) }
    }
    return text
  }
}
