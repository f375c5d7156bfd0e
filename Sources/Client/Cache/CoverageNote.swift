import ApusClientOperation

/// What a record notes of fragments of which nobody knows, without a schema, whether they cover it: whether a response had what
/// they select. Without it a field that only such a fragment has could not be told from one that nobody asked for, and a field
/// of another type's from one of this.
///
/// A note is a field of the record whose key begins with three dots, as no field's name does: `... on Named` is true or false.
enum CoverageNote {
  static let covers = ValueSlot(field: 0, kind: .shortText, count: 4, payload: payload("true"))
  static let coversNot = ValueSlot(field: 0, kind: .shortText, count: 5, payload: payload("false"))

  private static func payload(_ text: String) -> UInt64 {
    text.utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The key for a fragment's type condition, and those of the fragments around it.
  static func key(of conditions: [String]) -> String { conditions.map { "... on \($0)" }.joined(separator: " ") }

  static func isNote(_ key: String) -> Bool { key.utf8.first == UInt8(ascii: ".") }

  /// A fragment, and the fields that nothing but it has.
  struct Place {
    let symbol: UInt32
    let fields: [UInt32]
    /// Whether some of them may come later.
    let isDeferred: Bool
  }

  static func places(_ fields: [NormalizerField], _ symbol: (String) -> UInt32) -> [Place] {
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
        symbol: symbol(key(of: conditions)), fields: fields.map(\.symbol),
        isDeferred: fields.contains { !$0.plan.usages.isEmpty })
    }
  }
}

extension RecordTable {
  /// Whether a record has a field that fragments alone have, by what was noted of them; `nil` where nothing was.
  func isCovered(_ field: ReaderField, in entry: RecordHeader) -> Bool? {
    var isKnown = true
    for note in field.coverage {
      guard note.symbol != RecordTable.none,
        let place = position(ofField: note.symbol, in: entry, hint: Int(entry.fieldCount) - 1)
      else {
        isKnown = false
        continue
      }
      if slots.element(entry.fields, place).payload == CoverageNote.covers.payload { return true }
    }
    return isKnown ? false : nil
  }
}

extension Normalizer {
  /// What an object tells of a fragment; nil where that it has nothing of it says nothing: it may come later, or an error stands
  /// in its place.
  func note(_ place: CoverageNote.Place, isThere: (UInt32) -> Bool) -> ValueSlot? {
    let covers = place.fields.contains(where: isThere)
    let mayFollow = place.isDeferred && (options.isPartial || !options.failedFragments.isEmpty)
    if !covers, mayFollow || hasErrors { return nil }
    var slot = covers ? CoverageNote.covers : CoverageNote.coversNot
    slot.field = place.symbol
    return slot
  }
}
