import ApusDigest
import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusJSON

/// A persisted query manifest: operations, each complete with its fragments, identified by the digest of their text. A
/// server that is given the manifest runs only these operations.
///
/// Source: Apollo's persisted query manifest, version 1; Relay's `persistConfig` file, which maps ids to documents.
struct PersistedQueryManifest {
  struct Operation {
    /// The SHA-256 digest of the text, in hexadecimal.
    let id: String
    let name: String
    let type: OperationType
    let text: String
  }

  /// The reason why documents cannot be bundled.
  enum BundleError: Error, CustomStringConvertible {
    case withoutName(place: String)
    case nameTwice(String, places: [String])
    case unknownFragment(String, operation: String, place: String)
    case tooLarge(place: String)

    var description: String {
      switch self {
      case .withoutName(let place): "\(place): an operation needs a name"
      case .nameTwice(let name, let places):
        "\(places.joined(separator: " and ")): there can be only one definition named '\(name)'"
      case .unknownFragment(let name, let operation, let place):
        "\(place): '\(operation)' needs the fragment '\(name)', which no document defines"
      case .tooLarge(let place):
        "\(place): with the fragments of this operation the manifest is larger than \(PersistedQueryManifest.longest >> 20) MiB"
      }
    }
  }

  /// The maximum size of all operations together, in bytes. With shared fragments the size can grow with the square of
  /// the documents' size.
  private static let longest = 256 << 20

  /// Operations, sorted by name.
  let operations: [Operation]
  /// Places of operations that are left out, because part of their text is a value of a program.
  let incomplete: [String]

  /// - Parameters:
  ///   - others: Further documents whose fragments can be used. Their operations are not bundled.
  ///   - incompleteFragments: The names of fragments that are left out, because values are interpolated into them.
  ///   - addsTypename: Whether to add `__typename` to every selection set except that of an operation, as Apollo's
  ///     clients do.
  init(
    _ documents: [Document], fragmentsOf others: [Document] = [], incompleteFragments: Set<String> = [],
    addsTypename: Bool = false
  ) throws(BundleError) {
    try Self.checkNames(documents)
    func prepared(_ document: Document) -> Document { addsTypename ? document.addingTypename() : document }
    var fragments: [String: FragmentDefinitionNode] = [:]
    for fragment in (documents + others).flatMap({ prepared($0).fragments })
    where fragments[fragment.name.value] == nil {
      fragments[fragment.name.value] = fragment
    }
    let unknown = incompleteFragments.union(
      (documents + others).filter(\.source.hasValues).flatMap { document in
        document.definitions.flatMap { Self.spreads(in: AnyNode(document, $0.id)) }
      })
    var operations: [Operation] = []
    var incomplete: [String] = []
    var length = 0
    for document in documents {
      // The edited text has no location in the file.
      for (original, operation) in zip(document.operations, prepared(document).operations) {
        let place = Self.location(original)
        guard let name = operation.name?.value else { throw .withoutName(place: place) }
        guard let text = try Self.text(of: operation, named: name, at: place, fragments, unknown) else {
          incomplete.append(place)
          continue
        }
        length += text.utf8.count
        guard length <= Self.longest else { throw .tooLarge(place: place) }
        operations.append(
          Operation(id: SHA256Digest.hexadecimal(of: text), name: name, type: operation.operation, text: text))
      }
    }
    self.operations = operations.sorted { $0.name < $1.name }
    self.incomplete = incomplete
  }

  /// Throws if two operations or two fragments have the same name, with the locations of all of them.
  private static func checkNames(_ documents: [Document]) throws(BundleError) {
    let operations = documents.flatMap(\.operations).compactMap { node in node.name.map { ($0.value, location(node)) } }
    let fragments = documents.flatMap(\.fragments).map { ($0.name.value, location($0)) }
    for names in [fragments, operations] {
      let places = Dictionary(grouping: names) { $0.0 }
      if let (name, _) = names.first(where: { places[$0.0]?.count ?? 0 > 1 }) {
        throw .nameTwice(name, places: places[name]?.map { $0.1 } ?? [])
      }
    }
  }

  private static func location(_ node: some SyntaxView) -> String {
    "\(node.document.source.name(at: node.range.lowerBound)):\(node.location.line)"
  }

  /// Returns the operation followed by its fragments, in the order in which they are reached; `nil` if one may be
  /// defined by a value of a program.
  private static func text(
    of operation: OperationDefinitionNode, named name: String, at place: String,
    _ fragments: [String: FragmentDefinitionNode], _ unknown: Set<String>
  ) throws(BundleError) -> String? {
    var text = Minifier.minify(operation.document, [operation.range])
    var pending = spreads(in: operation)[...]
    var seen = Set(pending)
    while let spread = pending.popFirst() {
      guard let fragment = fragments[spread] else {
        if unknown.contains(spread) { return nil }
        throw .unknownFragment(spread, operation: name, place: place)
      }
      text += Minifier.minify(fragment.document, [fragment.range])
      pending += spreads(in: fragment).filter { seen.insert($0).inserted }
    }
    return text
  }

  /// Returns the names of the fragments that a definition spreads, each once.
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

  /// The manifest for Apollo's routers and servers:
  ///
  ///     {"format": "apollo-persisted-query-manifest", "version": 1, "operations": [
  ///       {"id": "ac8d…", "name": "Birds", "type": "query", "body": "query Birds { … }"}]}
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

  /// The manifest for Relay, a document for each id: `{"ac8d…": "query Birds { … }"}`.
  var relay: JSONValue {
    // Ids are unique, because each document contains the name of its operation.
    .object(operations.map { ($0.id, JSONValue($0.text)) })
  }
}

extension Document {
  /// Returns the document with `__typename` added to every selection set without one, except those of operations, whose
  /// types are known, and of introspection.
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
