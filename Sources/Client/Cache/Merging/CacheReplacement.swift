import ApusClientOperation
import ApusClientRecords
import ApusJSON

/// A write that took the value of a field: its object replaced the one that had the value.
public struct CacheReplacement: Sendable, Hashable, CustomStringConvertible {
  /// The reason why the objects are not the same.
  public enum Reason: String, Sendable, Hashable {
    /// An element of a list without a key.
    case listItem
    /// Another object without a key.
    case object
    /// One of the two operations selected the key of the object, and the other did not.
    case keySelection
  }

  /// The type of the operation that was written.
  public let operationType: CompiledOperation.OperationType
  /// The name of the operation; `nil` if it is anonymous.
  public let operationName: String?
  /// The index of the payload in its response, from 0; `nil` if the write was not a payload.
  public let payloadIndex: Int?
  /// Whether the write was a local change or an optimistic result instead of a response.
  public let isLocal: Bool
  /// The reason for the replacement.
  public let reason: Reason

  /// The description, such as "replaced by query B; its list items have no key: select 'id' to keep both".
  public var description: String {
    let advice =
      switch reason {
      case .listItem: "its list items have no key: select 'id' to keep both"
      case .object: "its object has no key: select 'id' to keep both"
      case .keySelection: "only one of the two selects the key: select 'id' in both"
      }
    return "replaced by \(source); \(advice)"
  }

  /// The operation and payload, such as "query B, payload 2".
  public var source: String {
    let name = operationName.map { "\(operationType.rawValue) \($0)" } ?? "an anonymous \(operationType.rawValue)"
    let payload = payloadIndex.flatMap { $0 > 0 ? ", payload \($0)" : nil } ?? ""
    return (isLocal ? "a local change of " : "") + name + payload
  }
}

/// A write to a cache, as far as a replacement names it.
struct CacheWriter: Sendable {
  let operationType: CompiledOperation.OperationType
  let operationName: String?
  let payloadIndex: Int?

  func replacement(_ reason: CacheReplacement.Reason, _ origin: RecordOrigin) -> CacheReplacement {
    CacheReplacement(
      operationType: operationType, operationName: operationName, payloadIndex: payloadIndex,
      isLocal: origin != .response, reason: reason)
  }
}

/// The stored form, a JSON object.
extension CacheReplacement {
  init?(stored text: String) {
    guard let json = JSONBytes.document(Array(text.utf8)),
      let type = json["type"]?.string.flatMap(CompiledOperation.OperationType.init),
      let reason = json["reason"]?.string.flatMap(Reason.init)
    else { return nil }
    (operationType, self.reason) = (type, reason)
    operationName = json["name"]?.string
    payloadIndex = json["payload"]?.int
    isLocal = json["local"]?.bool == true
  }

  var stored: String {
    var members: [(String, JSONValue)] = [("type", JSONValue(operationType.rawValue))]
    if let operationName { members.append(("name", JSONValue(operationName))) }
    if let payloadIndex { members.append(("payload", JSONValue(payloadIndex))) }
    if isLocal { members.append(("local", true)) }
    members.append(("reason", JSONValue(reason.rawValue)))
    return JSONValue.object(members).description
  }
}

extension RecordMerge {
  /// Records that this write took the value of a field, if it is the write of an operation.
  func noteTaken(
    _ place: FieldLocation, _ reason: CacheReplacement.Reason, in storage: inout StoredRecords
  ) {
    guard let text = incoming.writer?.replacement(reason, incoming.origin).stored else { return }
    storage.notes.setTaker(text, place.record, place.field)
  }

  /// Records the fields that a value took because only one of two operations selects the key of an object.
  func noteKeySelection(_ new: StoredValue, _ old: StoredValue, in storage: inout StoredRecords) {
    guard new.kind == old.kind, storage.isEmbedded(inFirstItemOf: old) != source.isEmbedded(inFirstItemOf: new) else {
      return
    }
    if new.kind == .list {
      for index in 0..<min(new.count, old.count) {
        noteKeySelection(source.item(at: index, of: new), storage.item(at: index, of: old), in: &storage)
      }
      return
    }
    guard new.kind == .reference, storage.exists(old.target) else { return }
    let brought = Set(source.fields(of: new.target).map { fields[$0.field] })
    let record = records[new.target]
    for value in storage.fields(of: old.target)
    where !brought.contains(value.field) && storage.value(of: value.field, in: record) == nil {
      noteTaken(FieldLocation(record, value.field), .keySelection, in: &storage)
    }
  }

  /// Forgets the takers of the fields that a record has again.
  func forgetTakers(of record: RecordID, in storage: inout StoredRecords) {
    for (field, _) in storage.notes.takers(of: record) where storage.value(of: field, in: record) != nil {
      storage.notes.setTaker(nil, record, field)
    }
  }
}

/// A field whose value a write took.
public struct ReplacedField: Sendable, Hashable {
  /// The key of the record that has the field.
  public let key: CacheKey
  /// The field's key, with its arguments.
  public let field: String
  /// The write that took the value.
  public let replacement: CacheReplacement
}

extension CacheSnapshot {
  /// Returns the fields of a record, and of the records embedded in it, whose values were taken by another object's write.
  public func replacedFields(in key: CacheKey) -> [ReplacedField] {
    let storage = records.storage
    guard let record = records.findRecord(key) else { return [] }
    func isInside(_ other: RecordID) -> Bool {
      other == record || storage.path(of: other).map { isInside($0.parent) } ?? false
    }
    let found = storage.notes.recordsWithTakers.filter(isInside).flatMap { taken in
      storage.notes.takers(of: taken).compactMap { field, text in
        CacheReplacement(stored: text).map {
          ReplacedField(key: storage.key(taken), field: storage.fieldNames[field], replacement: $0)
        }
      }
    }
    return found.sorted { ($0.key.text, $0.field) < ($1.key.text, $1.field) }
  }
}
