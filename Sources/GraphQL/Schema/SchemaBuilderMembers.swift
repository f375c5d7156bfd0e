import ApusGraphQLLanguage

// Step 2: the members of each type.
extension SchemaBuilder {
  mutating func fill(_ type: Int) {
    let chain = chains[type]
    storage.types[type].parts.start = UInt32(storage.parts.count)
    storage.types[type].parts.count = chain.count
    var link = chain.first
    while link >= 0 {
      storage.parts.append(links[Int(link)].part)
      link = links[Int(link)].next
    }
    switch storage.types[type].kind {
    case .object, .interface: fillFields(type)
    case .enum: fillEnumValues(type)
    case .inputObject: fillInputFields(type)
    case .scalar, .union: break
    }
  }

  private mutating func fillFields(_ type: Int) {
    let start = storage.fields.count
    for partIndex in storage.types[type].parts.indices {
      let part = storage.parts[partIndex]
      let document = storage.documents[Int(part.document)]
      document.source.bytes.withUnsafeBufferPointer { bytes in
        for child in document.children(of: part.node) where document.nodes[Int(child)].kind == .fieldDefinition {
          addField(document, bytes, NodeReference(document: part.document, node: child), type)
        }
      }
    }
    storage.types[type].fields = MemberRun(start: UInt32(start), count: UInt32(storage.fields.count - start))
  }

  private mutating func addField(
    _ document: Document, _ bytes: UnsafeBufferPointer<UInt8>, _ place: NodeReference, _ type: Int
  ) {
    let nameNode = Int(bodyNode(document, place.node))
    let name = intern(bytes, document.nodes[nameNode])
    let arguments = addInputValues(document, bytes, place)
    var reference = PackedType(name: name, wrappers: 0)
    var isDeprecated = false
    let end = document.nodes[Int(place.node)].next
    var child = document.nodes[nameNode].next
    while child < end {
      let node = document.nodes[Int(child)]
      switch node.kind {
      case .namedType, .listType: reference = packedType(document, bytes, child)
      case .directive: isDeprecated = isDeprecated || intern(bytes, document.nodes[Int(child) + 1]) == deprecatedName
      default: break
      }
      child = node.next
    }
    storage.fields.append(
      FieldRecord(
        name: name, parent: UInt32(type), type: reference, arguments: arguments, place: place,
        isDeprecated: isDeprecated))
  }

  mutating func addInputValues(
    _ document: Document, _ bytes: UnsafeBufferPointer<UInt8>, _ place: NodeReference
  ) -> MemberRun {
    let start = storage.inputValues.count
    beginOwner()
    for child in document.children(of: place.node) where document.nodes[Int(child)].kind == .inputValueDefinition {
      let record = inputValue(document, bytes, NodeReference(document: place.document, node: child))
      if !isRepeated(record.name) { storage.inputValues.append(record) }
    }
    let run = MemberRun(start: UInt32(start), count: UInt32(storage.inputValues.count - start))
    storage.inputValueIndex.add(run, of: storage.inputValues)
    return run
  }

  private mutating func inputValue(
    _ document: Document, _ bytes: UnsafeBufferPointer<UInt8>, _ place: NodeReference
  ) -> InputValueRecord {
    let nameNode = Int(bodyNode(document, place.node))
    let name = intern(bytes, document.nodes[nameNode])
    var record = InputValueRecord(
      name: name, type: PackedType(name: name, wrappers: 0), place: place, defaultValue: 0, isDeprecated: false)
    let end = document.nodes[Int(place.node)].next
    var child = document.nodes[nameNode].next
    while child < end {
      let node = document.nodes[Int(child)]
      switch node.kind {
      case .namedType, .listType: record.type = packedType(document, bytes, child)
      case .directive:
        if intern(bytes, document.nodes[Int(child) + 1]) == deprecatedName { record.isDeprecated = true }
      default: record.defaultValue = child
      }
      child = node.next
    }
    return record
  }

  private mutating func packedType(
    _ document: Document, _ bytes: UnsafeBufferPointer<UInt8>, _ id: NodeID
  ) -> PackedType {
    var wrappers: UInt32 = 0
    var shift: UInt32 = 0
    var id = id
    while true {
      let node = document.nodes[Int(id)]
      if node.flags.contains(.isNonNull) { wrappers |= 1 << shift }
      guard node.kind == .listType, id + 1 < node.next else { break }
      // Lists nested deeper than the bits allow are truncated; the validator reports them.
      if shift < 2 * UInt32(PackedType.maximumListDepth) {
        wrappers |= 2 << shift
        shift += 2
      }
      id += 1
    }
    return PackedType(name: intern(bytes, document.nodes[Int(id)]), wrappers: wrappers)
  }

  private mutating func fillEnumValues(_ type: Int) {
    let start = storage.enumValues.count
    beginOwner()
    for partIndex in storage.types[type].parts.indices {
      let part = storage.parts[partIndex]
      let document = storage.documents[Int(part.document)]
      for child in document.children(of: part.node) {
        let node = document.nodes[Int(child)]
        if node.kind == .enumValueDefinition {
          addEnumValue(document, NodeReference(document: part.document, node: child))
        }
      }
    }
    let run = MemberRun(start: UInt32(start), count: UInt32(storage.enumValues.count - start))
    storage.enumValueIndex.add(run, of: storage.enumValues)
    storage.types[type].enumValues = run
  }

  private mutating func addEnumValue(_ document: Document, _ place: NodeReference) {
    let name = intern(document, bodyNode(document, place.node))
    var isDeprecated = false
    for child in document.children(of: place.node) where document.nodes[Int(child)].kind == .directive {
      isDeprecated = isDeprecated || intern(document, child + 1) == deprecatedName
    }
    if isRepeated(name) { return }
    storage.enumValues.append(EnumValueRecord(name: name, place: place, isDeprecated: isDeprecated))
  }

  private mutating func fillInputFields(_ type: Int) {
    let start = storage.inputValues.count
    beginOwner()
    for partIndex in storage.types[type].parts.indices {
      let part = storage.parts[partIndex]
      let document = storage.documents[Int(part.document)]
      document.source.bytes.withUnsafeBufferPointer { bytes in
        for child in document.children(of: part.node) where document.nodes[Int(child)].kind == .inputValueDefinition {
          let record = inputValue(document, bytes, NodeReference(document: part.document, node: child))
          if !isRepeated(record.name) { storage.inputValues.append(record) }
        }
        for child in document.children(of: part.node) where document.nodes[Int(child)].kind == .directive {
          if intern(bytes, document.nodes[Int(child) + 1]) == oneOfName { storage.types[type].isOneOf = true }
        }
      }
    }
    let run = MemberRun(start: UInt32(start), count: UInt32(storage.inputValues.count - start))
    storage.inputValueIndex.add(run, of: storage.inputValues)
    storage.types[type].inputFields = run
  }

  // MARK: Repeated names

  /// Starts a new owner for the following names.
  mutating func beginOwner() { owner += 1 }

  /// Whether the current owner already has the name. Records the name.
  mutating func isRepeated(_ name: NameID) -> Bool {
    while ownerOfName.count < storage.names.count { ownerOfName.append(0) }
    if ownerOfName[Int(name)] == owner { return true }
    ownerOfName[Int(name)] = owner
    return false
  }
}
