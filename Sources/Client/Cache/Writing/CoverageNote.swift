import ApusClientOperation
import ApusClientRecords
import ApusJSON

/// What a record notes of fragments of which nobody knows, without a schema, whether they cover it: whether a response had what
/// they select. Without it a field that only such a fragment has could not be told from one that nobody asked for, and a field
/// of another type's from one of this.
///
/// A note is a field of the record whose key begins with three dots, as no field's name does: `... on Named` is true or false.
enum CoverageNote {
  /// The key for a fragment's type condition, and those of the fragments around it.
  static func key(of conditions: [String]) -> String { conditions.map { "... on \($0)" }.joined(separator: " ") }

  static func isNote(_ key: String) -> Bool { key.utf8.first == UInt8(ascii: ".") }

  /// A fragment, and the fields that nothing but it has.
  struct Place {
    let id: FieldID
    let fields: [FieldID]
    /// Whether some of them may come later.
    let isDeferred: Bool
  }

  static func places(_ fields: [NormalizerField], _ intern: (String) -> FieldID) -> [Place] {
    guard fields.contains(where: { $0.plan.conditions.count == 1 }) else { return [] }
    var own: [[String]: [NormalizerField]] = [:]
    var order: [[String]] = []
    for field in fields where field.plan.conditions.count == 1 {
      let conditions = field.plan.conditions[0]
      if conditions == PlanField.tooManyWays { continue }
      if own[conditions] == nil { order.append(conditions) }
      own[conditions, default: []].append(field)
    }
    return order.map { conditions in
      let fields = own[conditions] ?? []
      return Place(
        id: intern(key(of: conditions)), fields: fields.map(\.id),
        isDeferred: fields.contains { !$0.plan.usages.isEmpty })
    }
  }
}

extension StoredRecords {
  /// Whether a record has a field that fragments alone have, by its notes; `nil` where there is none.
  func isCovered(_ field: ReaderField, in record: RecordID) -> Bool? {
    var isKnown = true
    for note in field.coverage {
      guard let id = note.id, let index = index(of: id, in: record, near: fieldCount(of: record) - 1) else {
        isKnown = false
        continue
      }
      if json(self.field(at: index, of: record)).bool == true { return true }
    }
    return isKnown ? false : nil
  }
}

extension Normalizer {
  /// The note of an object about a fragment, of which it has something or not; nil where that it has nothing says nothing: it may
  /// come later, or an error is in its place.
  mutating func note(_ place: CoverageNote.Place, covers: Bool) -> StoredValue? {
    let mayFollow = place.isDeferred && (options.isPartial || !options.failedFragments.isEmpty)
    if !covers, mayFollow || hasErrors { return nil }
    return records.storage.scalar(JSONValue(covers)).stored(in: place.id)
  }
}
