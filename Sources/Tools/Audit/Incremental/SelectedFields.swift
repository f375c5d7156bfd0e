import ApusGraphQLLanguage

/// The selected fields of an object by response key, from the document of an audited request.
struct SelectedFields {
  struct Field {
    var name: String
    /// The selection sets of the field; empty for a leaf.
    var sets: [SelectionSetNode]
    var isStreamed = false
  }

  private let document: Document
  private let fields: [String: Field]

  /// Creates the fields of a document's first operation.
  init(of text: String) {
    let document = Document(parsing: text)
    self.init(document, document.operations.first.map { [$0.selectionSet] } ?? [])
  }

  private init(_ document: Document, _ sets: [SelectionSetNode]) {
    self.document = document
    var fields: [String: Field] = [:]
    var names: Set<String> = []
    var rest = sets
    while let set = rest.popLast() {
      for selection in set.selections {
        switch selection {
        case .field(let field):
          fields[field.responseKey, default: Field(name: field.name.value, sets: [])].sets +=
            field.selectionSet.map { [$0] } ?? []
          if field.directive(named: "stream") != nil { fields[field.responseKey]?.isStreamed = true }
        case .inlineFragment(let fragment): rest.append(fragment.selectionSet)
        case .fragmentSpread(let spread):
          let name = spread.name.value
          guard names.insert(name).inserted else { continue }
          rest += document.fragments.first { $0.name.value == name }.map { [$0.selectionSet] } ?? []
        }
      }
    }
    self.fields = fields
  }

  /// The fields of the object in a field; `nil` for a leaf or a field that is not selected.
  subscript(responseKey: String) -> SelectedFields? {
    guard let field = fields[responseKey], !field.sets.isEmpty else { return nil }
    return SelectedFields(document, field.sets)
  }

  /// The fields that have objects, with the fields of these.
  var objects: [(name: String, fields: SelectedFields)] {
    fields.keys.compactMap { name in self[name].map { (name, $0) } }
  }

  func isStreamed(_ responseKey: String) -> Bool { fields[responseKey]?.isStreamed ?? false }

  /// The response keys of the fields in which different objects differ.
  var keys: [String] {
    fields.filter { ["__typename", "id", "_id", "nodeId"].contains($0.value.name) }.map(\.key)
  }
}
