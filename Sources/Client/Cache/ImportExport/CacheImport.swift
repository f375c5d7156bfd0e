import ApusClientRecords
import ApusJSON

/// An error in an imported cache export, with its location.
public struct CacheImportError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A one-line message for the user, with the location in the export, such as `records.Bird:1.name`.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// A reader of the format of `CacheExport`.
public struct CacheImport {
  private var records = RecordSet()

  /// Returns the records of an export.
  ///
  /// - Parameter json: A document written by `CacheExport`. Results of mutations and subscriptions are ignored, because
  ///   a cache does not store them.
  /// - Throws: `CacheImportError` if the JSON is not an export, has another version, or contains an invalid record. The
  ///   description names its location.
  public static func records(_ json: JSONValue) throws(CacheImportError) -> RecordSet {
    guard json["format"]?.string == CacheExport.format, let records = json["records"], records.kind == .object else {
      throw CacheImportError("it is not a cache export: \"format\" is not \"\(CacheExport.format)\"")
    }
    guard json["version"]?.int == CacheExport.version else {
      throw CacheImportError("its version \(json["version"]?.description ?? "") is not supported; update Apus")
    }
    if let path = json.nonFinitePath {
      throw CacheImportError("\(path) is NaN or infinite, which JSON cannot represent; use a finite number or null")
    }
    var reader = CacheImport()
    for (key, record) in records.members {
      // Their field keys contain arguments, which may be secret.
      if CacheKey.forgottenRoots.contains(where: { key == $0.text || key.hasPrefix($0.text + ".") }) { continue }
      let id = reader.records.intern(CacheKey(key))
      try reader.add(record, as: id, "records.\(key)")
    }
    return reader.records
  }

  private mutating func add(_ record: JSONValue, as id: RecordID, _ place: String) throws(CacheImportError) {
    guard record.kind == .object else { throw CacheImportError("\(place) is not a record") }
    var values: ContiguousArray<StoredValue> = []
    var type: TypeID?
    for (name, value) in record.members {
      switch name {
      case "$type": type = records.storage.typenames.intern(try text(value, "\(place).$type"))
      case "$written", "$expires", "$fieldExpires", "$errors": break
      default:
        let field = records.storage.fieldNames.intern(name)
        let stored = try self.stored(value, in: FieldLocation(id, field), [], "\(place).\(name)")
        values.append(stored.stored(in: field))
      }
    }
    values.withUnsafeBufferPointer { records.put($0, into: id, type: type) }
    records.storage[id].written = UInt32(clamping: record["$written"]?.int ?? 0)
    records.storage[id].expires = UInt32(clamping: record["$expires"]?.int ?? 0)
    for (name, value) in record["$fieldExpires"]?.members ?? JSONValue.null.members {
      records.storage.notes.setExpiry(UInt32(clamping: value.int ?? 0), id, records.storage.fieldNames.intern(name))
    }
    for (name, value) in record["$errors"]?.members ?? JSONValue.null.members {
      records.storage.notes.setError(value.description, id, records.storage.fieldNames.intern(name))
    }
  }

  private func text(_ value: JSONValue, _ place: String) throws(CacheImportError) -> String {
    guard let text = value.string else { throw CacheImportError("\(place) is not a string") }
    return text
  }

  private mutating func stored(
    _ value: JSONValue, in field: FieldLocation, _ positions: [UInt32], _ place: String
  ) throws(CacheImportError) -> StoredValue {
    switch value.kind {
    case .array: return try list(value, in: field, positions, place, isOpen: false)
    case .object: break
    default: return records.storage.scalar(value)
    }
    guard value.count == 1, let member = value.member(at: 0) else {
      throw CacheImportError("\(place) is an object without $ref, $embedded, $path, $json, $partial or $missing")
    }
    switch member.key {
    case "$json": return records.storage.scalar(member.value)
    case "$missing": return .missing
    case "$partial": return try list(member.value, in: field, positions, place, isOpen: true)
    case "$ref": return .reference(records.intern(CacheKey(try text(member.value, place))))
    case "$path":
      guard member.value.count <= KeyCoding.maximumDepth else {
        throw CacheImportError("\(place) has a $path that is too long")
      }
      var id: RecordID?
      for component in member.value.elements { id = try step(id, component, place) }
      guard let id else { throw CacheImportError("\(place) has an empty $path") }
      return .reference(id)
    case "$embedded":
      let id = records.storage.record(in: field.record, field.field, positions)
      if !member.value.isNull { try add(member.value, as: id, place) }
      return .reference(id)
    default: throw CacheImportError("\(place) has the unknown key \(member.key)")
    }
  }

  private mutating func step(
    _ id: RecordID?, _ component: JSONValue, _ place: String
  ) throws(CacheImportError) -> RecordID {
    guard let id else { return records.intern(CacheKey(try text(component, place))) }
    if let index = component.int {
      guard let index = UInt32(exactly: index), index <= KeyComponent.maximumIndex else {
        throw CacheImportError("\(place) has an invalid index")
      }
      return records.storage.record(in: id, at: .index(index))
    }
    let field = records.storage.fieldNames.intern(try text(component, place))
    return records.storage.record(in: id, at: .field(field))
  }

  private mutating func list(
    _ value: JSONValue, in field: FieldLocation, _ positions: [UInt32], _ place: String, isOpen: Bool
  ) throws(CacheImportError) -> StoredValue {
    var items: [StoredValue] = []
    for (index, item) in value.elements.enumerated() {
      items.append(try stored(item, in: field, positions + [UInt32(index)], "\(place)[\(index)]"))
    }
    return records.storage.list(items, isOpen: isOpen)
  }
}
