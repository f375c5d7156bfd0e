import ApusClientOperation
import ApusGraphQLLanguage
import Synchronization

@testable import ApusClientCache

/// Compiled operations by text.
final class OperationMemo: Sendable {
  private let operations = Mutex<[String: CompiledOperation]>([:])

  func operation(_ text: String) throws -> CompiledOperation {
    if let existing = operations.withLock({ $0[text] }) { return existing }
    let made = try CompiledOperation.compile(
      Document(parsing: text), operationName: nil, schema: nil, options: CompileOptions())
    operations.withLock { $0[text] = made }
    return made
  }
}

extension PlainCache {
  /// The contents of a cache in the form of the model.
  init(_ snapshot: CacheSnapshot) {
    for record in snapshot.records.records where !record.key.text.contains(".") {
      records[record.key.text] = Self.object(record, snapshot)
    }
  }

  private static func object(_ record: Record, _ snapshot: CacheSnapshot) -> PlainObject {
    var object = PlainObject(type: record.typename)
    for field in record.fields where field.key != "__typename" {
      object.fields[field.key] = value(field.value, snapshot)
    }
    return object
  }

  private static func value(_ value: RecordValue, _ snapshot: CacheSnapshot) -> PlainValue {
    switch value {
    case .scalar(let scalar): return scalar.int.map { .number($0) } ?? .null
    case .missing: return .null
    case .list(let items): return .list(items.map { self.value($0, snapshot) })
    case .reference(let reference):
      guard reference.key.text.contains(".") else { return .key(reference.key.text) }
      guard let record = snapshot.record(reference.key) else { return .null }
      return .object(object(record, snapshot))
    }
  }

  /// The records, one a line.
  var text: String {
    records.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.text)" }.joined(separator: "\n")
  }
}
