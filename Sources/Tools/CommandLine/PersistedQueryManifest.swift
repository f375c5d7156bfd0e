import ApusDigest
import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusJSON

/// The operations of some documents, each whole with its fragments, under the digest of its text: what a server is given
/// so that it runs these and no others.
///
/// Source: Apollo's persisted query manifest, version 1; Relay's `persistConfig` file, a text for each id.
struct PersistedQueryManifest {
  struct Operation {
    /// The SHA-256 of the text, in hexadecimal.
    let id: String
    let name: String
    let type: OperationType
    let text: String
  }

  /// Why documents cannot be bundled.
  enum Problem: Error, CustomStringConvertible {
    case withoutName(place: String)
    case nameTwice(String, places: [String])
    case unknownFragment(String, operation: String, place: String)
    case tooLarge(place: String)

    var description: String {
      switch self {
      case .withoutName(let place): "\(place): an operation needs a name to be known by"
      case .nameTwice(let name, let places):
        "\(places.joined(separator: " and ")): there can be only one definition named '\(name)'"
      case .unknownFragment(let name, let operation, let place):
        "\(place): '\(operation)' needs the fragment '\(name)', which none of the documents has"
      case .tooLarge(let place):
        "\(place): with the fragments of this operation the manifest is larger than \(PersistedQueryManifest.longest >> 20) MiB"
      }
    }
  }

  /// Bytes of all texts together. Operations that share fragments can have the square of what their documents have.
  private static let longest = 256 << 20

  /// By their names.
  let operations: [Operation]

  /// - Parameters:
  ///   - others: The documents whose fragments are known, too. Their operations are not bundled.
  ///   - addsTypename: Every selection set but that of an operation asks for `__typename`, as Apollo's clients do.
  init(
    _ documents: [Document], fragmentsOf others: [Document] = [], addsTypename: Bool = false
  ) throws(Problem) {
    try Self.checkNames(documents)
    func prepared(_ document: Document) -> Document { addsTypename ? document.addingTypename() : document }
    var fragments: [String: FragmentDefinitionNode] = [:]
    for fragment in (documents + others).flatMap({ prepared($0).fragments })
    where fragments[fragment.name.value] == nil {
      fragments[fragment.name.value] = fragment
    }
    var operations: [Operation] = []
    var length = 0
    for document in documents {
      // The edited text has no location in the file.
      for (original, operation) in zip(document.operations, prepared(document).operations) {
        let place = Self.place(original)
        guard let name = operation.name?.value else { throw .withoutName(place: place) }
        let text = try Self.text(of: operation, named: name, at: place, fragments)
        length += text.utf8.count
        guard length <= Self.longest else { throw .tooLarge(place: place) }
        operations.append(
          Operation(id: SHA256Digest.hexadecimal(of: text), name: name, type: operation.operation, text: text))
      }
    }
    self.operations = operations.sorted { $0.name < $1.name }
  }

  /// Throws where two operations, or two fragments, have one name, with the places of all of them.
  private static func checkNames(_ documents: [Document]) throws(Problem) {
    let operations = documents.flatMap(\.operations).compactMap { node in node.name.map { ($0.value, place(node)) } }
    let fragments = documents.flatMap(\.fragments).map { ($0.name.value, place($0)) }
    for names in [fragments, operations] {
      let places = Dictionary(grouping: names) { $0.0 }
      if let (name, _) = names.first(where: { places[$0.0]?.count ?? 0 > 1 }) {
        throw .nameTwice(name, places: places[name]?.map { $0.1 } ?? [])
      }
    }
  }

  private static func place(_ node: some SyntaxView) -> String {
    "\(node.document.source.name(at: node.range.lowerBound)):\(node.location.line)"
  }

  /// The operation, and behind it its fragments in the order in which they are come by.
  private static func text(
    of operation: OperationDefinitionNode, named name: String, at place: String,
    _ fragments: [String: FragmentDefinitionNode]
  ) throws(Problem) -> String {
    var text = Minifier.minify(operation.document, [operation.range])
    var pending = spreads(in: operation)[...]
    var seen = Set(pending)
    while let spread = pending.popFirst() {
      guard let fragment = fragments[spread] else {
        throw .unknownFragment(spread, operation: name, place: place)
      }
      text += Minifier.minify(fragment.document, [fragment.range])
      pending += spreads(in: fragment).filter { seen.insert($0).inserted }
    }
    return text
  }

  /// The fragments that a definition spreads, each once.
  private static func spreads(in definition: some SyntaxView) -> [String] {
    let document = definition.document
    var seen: Set<String> = []
    return (definition.id..<definition.node.next).compactMap { id in
      guard document.nodes[Int(id)].kind == .fragmentSpread else { return nil }
      let name = FragmentSpreadNode(document, id).name.value
      return seen.insert(name).inserted ? name : nil
    }
  }

  // MARK: Forms

  /// For Apollo's routers and servers.
  var apollo: JSONValue {
    [
      "format": "apollo-persisted-query-manifest", "version": 1,
      "operations": .array(
        operations.map { operation in
          [
            "id": JSONValue(operation.id), "name": JSONValue(operation.name),
            "type": JSONValue(operation.type.rawValue), "body": JSONValue(operation.text),
          ]
        }),
    ]
  }

  /// A text for each id.
  var relay: JSONValue {
    // Operations that differ by nothing do not exist: their names are in the texts.
    .object(operations.map { ($0.id, JSONValue($0.text)) })
  }
}

extension Document {
  /// The document with `__typename` at the end of every selection set that has none, but for those of operations, whose
  /// types are known, and those of introspection.
  fileprivate func addingTypename() -> Document {
    var edits: [TextEdit] = []
    let roots = Set(operations.map(\.selectionSet.id))
    for (index, node) in nodes.enumerated() where node.kind == .selectionSet {
      let fields = children(of: NodeID(index)).filter { nodes[Int($0)].kind == .field }.map { FieldNode(self, $0) }
      let isAsked = fields.contains { $0.name.value.hasPrefix("__") && $0.alias == nil }
      if isAsked || roots.contains(NodeID(index)) { continue }
      edits.append(TextEdit(range: Int(node.end) - 1..<Int(node.end) - 1, text: " __typename "))
    }
    return Document(parsing: edits.applied(to: source.bytes), name: source.name)
  }
}
