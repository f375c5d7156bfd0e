import ClientCache
import JSON
import Synchronization

/// The newest changes of the cache with the records before and after them. Snapshots share what did not change, so that
/// keeping many costs little.
final class WriteLog: Sendable {
  struct Entry: Sendable {
    let line: WriteEntry
    let before: CacheSnapshot
    let after: CacheSnapshot
    let changed: ChangedKeys
  }

  private static let limit = 64
  private static let rowLimit = 2000

  private let entries = Mutex<(list: [Entry], count: Int)>(([], 0))

  func add(title: String, part: Int?, before: CacheSnapshot, after: CacheSnapshot, changed: ChangedKeys) {
    guard !changed.isEmpty else { return }
    let records = changed.recordKeys.count
    entries.withLock { entries in
      entries.count += 1
      let line = WriteEntry(
        number: entries.count, title: title, part: part, recordCount: records, fieldCount: changed.count)
      entries.list.append(Entry(line: line, before: before, after: after, changed: changed))
      if entries.list.count > Self.limit { entries.list.removeFirst() }
    }
  }

  /// The newest first.
  var lines: [WriteEntry] { entries.withLock { $0.list.reversed().map(\.line) } }

  func opened(_ number: Int) -> OpenedWrite? {
    guard let entry = entries.withLock({ $0.list.first { $0.line.number == number } }) else { return nil }
    var rows: [OpenedWrite.Row] = []
    for (key, field) in entry.changed.fieldNames(limit: Self.rowLimit) {
      rows.append(
        OpenedWrite.Row(
          record: key.text, field: field, before: Self.text(entry.before.record(key)?[field: field]),
          after: Self.text(entry.after.record(key)?[field: field])))
    }
    return OpenedWrite(entry: entry.line, rows: rows)
  }

  /// The newest change that wrote a field.
  func number(ofLastWriteTo record: String, field: String) -> Int? {
    entries.withLock { entries in
      entries.list.last { entry in
        entry.changed.fieldNames(limit: Self.rowLimit).contains { $0.key.text == record && $0.field == field }
      }?.line.number
    }
  }

  /// The newest change that was a part of a response.
  func number(ofPart part: Int) -> Int? {
    entries.withLock { entries in entries.list.last { $0.line.part == part }?.line.number }
  }

  private static func text(_ value: RecordValue?) -> String? {
    switch value {
    case nil: nil
    case .scalar(let value): String(value.description.prefix(200))
    case .reference(let reference): "→ \(reference.key.text)"
    case .list(let items): "[\(items.count)]"
    case .missing: "not fetched"
    }
  }
}
