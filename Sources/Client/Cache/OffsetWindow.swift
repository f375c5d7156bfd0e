import ApusClientOperation
import ApusClientRecords
import ApusJSON

/// The stretch of a list that an offset and a limit ask for.
///
/// Such a list is kept as one, from its first item on. What was not fetched of it is a gap, and a gap at its end says that
/// nobody knows whether more follows; without one the list ends where it ends.
struct OffsetWindow {
  let offset: Int
  /// `nil` asks for everything to the end.
  let limit: Int?

  /// A server may be asked for any offset, but a list with a billion gaps is no list.
  private static let largestOffset = 1_000_000

  /// `nil` when the arguments are no numbers of items.
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

  /// Where it begins and ends in a list of which so many items are kept.
  struct Part {
    let range: Range<Int>
    /// Whether it holds all that was asked for.
    let isWhole: Bool
  }

  /// `nil` when nothing of what was asked for is known.
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
