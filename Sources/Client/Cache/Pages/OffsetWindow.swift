import ApusClientOperation
import ApusClientRecords
import ApusJSON

/// The stretch of a list that an offset and a limit ask for.
///
/// Such a list is kept as one, from its first item on. Items that were not fetched are missing items; one at the end of the list
/// means that more items may follow.
struct OffsetWindow {
  let offset: Int
  /// `nil` asks for everything to the end.
  let limit: Int?

  /// A server may be asked for any offset, but a list with a billion missing items would fill the memory.
  private static let largestOffset = 1_000_000

  /// Returns `nil` unless the arguments are numbers of items.
  init?(offset: JSONValue?, limit: JSONValue?) {
    guard let start = Self.number(offset, 0), start <= Self.largestOffset, let count = Self.number(limit, .max) else {
      return nil
    }
    self.offset = start
    self.limit = count == .max ? nil : count
  }

  /// `nil` for lists of scalars too, which are not taken apart.
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

  /// The part of the window that a stored list has.
  struct Part {
    let range: Range<Int>
    /// Whether it is all of the window.
    let isWhole: Bool
  }

  /// Returns the part that a list has; `nil` if it has no item of the window.
  func part(of list: StoredValue, in storage: StoredRecords) -> Part? {
    let isEndKnown = list.count == 0 || storage.item(at: list.count - 1, of: list).kind != .missing
    let known = isEndKnown ? list.count : list.count - 1
    let end = limit.map { offset + min($0, Int.max - offset) } ?? .max
    if end <= known { return Part(range: offset..<end, isWhole: true) }
    if isEndKnown { return Part(range: min(offset, known)..<known, isWhole: true) }
    if end == offset { return Part(range: known..<known, isWhole: true) }
    return offset < known ? Part(range: offset..<known, isWhole: false) : nil
  }
}
