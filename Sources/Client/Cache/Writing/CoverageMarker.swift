import ApusClientOperation
import ApusClientRecords
import ApusJSON

/// A marker in a record that says whether a fragment applies to it. It is used without a schema, when a type condition alone
/// does not determine this: the fragment applies if a response contained its fields. Without markers, a field that only such
/// a fragment selects could not be distinguished from one that was never requested, or that belongs to another type.
///
/// A marker is a field whose key starts with three dots, unlike all field names: `... on Named` is true or false.
enum CoverageMarker {
  /// Returns the key for a fragment's type condition, preceded by those of its enclosing fragments.
  static func key(of conditions: [String]) -> String { conditions.map { "... on \($0)" }.joined(separator: " ") }

  static func isNote(_ key: String) -> Bool { key.utf8.first == UInt8(ascii: ".") }

  /// A fragment and the fields that only it selects.
  struct Place {
    let id: FieldID
    let fields: [FieldID]
    /// Whether some of the fields are deferred.
    let isDeferred: Bool
  }

  static func places(_ fields: [NormalizerField], _ intern: (String) -> FieldID) -> [Place] {
    guard fields.contains(where: { $0.plan.conditions.count == 1 }) else { return [] }
    var direct: [[String]: [NormalizerField]] = [:]
    var order: [[String]] = []
    for field in fields where field.plan.conditions.count == 1 {
      let conditions = field.plan.conditions[0]
      if conditions == PlanField.tooManyWays { continue }
      if direct[conditions] == nil { order.append(conditions) }
      direct[conditions, default: []].append(field)
    }
    return order.map { conditions in
      let fields = direct[conditions] ?? []
      return Place(
        id: intern(key(of: conditions)), fields: fields.map(\.id),
        isDeferred: fields.contains { !$0.plan.usages.isEmpty })
    }
  }
}

extension StoredRecords {
  /// Returns whether a field applies to a record according to its coverage markers, or `nil` if there are none.
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
  /// Returns an object's coverage marker for a fragment. Returns `nil` if missing fields are not evidence: they may arrive
  /// later or be replaced by an error.
  mutating func marker(_ place: CoverageMarker.Place, covers: Bool) -> StoredValue? {
    let mayFollow = place.isDeferred && (options.isPartial || !options.failedFragments.isEmpty)
    if !covers, mayFollow || hasErrors { return nil }
    return records.storage.scalar(JSONValue(covers)).stored(in: place.id)
  }
}
