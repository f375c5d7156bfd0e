import ApusGraphQLLanguage

// Step 3: names are resolved to types.
extension SchemaBuilder {
  /// Drops the helper type of the meta-fields, and types that are only extended. They keep their indices, so that other
  /// indices stay valid, unless they are last.
  mutating func dropUndefinedTypes() {
    guard let meta = storage.names.find(BuiltInDefinitions.metaFieldsType), storage.typeOfName[Int(meta)] != 0 else {
      return
    }
    let type = storage.types.count - 1
    let fields = Int(storage.types[type].fields.start)
    storage.typenameField = fields
    storage.schemaField = fields + 1
    storage.typeField = fields + 2
    storage.types.removeLast()
    storage.typeOfName[Int(meta)] = 0
  }

  mutating func resolve() {
    indexFields()
    for type in storage.types.indices { resolveRelated(type) }
    resolvePossibleTypes()
    resolveRoots()
  }

  private mutating func indexFields() {
    var size = 64
    while size < storage.fields.count * 2 { size *= 2 }
    storage.fieldSlots = [UInt32](repeating: 0, count: size)
    let mask = size - 1
    var duplicates: [Int] = []
    for index in storage.fields.indices {
      let field = storage.fields[index]
      var slot = Self.fieldHash(field.parent, field.name) & mask
      var isNew = true
      while storage.fieldSlots[slot] != 0 {
        let other = storage.fields[Int(storage.fieldSlots[slot] - 1)]
        if other.parent == field.parent, other.name == field.name {
          isNew = false
          break
        }
        slot = (slot + 1) & mask
      }
      if isNew { storage.fieldSlots[slot] = UInt32(index) + 1 } else { duplicates.append(index) }
    }
    removeFields(duplicates)
  }

  /// Removes duplicate fields. This is slow but rarely needed.
  private mutating func removeFields(_ duplicates: [Int]) {
    guard !duplicates.isEmpty else { return }
    let doomed = Set(duplicates)
    var retained: ContiguousArray<FieldRecord> = []
    retained.reserveCapacity(storage.fields.count)
    var moved = [UInt32](repeating: 0, count: storage.fields.count + 1)
    for index in storage.fields.indices {
      moved[index] = UInt32(retained.count)
      if !doomed.contains(index) { retained.append(storage.fields[index]) }
    }
    moved[storage.fields.count] = UInt32(retained.count)
    storage.fields = retained
    for type in storage.types.indices {
      let run = storage.types[type].fields
      let start = moved[Int(run.start)]
      storage.types[type].fields = MemberRun(start: start, count: moved[Int(run.start + run.count)] - start)
    }
    for slot in storage.fieldSlots.indices where storage.fieldSlots[slot] != 0 {
      storage.fieldSlots[slot] = moved[Int(storage.fieldSlots[slot] - 1)] + 1
    }
    storage.typenameField = Int(moved[storage.typenameField])
    storage.schemaField = Int(moved[storage.schemaField])
    storage.typeField = Int(moved[storage.typeField])
  }

  /// Resolves the interfaces of an object or interface, or the members of a union.
  private mutating func resolveRelated(_ type: Int) {
    let kind = storage.types[type].kind
    guard kind == .object || kind == .interface || kind == .union else { return }
    let start = storage.typeLists.count
    beginOwner()
    for partIndex in storage.types[type].parts.indices {
      let part = storage.parts[partIndex]
      let document = storage.documents[Int(part.document)]
      for child in document.children(of: part.node) where document.nodes[Int(child)].kind == .namedType {
        if document.nodes[Int(child)].flags.contains(.isMissing) { continue }
        addRelated(document, child, kind)
      }
    }
    storage.types[type].related = MemberRun(start: UInt32(start), count: UInt32(storage.typeLists.count - start))
  }

  private mutating func addRelated(_ document: Document, _ node: NodeID, _ kind: TypeKind) {
    let name = intern(document, node)
    guard storage.typeOfName[Int(name)] != 0 else { return }
    let related = storage.typeOfName[Int(name)] - 1
    let isFit = storage.types[Int(related)].kind == (kind == .union ? .object : .interface)
    if isFit, !isRepeated(name) { storage.typeLists.append(related) }
  }

  private mutating func resolvePossibleTypes() {
    var implementations = [[UInt32]](repeating: [], count: storage.types.count)
    for type in storage.types.indices where storage.types[type].kind == .object {
      for interface in storage.typeLists[storage.types[type].related.indices] {
        implementations[Int(interface)].append(UInt32(type))
      }
    }
    for type in storage.types.indices {
      switch storage.types[type].kind {
      case .interface:
        storage.types[type].possibleTypes = addTypeList(implementations[type])
        storage.types[type].possibleSet = storage.types[type].possibleTypes
      case .union:
        storage.types[type].possibleTypes = storage.types[type].related
        storage.types[type].possibleSet = addTypeList(storage.typeLists[storage.types[type].related.indices].sorted())
      case .scalar, .object, .enum, .inputObject: break
      }
    }
  }

  private mutating func addTypeList(_ types: [UInt32]) -> MemberRun {
    storage.typeLists.append(contentsOf: types)
    return MemberRun(start: UInt32(storage.typeLists.count - types.count), count: UInt32(types.count))
  }

  private mutating func resolveRoots() {
    var isDeclared = false
    for part in storage.schemaParts {
      let document = storage.documents[Int(part.document)]
      let schema = SchemaDefinitionNode(document, part.node)
      if !schema.isExtension { isDeclared = true }
      for root in schema.rootOperations where !root.type.isMissing {
        setRoot(root.operation, root.type)
      }
    }
    guard !isDeclared else { return }
    for operation in OperationType.allCases where storage.rootTypes[operation.index] == nil {
      let name = operation.rawValue.prefix(1).uppercased() + operation.rawValue.dropFirst()
      if let name = storage.names.find(name), storage.typeOfName[Int(name)] != 0 {
        storage.rootTypes[operation.index] = storage.typeOfName[Int(name)] - 1
      }
    }
  }

  private mutating func setRoot(_ operation: OperationType, _ type: NamedTypeNode) {
    let name = intern(type.document, type.id)
    if storage.typeOfName[Int(name)] != 0, storage.rootTypes[operation.index] == nil {
      storage.rootTypes[operation.index] = storage.typeOfName[Int(name)] - 1
    }
  }
}
