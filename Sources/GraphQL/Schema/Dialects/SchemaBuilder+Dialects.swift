import ApusGraphQLLanguage

// Adds the definitions of dialects after the documents of the schema.
extension SchemaBuilder {
  mutating func addDialects() {
    storage.links = storage.schemaParts.isEmpty ? [] : links(of: storage)
    var shown: [Dialect: String] = [:]
    if storage.selection.detects {
      shown = ClientDefinitions.dialects(shownBySchema: storage.documents) { name in
        guard let id = storage.names.find(name) else { return false }
        return storage.directive(named: id) != nil || storage.typeOfName[Int(id)] != 0 && isDefined(id)
      }
    }
    if let use = storage.selection.uses.first(where: { $0.dialect == .federation }) {
      addFederation(reason: use.reason)
    } else if storage.selection.detects, shown[.composite] == nil, let reason = federationReason() ?? shown[.federation]
    {
      addFederation(reason: reason)
    } else if !storage.links.isEmpty, storage.selection.detects || storage.selection.dialects.contains(.apollo) {
      add(
        Document(parsing: LinkedSpecification.definitions(for: storage.links), name: Schema.linkedSource), .dialect)
    }
    // In a subgraph, such names belong to other specifications.
    if storage.federation != nil { shown[.composite] = nil }
    addClients(shown)
  }

  private func isDefined(_ type: NameID) -> Bool { storage.types[Int(storage.typeOfName[Int(type)]) - 1].isDefined }

  // MARK: Clients

  private mutating func addClients(_ shown: [Dialect: String]) {
    var shown = shown
    let linked = LinkedSpecification.clients.filter { specification in
      storage.links.contains { $0.identity == specification.identity }
    }
    if let specification = linked.first, storage.selection.detects {
      shown[.apollo] = shown[.apollo] ?? "the schema links \(specification.identity)"
    }
    // Elements of a linked specification exist only under the names that the link gives them.
    hiddenDirectives = Set(
      linked.flatMap(\.elements).filter { $0.name.hasPrefix("@") }.map { String($0.name.dropFirst()) })
    let selected = storage.selection.dialects
    let uses =
      storage.selection.uses
      + Dialect.allCases.filter { !selected.contains($0) }.compactMap { dialect in
        shown[dialect].map { DialectUse(dialect, reason: $0) }
      }
    for use in uses {
      guard let document = ClientDefinitions.document(of: use.dialect) else { continue }
      add(document, .dialect)
      storage.dialects.append(use)
    }
    for name in ClientDefinitions.directivesWithFragmentArguments {
      guard let index = storage.names.find(name).flatMap({ storage.directive(named: $0) }),
        storage.directives[index].isImplied
      else { continue }
      storage.directives[index].takesFragmentArguments = true
    }
  }

  /// Finds the field that a dialect adds to every composite type.
  mutating func resolveClientField() {
    guard let name = storage.names.find(ClientDefinitions.fieldsType), storage.typeOfName[Int(name)] != 0 else {
      return
    }
    storage.clientField = Int(storage.types[Int(storage.typeOfName[Int(name)]) - 1].fields.start)
  }

  // MARK: Federation

  /// Returns the evidence that the documents are a subgraph: a link to the federation specification, or a key.
  private func federationReason() -> String? {
    if let link = Federation(links: storage.links).link {
      return "\(link.directive.document.source.name(at: link.directive.range.lowerBound)) links \(link.identity)"
    }
    for index in chains.indices {
      guard let key = keyDirective(ofType: index, named: "key"), key.hasFieldSet else { continue }
      return "\(key.document.source.name(at: key.range.lowerBound)) uses @key"
    }
    return nil
  }

  private func links(of storage: SchemaStorage) -> [FeatureLink] {
    FeatureLink.all(
      in: storage.schemaParts.map { SchemaDefinitionNode(storage.documents[Int($0.document)], $0.node) })
  }

  private mutating func addFederation(reason: String) {
    let federation = Federation(links: storage.links)
    storage.federation = federation
    storage.dialects.append(DialectUse(.federation, reason: reason))
    let key = federation.name(of: "key")
    var entities: [String] = []
    for index in chains.indices {
      // The definition may be in another subgraph.
      storage.types[index].isDefined = true
      if storage.types[index].kind == .object, keyDirective(ofType: index, named: key) != nil {
        entities.append(storage.names[storage.types[index].name])
      }
    }
    let query = queryRootName()
    let isThere = storage.names.find(query).map { storage.typeOfName[Int($0)] != 0 } ?? false
    let text = federation.definitions(entities: entities, query: (query, isThere))
    add(Document(parsing: text, name: "federation definitions"), .dialect)
  }

  private func queryRootName() -> String {
    for part in storage.schemaParts {
      let schema = SchemaDefinitionNode(storage.documents[Int(part.document)], part.node)
      for root in schema.rootOperations where root.operation == .query && !root.type.isMissing {
        return root.type.name.value
      }
    }
    return "Query"
  }

  /// Returns the first directive with a name on any part of a type.
  private func keyDirective(ofType index: Int, named name: String) -> DirectiveNode? {
    let kind = storage.types[index].kind
    guard kind == .object || kind == .interface else { return nil }
    var link = chains[index].first
    while link >= 0 {
      let part = links[Int(link)].part
      let document = storage.documents[Int(part.document)]
      children: for child in document.children(of: part.node) {
        switch document.nodes[Int(child)].kind {
        case .directive:
          let directive = DirectiveNode(document, child)
          if directive.name.hasValue(name) { return directive }
        case .fieldDefinition: break children
        default: break
        }
      }
      link = links[Int(link)].next
    }
    return nil
  }
}

extension DirectiveNode {
  /// Whether the directive has the argument of a federation `@key`. Other tools have different directives of this name.
  fileprivate var hasFieldSet: Bool {
    guard let value = argument(named: "fields")?.value else { return false }
    return value.kind == .string || value.kind == .enum
  }
}
