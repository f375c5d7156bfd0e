import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Adds `__typename`, and the key fields that the schema declares, to the selections of every object; and takes away
/// the directives that only the generator reads.
struct KeyedText {
  private let source: Document
  private let schema: Schema
  private let keyFields: KeyFields
  private var insertions: [(offset: Int, text: String)] = []

  init(_ document: Document, schema: Schema, keyFields: KeyFields) {
    source = document
    self.schema = schema
    self.keyFields = keyFields
    for definition in document.definitions {
      switch definition {
      case .operation(let operation):
        walk(operation.selectionSet, schema.rootType(operation.operation), isObject: false)
      case .fragment(let fragment):
        walk(fragment.selectionSet, schema.type(named: fragment.typeCondition.name.value), isObject: true)
      default: break
      }
    }
  }

  func document() -> Document {
    var bytes: [UInt8] = []
    let original = source.source.bytes
    var offset = 0
    for insertion in insertions.sorted(by: { $0.offset < $1.offset }) {
      bytes.append(contentsOf: original[offset..<insertion.offset])
      bytes.append(contentsOf: insertion.text.utf8)
      offset = insertion.offset
    }
    bytes.append(contentsOf: original[offset...])
    return Document(parsing: bytes, name: source.source.name)
  }

  private mutating func walk(_ set: SelectionSetNode, _ type: TypeDefinition?, isObject: Bool) {
    let selections = set.selections
    if isObject, let type {
      let keys = keyFields.declared(type) ?? []
      let missing = (["__typename"] + keys).filter { name in
        !selections.contains { if case .field(let field) = $0 { field.responseKey == name } else { false } }
      }
      if !missing.isEmpty {
        insertions.append((set.range.lowerBound + 1, " " + missing.joined(separator: " ") + " "))
      }
    }
    for selection in selections {
      switch selection {
      case .field(let field):
        guard let inner = field.selectionSet else { continue }
        let isMeta = field.name.value.hasPrefix("__")
        walk(inner, type?.field(named: field.name.value)?.type.definition, isObject: !isMeta)
      case .inlineFragment(let fragment):
        let condition = fragment.typeCondition.map { schema.type(named: $0.name.value) } ?? type
        walk(fragment.selectionSet, condition, isObject: false)
      case .fragmentSpread: break
      }
    }
  }
}

/// The text of one definition as it is sent.
struct SentDefinition {
  /// In the canonical layout, or without blanks that mean nothing. A description documents the model; many servers do
  /// not know that there may be one here, so that it is not sent.
  static func text(_ node: AnyNode, _ directives: [DirectiveNode], minified: Bool) -> String {
    let printed = Printer.print(withoutDescription(node))
    let text = directives.isLocalCacheMutation ? withoutLocalDirectives(printed) : printed
    return minified ? minify(text) : text
  }

  private static func withoutDescription(_ node: AnyNode) -> AnyNode {
    guard node.flags.contains(.hasDescription), let description = node.children.first else { return node }
    let bytes = node.document.source.bytes[description.range.upperBound..<node.range.upperBound]
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

  private static func minify(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    func isName(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 32)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") {
        let end = stringEnd(bytes, index)
        result.append(contentsOf: bytes[index..<end])
        index = end
        continue
      }
      if byte == 0x20 || byte == 0x0A || byte == UInt8(ascii: ",") {
        var next = index
        while next < bytes.count, bytes[next] == 0x20 || bytes[next] == 0x0A || bytes[next] == UInt8(ascii: ",") {
          next += 1
        }
        // Two names, or a name and what could be part of one, need a blank between them.
        if let last = result.last, next < bytes.count, isName(last), isName(bytes[next]) {
          result.append(0x20)
        }
        index = next
        continue
      }
      result.append(byte)
      index += 1
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func stringEnd(_ bytes: [UInt8], _ start: Int) -> Int {
    let quote = UInt8(ascii: "\"")
    let isBlock = start + 2 < bytes.count && bytes[start + 1] == quote && bytes[start + 2] == quote
    var index = start + (isBlock ? 3 : 1)
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "\\") {
        index += isBlock && !bytes[index...].starts(with: "\\\"\"\"".utf8) ? 1 : isBlock ? 4 : 2
        continue
      }
      if isBlock ? bytes[index...].starts(with: "\"\"\"".utf8) : bytes[index] == quote {
        return index + (isBlock ? 3 : 1)
      }
      index += 1
    }
    return bytes.count
  }
}
