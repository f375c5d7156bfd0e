import ApusClientOperation
import ApusClientRecords
import ApusJSON

/// The range of a list that an offset and a limit select: the items 20 to 29 for `birds(offset: 20, limit: 10)`.
///
/// All pages of the list are stored as one list. Items that were not fetched are missing items; one at the end means
/// that more items may follow.
struct OffsetWindow {
  let offset: Int
  /// The maximum number of items; `nil` for all items up to the end.
  let limit: Int?

  /// The largest offset that is merged. A list with a billion missing items would exhaust memory.
  private static let largestOffset = 1_000_000

  /// Returns `nil` unless the arguments are valid item counts.
  init?(offset: JSONValue?, limit: JSONValue?) {
    guard let start = Self.number(offset, 0), start <= Self.largestOffset, let count = Self.number(limit, .max) else {
      return nil
    }
    self.offset = start
    self.limit = count == .max ? nil : count
  }

  /// Returns `nil` for lists of scalars, which are not merged.
  init?(of field: PlanField, _ offset: String, _ limit: String, _ variables: JSONValue) {
    guard field.child != nil else { return nil }
    let values = field.field.argumentValues(variables: variables)
    self.init(
      offset: values.first { $0.name == offset }?.value, limit: values.first { $0.name == limit }?.value)
  }

  private static func number(_ value: JSONValue?, _ standard: Int) -> Int? {
    guard let value, !value.isNull else { return standard }
    return value.int.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// The items of the range that a stored list has.
  struct Part {
    let range: Range<Int>
    /// Whether these are all items of the range.
    let isWhole: Bool
  }

  /// Returns the items of the range that a list has, or `nil` if it has none.
  func part(of list: StoredValue, in storage: StoredRecords) -> Part? {
    let isEndKnown = list.count == 0 || storage.item(at: list.count - 1, of: list).kind != .missing
    let loadedCount = isEndKnown ? list.count : list.count - 1
    let end = limit.map { offset + min($0, Int.max - offset) } ?? .max
    if end <= loadedCount { return Part(range: offset..<end, isWhole: true) }
    if isEndKnown { return Part(range: min(offset, loadedCount)..<loadedCount, isWhole: true) }
    if end == offset { return Part(range: loadedCount..<loadedCount, isWhole: true) }
    return offset < loadedCount ? Part(range: offset..<loadedCount, isWhole: false) : nil
  }
}
