import GraphQLLanguage

// Step 3: names become types.
extension SchemaBuilder {
  /// The type that holds the meta fields is none of the schema's own, and what is only ever extended is no type. Both
  /// keep their place in the arrays, so that indices stand, unless they are last.
  mutating func dropUndefinedTypes() {
    guard let meta = storage.names.find(Prelude.metaFieldsType), storage.typeOfName[Int(meta)] != 0 else { return }
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
    checkReferences()
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
    for index in duplicates {
      let field = storage.fields[index]
      addDefect(
        "Field \"\(storage.names[storage.types[Int(field.parent)].name]).\(storage.names[field.name])\" can only be defined once.",
        field.place)
    }
    removeFields(duplicates)
  }

  /// Takes fields that are defined again out of their types: rare, so it may cost.
  private mutating func removeFields(_ duplicates: [Int]) {
    guard !duplicates.isEmpty else { return }
    let doomed = Set(duplicates)
    var kept: ContiguousArray<FieldRecord> = []
    kept.reserveCapacity(storage.fields.count)
    var moved = [UInt32](repeating: 0, count: storage.fields.count + 1)
    for index in storage.fields.indices {
      moved[index] = UInt32(kept.count)
      if !doomed.contains(index) { kept.append(storage.fields[index]) }
    }
    moved[storage.fields.count] = UInt32(kept.count)
    storage.fields = kept
    for type in storage.types.indices {
      let run = storage.types[type].fields
      let start = moved[Int(run.start)]
      storage.types[type].fields = Run(start: start, count: moved[Int(run.start + run.count)] - start)
    }
    for slot in storage.fieldSlots.indices where storage.fieldSlots[slot] != 0 {
      storage.fieldSlots[slot] = moved[Int(storage.fieldSlots[slot] - 1)] + 1
    }
    storage.typenameField = Int(moved[storage.typenameField])
    storage.schemaField = Int(moved[storage.schemaField])
    storage.typeField = Int(moved[storage.typeField])
  }

  /// The interfaces of an object or interface, the members of a union.
  private mutating func resolveRelated(_ type: Int) {
    let kind = storage.types[type].kind
    guard kind == .object || kind == .interface || kind == .union else { return }
    let start = storage.typeLists.count
    for partIndex in storage.types[type].parts.indices {
      let part = storage.parts[partIndex]
      let document = storage.documents[Int(part.document)]
      for child in document.children(of: part.node) where document.nodes[Int(child)].kind == .namedType {
        if document.nodes[Int(child)].flags.contains(.isMissing) { continue }
        addRelated(document, child, type, kind, start)
      }
    }
    storage.types[type].related = Run(start: UInt32(start), count: UInt32(storage.typeLists.count - start))
  }

  private mutating func addRelated(_ document: Document, _ node: NodeID, _ type: Int, _ kind: TypeKind, _ start: Int) {
    let name = intern(document, node)
    let offset = Int(document.nodes[Int(node)].start)
    guard storage.typeOfName[Int(name)] != 0 else {
      addDefect("Unknown type \"\(storage.names[name])\".", document, offset)
      return
    }
    let related = storage.typeOfName[Int(name)] - 1
    let relatedKind = storage.types[Int(related)].kind
    let own = storage.names[storage.types[type].name]
    if kind == .union, relatedKind != .object {
      addDefect(
        "Union type \(own) can only include Object types, it cannot include \(storage.names[name]).", document, offset)
    } else if kind != .union, relatedKind != .interface {
      addDefect(
        "Type \(own) must only implement Interface types, it cannot implement \(storage.names[name]).", document,
        offset)
    } else if storage.typeLists[start...].contains(related) {
      let message =
        kind == .union
        ? "Union type \(own) can only include type \(storage.names[name]) once."
        : "Type \(own) can only implement \(storage.names[name]) once."
      addDefect(message, document, offset)
    } else {
      storage.typeLists.append(related)
    }
  }

  private mutating func resolvePossibleTypes() {
    let width = (storage.types.count + 63) / 64
    storage.possibleRow = [UInt32](repeating: 0, count: storage.types.count)
    var rows: [Int] = []
    for type in storage.types.indices where storage.types[type].kind == .interface || storage.types[type].kind == .union
    {
      rows.append(type)
      storage.possibleRow[type] = UInt32(rows.count)
    }
    storage.possibleBits = [UInt64](repeating: 0, count: rows.count * width)
    var implementations = [[UInt32]](repeating: [], count: rows.count)
    for type in storage.types.indices where storage.types[type].kind == .object {
      for related in storage.types[type].related.indices {
        let row = Int(storage.possibleRow[Int(storage.typeLists[related])]) - 1
        implementations[row].append(UInt32(type))
      }
    }
    for (row, type) in rows.enumerated() {
      if storage.types[type].kind == .union {
        storage.types[type].possibleTypes = storage.types[type].related
      } else {
        storage.types[type].possibleTypes = Run(
          start: UInt32(storage.typeLists.count), count: UInt32(implementations[row].count))
        storage.typeLists.append(contentsOf: implementations[row])
      }
      for index in storage.types[type].possibleTypes.indices {
        let object = Int(storage.typeLists[index])
        storage.possibleBits[row * width + object / 64] |= 1 << UInt64(object % 64)
      }
    }
  }

  private mutating func resolveRoots() {
    var isDeclared = false
    for part in storage.schemaParts {
      let document = storage.documents[Int(part.document)]
      let schema = SchemaDefinitionNode(document, part.node)
      if !schema.isExtension {
        if isDeclared { addDefect("Must provide only one schema definition.", part) }
        isDeclared = true
      }
      for (operation, type) in schema.rootOperations where !type.isMissing {
        setRoot(operation, type)
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
    let offset = type.range.lowerBound
    if storage.typeOfName[Int(name)] == 0 {
      addDefect("Unknown type \"\(storage.names[name])\".", type.document, offset)
    } else if storage.rootTypes[operation.index] != nil {
      addDefect("There can be only one \(operation.rawValue) type in schema.", type.document, offset)
    } else {
      storage.rootTypes[operation.index] = storage.typeOfName[Int(name)] - 1
    }
  }

  /// Step 4: every field and input value names a type that may stand there.
  private mutating func checkReferences() {
    var found: [(NodeReference, String)] = []
    for field in storage.fields {
      let index = storage.typeOfName[Int(field.type.name)]
      if index == 0 {
        found.append((field.place, "Unknown type \"\(storage.names[field.type.name])\"."))
      } else if storage.types[Int(index - 1)].kind == .inputObject {
        let owner = storage.names[storage.types[Int(field.parent)].name]
        found.append(
          (
            field.place,
            "The type of \(owner).\(storage.names[field.name]) must be Output Type but got: \(storage.names[field.type.name])."
          ))
      }
    }
    for value in storage.inputValues {
      let index = storage.typeOfName[Int(value.type.name)]
      if index == 0 {
        found.append((value.place, "Unknown type \"\(storage.names[value.type.name])\"."))
      } else {
        switch storage.types[Int(index - 1)].kind {
        case .object, .interface, .union:
          found.append(
            (
              value.place,
              "The type of \(storage.names[value.name]) must be Input Type but got: \(storage.names[value.type.name])."
            ))
        default: break
        }
      }
    }
    for (place, message) in found { addDefect(message, place) }
  }
}
