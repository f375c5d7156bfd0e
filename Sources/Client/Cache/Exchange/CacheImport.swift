import ApusJSON

/// Why a file could not be imported, and where in it.
public struct CacheImportError: Error, Sendable, Hashable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}

/// Reads what `CacheExport` writes.
public struct CacheImport {
  private var records = RecordSet()

  /// The records of an export.
  ///
  /// - Parameter json: What `CacheExport` wrote. What older versions wrote of mutations and subscriptions is left out.
  /// - Throws: `CacheImportError` where the JSON is no export, one of another version, or has a record that cannot be
  ///   read; its description names the place.
  public static func records(_ json: JSONValue) throws(CacheImportError) -> RecordSet {
    guard json["format"]?.string == CacheExport.format, let records = json["records"], records.kind == .object else {
      throw CacheImportError("it is no exported cache (\"format\" is not \"\(CacheExport.format)\")")
    }
    guard json["version"]?.int == CacheExport.version else {
      throw CacheImportError("its version \(json["version"]?.description ?? "") is not known here; update Apus")
    }
    var reader = CacheImport()
    for (key, record) in records.members {
      // Exports of older versions hold the arguments of mutations.
      if CacheKey.forgottenRoots.contains(where: { key == $0.text || key.hasPrefix($0.text + ".") }) { continue }
      let id = reader.records.intern(CacheKey(key))
      try reader.add(record, as: id, "records.\(key)")
    }
    return reader.records
  }

  private mutating func add(_ record: JSONValue, as id: UInt32, _ place: String) throws(CacheImportError) {
    guard record.kind == .object else { throw CacheImportError("\(place) is no record") }
    var slots: ContiguousArray<ValueSlot> = []
    var type = RecordTable.none
    for (name, value) in record.members {
      switch name {
      case "$type": type = records.table.typenames.intern(try text(value, "\(place).$type"))
      case "$written", "$expires", "$fieldExpires", "$errors": break
      default:
        let symbol = records.table.fieldKeys.intern(name)
        var slot = try self.slot(value, record: id, field: symbol, [], "\(place).\(name)")
        slot.field = symbol
        slots.append(slot)
      }
    }
    slots.withUnsafeBufferPointer { records.put($0, into: id, type: type) }
    records.table.entries[id].written = UInt32(clamping: record["$written"]?.int ?? 0)
    records.table.entries[id].expires = UInt32(clamping: record["$expires"]?.int ?? 0)
    for (name, value) in record["$fieldExpires"]?.members ?? JSONValue.null.members {
      records.table.notes.setExpiry(UInt32(clamping: value.int ?? 0), id, records.table.fieldKeys.intern(name))
    }
    for (name, value) in record["$errors"]?.members ?? JSONValue.null.members {
      records.table.notes.setError(value.description, id, records.table.fieldKeys.intern(name))
    }
  }

  private func text(_ value: JSONValue, _ place: String) throws(CacheImportError) -> String {
    guard let text = value.string else { throw CacheImportError("\(place) is no text") }
    return text
  }

  private mutating func slot(
    _ value: JSONValue, record: UInt32, field: UInt32, _ positions: [UInt32], _ place: String
  ) throws(CacheImportError) -> ValueSlot {
    switch value.kind {
    case .array: return try list(value, record: record, field: field, positions, place, isOpen: false)
    case .object: break
    default: return scalar(value)
    }
    guard value.count == 1, let member = value.member(at: 0) else {
      throw CacheImportError("\(place) is an object, but none of $ref, $embedded, $path, $json, $partial and $missing")
    }
    switch member.key {
    case "$json": return scalar(member.value)
    case "$missing": return .gap
    case "$partial": return try list(member.value, record: record, field: field, positions, place, isOpen: true)
    case "$ref": return .reference(records.intern(CacheKey(try text(member.value, place))))
    case "$path":
      guard member.value.count <= KeyCoding.maximumDepth else { throw CacheImportError("\(place) is too long a $path") }
      var id: UInt32?
      for component in member.value.elements { id = try step(id, component, place) }
      guard let id else { throw CacheImportError("\(place) has an empty $path") }
      return .reference(id)
    case "$embedded":
      var id = records.intern(parent: record, component: .field(field))
      for position in positions { id = records.intern(parent: id, component: .index(position)) }
      if !member.value.isNull { try add(member.value, as: id, place) }
      return .reference(id)
    default: throw CacheImportError("\(place) has the unknown key \(member.key)")
    }
  }

  private mutating func step(
    _ id: UInt32?, _ component: JSONValue, _ place: String
  ) throws(CacheImportError) -> UInt32 {
    guard let id else { return records.intern(CacheKey(try text(component, place))) }
    if let index = component.int {
      guard let index = UInt32(exactly: index), index <= KeyComponent.maximumIndex else {
        throw CacheImportError("\(place) has an index that is none")
      }
      return records.intern(parent: id, component: .index(index))
    }
    return records.intern(
      parent: id, component: .field(records.table.fieldKeys.intern(try text(component, place))))
  }

  private mutating func list(
    _ value: JSONValue, record: UInt32, field: UInt32, _ positions: [UInt32], _ place: String, isOpen: Bool
  ) throws(CacheImportError) -> ValueSlot {
    var items: ContiguousArray<ValueSlot> = []
    for (index, item) in value.elements.enumerated() {
      items.append(
        try slot(item, record: record, field: field, positions + [UInt32(index)], "\(place)[\(index)]"))
    }
    return items.withUnsafeBufferPointer { records.table.makeList($0, field: field, isOpen: isOpen) }
  }

  private mutating func scalar(_ value: JSONValue) -> ValueSlot {
    guard !value.isNull else { return .null }
    var slot = ValueSlot.null
    JSONText.withStored(value) { bytes, isString in slot = records.table.makeText(bytes, isString: isString) }
    return slot
  }
}
