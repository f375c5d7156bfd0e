import ApusGraphQLLanguage

/// Builds the storage of a schema from type system documents:
/// 1. The name of each definition is interned, and the definition is filed under its type, followed by extensions.
/// 2. The members of each type are copied to flat arrays, part by part.
/// 3. Names are resolved to types: interfaces, member types, possible types, root types.
///
/// The builder does not validate: of duplicates it takes the first, and it drops anything that does not fit.
struct SchemaBuilder {
  var storage = SchemaStorage()
  let impliesIncremental: Bool
  /// Parts of each type in order, as a linked list over `links`: the first, the last and the count.
  var chains: ContiguousArray<Chain> = []
  var links: ContiguousArray<(part: NodeReference, next: Int32)> = []
  /// The last owner that used a name for an argument, input field or enum value.
  var ownerOfName: [UInt32] = []
  var owner: UInt32 = 0
  /// Directives that documents of dialects do not define.
  var hiddenDirectives: Set<String> = []
  let deprecatedName: NameID
  let oneOfName: NameID

  struct Chain {
    var first: Int32 = -1
    var last: Int32 = -1
    var count: UInt32 = 0
  }

  /// The origin of a document.
  enum Origin {
    case schema, dialect, prelude
  }

  init(_ documents: [Document], impliesIncremental: Bool, dialects: DialectSelection) {
    self.impliesIncremental = impliesIncremental
    storage.documents = documents
    storage.ownDocumentCount = documents.count
    storage.selection = dialects
    storage.impliesIncremental = impliesIncremental
    let nodeCount = (documents + [BuiltInDefinitions.document]).reduce(0) { $0 + $1.nodes.count }
    storage.names = NameTable(minimumCapacity: nodeCount / 24)
    storage.fields.reserveCapacity(nodeCount / 6)
    storage.inputValues.reserveCapacity(nodeCount / 12)
    deprecatedName = storage.names.intern("deprecated")
    oneOfName = storage.names.intern("oneOf")
  }

  mutating func build() -> SchemaStorage {
    for index in storage.documents.indices { collect(UInt32(index), .schema) }
    addDialects()
    add(BuiltInDefinitions.document, .prelude)
    for type in storage.types.indices { fill(type) }
    dropUndefinedTypes()
    resolve()
    resolveClientField()
    return storage
  }

  // MARK: Step 1

  /// Adds a document after the existing ones.
  mutating func add(_ document: Document, _ origin: Origin) {
    storage.documents.append(document)
    collect(UInt32(storage.documents.count - 1), origin)
  }

  private mutating func collect(_ index: UInt32, _ origin: Origin) {
    let document = storage.documents[Int(index)]
    for id in document.children(of: 0) {
      let place = NodeReference(document: index, node: id)
      let node = document.nodes[Int(id)]
      switch node.kind {
      case .schemaDefinition: storage.schemaParts.append(place)
      case .directiveDefinition:
        if !node.flags.contains(.isExtension) { collectDirective(place, origin) }
      case .scalarTypeDefinition: collectType(.scalar, place, origin)
      case .objectTypeDefinition: collectType(.object, place, origin)
      case .interfaceTypeDefinition: collectType(.interface, place, origin)
      case .unionTypeDefinition: collectType(.union, place, origin)
      case .enumTypeDefinition: collectType(.enum, place, origin)
      case .inputObjectTypeDefinition: collectType(.inputObject, place, origin)
      default: break
      }
    }
  }

  private mutating func collectType(_ kind: TypeKind, _ place: NodeReference, _ origin: Origin) {
    let document = storage.documents[Int(place.document)]
    let node = document.nodes[Int(place.node)]
    let nameNode = bodyNode(document, place.node)
    guard !document.nodes[Int(nameNode)].flags.contains(.isMissing) else { return }
    let name = intern(document, nameNode)
    let isExtension = node.flags.contains(.isExtension)
    if origin != .prelude, storage.names[name] == BuiltInDefinitions.metaFieldsType { return }

    if storage.typeOfName[Int(name)] == 0 {
      storage.types.append(TypeRecord(name: name, kind: kind, isBuiltIn: origin == .dialect))
      storage.typeOfName[Int(name)] = UInt32(storage.types.count)
      chains.append(Chain())
    }
    let type = Int(storage.typeOfName[Int(name)] - 1)
    if isExtension {
      if storage.types[type].isDefined, storage.types[type].kind != kind { return }
    } else if storage.types[type].isDefined {
      // The documents may repeat built-in definitions; the first definition counts.
      return
    } else {
      storage.types[type].isDefined = true
      storage.types[type].kind = kind
      let text = storage.names[name]
      if BuiltInDefinitions.isBuiltIn(text) { storage.types[type].isBuiltIn = true }
    }
    append(place, to: type, atFront: !isExtension)
  }

  private mutating func append(_ place: NodeReference, to type: Int, atFront: Bool) {
    let link = Int32(links.count)
    links.append((place, -1))
    if chains[type].count == 0 {
      chains[type].first = link
      chains[type].last = link
    } else if atFront {
      links[Int(link)].next = chains[type].first
      chains[type].first = link
    } else {
      links[Int(chains[type].last)].next = link
      chains[type].last = link
    }
    chains[type].count += 1
  }

  private mutating func collectDirective(_ place: NodeReference, _ origin: Origin) {
    let document = storage.documents[Int(place.document)]
    let nameNode = bodyNode(document, place.node)
    guard !document.nodes[Int(nameNode)].flags.contains(.isMissing) else { return }
    let name = intern(document, nameNode)
    let text = storage.names[name]
    if storage.directive(named: name) != nil { return }
    if origin == .dialect, hiddenDirectives.contains(text) { return }
    if origin == .prelude, BuiltInDefinitions.incrementalDirectives.contains(text), !impliesIncremental { return }
    var locations: UInt32 = 0
    let node = DirectiveDefinitionNode(document, place.node)
    for location in node.locations {
      if let index = DirectiveLocation.allCases.firstIndex(where: { $0.rawValue == location }) {
        locations |= 1 << UInt32(index)
      }
    }
    let arguments = document.source.bytes.withUnsafeBufferPointer { bytes in
      addInputValues(document, bytes, place)
    }
    storage.directives.append(
      DirectiveRecord(
        name: name, place: place, arguments: arguments, isRepeatable: node.isRepeatable, locations: locations,
        isImplied: origin != .schema))
    storage.directiveOfName[Int(name)] = UInt32(storage.directives.count)
  }

  // MARK: Helpers

  func bodyNode(_ document: Document, _ node: NodeID) -> NodeID {
    document.nodes[Int(node)].flags.contains(.hasDescription) ? node + 2 : node + 1
  }

  mutating func intern(_ document: Document, _ node: NodeID) -> NameID {
    document.source.bytes.withUnsafeBufferPointer { intern($0, document.nodes[Int(node)]) }
  }

  mutating func intern(_ bytes: UnsafeBufferPointer<UInt8>, _ node: SyntaxNode) -> NameID {
    let id = storage.names.intern(UnsafeBufferPointer(rebasing: bytes[node.range]))
    while storage.typeOfName.count < storage.names.count {
      storage.typeOfName.append(0)
      storage.directiveOfName.append(0)
    }
    return id
  }

  /// Returns the hash of a field. It is seeded per process, like the hashes of `NameTable`.
  static func fieldHash(_ type: UInt32, _ name: NameID) -> Int {
    Int(truncatingIfNeeded: NameTable.hash(UInt64(type) << 32 | UInt64(name)) >> 1)
  }
}

extension TypeKind {
  /// The name of the kind in messages.
  package var words: String {
    switch self {
    case .scalar: "scalar"
    case .object: "object"
    case .interface: "interface"
    case .union: "union"
    case .enum: "enum"
    case .inputObject: "input object"
    }
  }
}
