import ApusClientCache
import ApusExplorerCore
import ApusJSON
import Synchronization

/// The latest cache changes with the records before and after each. Snapshots share unchanged data, so keeping many
/// costs little.
final class WriteLog: Sendable {
  private struct Entry: Sendable {
    let number: Int
    let title: String
    let run: Int?
    let payloadIndex: Int?
    let observed: ObservedCacheChange
    /// Counted on first use.
    var recordCount: Int?

    var line: CacheWriteEntry {
      CacheWriteEntry(
        number: number, title: title, run: run, payloadIndex: payloadIndex, recordCount: recordCount ?? 0,
        fieldCount: observed.change.changedKeys.count)
    }
  }

  private static let limit = 64
  private static let rowLimit = 2000

  private let entries = Mutex<(list: [Entry], count: Int)>(([], 0))

  /// Adds a change.
  ///
  /// - Parameters:
  ///   - session: The run that made it.
  ///   - title: The request of an application that made it.
  func add(_ observed: ObservedCacheChange, of session: RunSession?, title: String? = nil) {
    let change = observed.change
    let payloadIndex: Int? = if case .write(_, let index) = change.cause { index } else { nil }
    entries.withLock { entries in
      entries.count += 1
      entries.list.append(
        Entry(
          number: entries.count, title: title ?? session?.title ?? change.words, run: session?.id,
          payloadIndex: payloadIndex, observed: observed))
      if entries.list.count > Self.limit { entries.list.removeFirst() }
    }
  }

  /// Entries, newest first.
  var lines: [CacheWriteEntry] {
    let uncounted = entries.withLock { $0.list.filter { $0.recordCount == nil } }
    let counts = Dictionary(
      uncounted.map { ($0.number, $0.observed.change.changedKeys.recordKeys.count) }, uniquingKeysWith: { $1 })
    return entries.withLock { entries in
      for index in entries.list.indices {
        if let count = counts[entries.list[index].number] { entries.list[index].recordCount = count }
      }
      return entries.list.reversed().map(\.line)
    }
  }

  func opened(_ number: Int) -> CacheWriteDetail? {
    guard let line = lines.first(where: { $0.number == number }),
      let entry = entries.withLock({ $0.list.first { $0.number == number } })
    else { return nil }
    var rows: [CacheWriteDetail.Row] = []
    for (key, field) in entry.observed.change.changedKeys.fieldNames(limit: Self.rowLimit) {
      rows.append(
        CacheWriteDetail.Row(
          record: key.text, field: field, before: Self.text(entry.observed.before?.record(key)?[field: field]),
          after: Self.text(entry.observed.after.record(key)?[field: field])))
    }
    return CacheWriteDetail(entry: line, rows: rows)
  }

  /// Returns the number of the newest change that wrote a field.
  func number(ofLastWriteTo record: String, field: String) -> Int? {
    let newest = entries.withLock { $0.list.reversed() }
    return newest.first { entry in
      entry.observed.change.changedKeys.fieldNames(limit: Self.rowLimit)
        .contains { $0.key.text == record && $0.field == field }
    }?.number
  }

  /// Returns the number of the newest change that a payload of a run made.
  func number(ofPayload index: Int, of run: RunSession) -> Int? {
    entries.withLock { entries in
      entries.list.last { $0.payloadIndex == index && ($0.run == run.id || run.owns($0.observed.change)) }?.number
    }
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

extension CacheChange {
  /// The title of the change, or its cause.
  var words: String { title ?? cause.words }
}

extension CacheChange.Cause {
  /// The log's title for a change without one.
  fileprivate var words: String {
    switch self {
    case .write(let operation, _): operation ?? "a write"
    case .eviction: "eviction"
    case .clearing: "clearing"
    case .modification, .transaction: "edit"
    case .collection: "garbage collection"
    case .trimming: "trimming to the limit"
    case .optimistic: "optimistic write"
    case .rollback: "optimistic write undone"
    case .external: "another program"
    case .imported: "import"
    }
  }
}
