/// A field of a record or an item of a list, in 16 bytes.
///
/// A scalar is stored as its JSON text, so that a number of any size is returned unchanged. A string without escapes is
/// stored without its quotes. The value itself holds up to 8 bytes; longer text is in the storage.
@usableFromInline
package struct PackedValue: StoredValueProtocol, BitwiseCopyable {
  /// The first four raw values match `StoredKind`; the others are scalars.
  @usableFromInline
  enum Layout: UInt32 {
    case null, reference, list, missing, shortText, text, longText
  }

  @usableFromInline package var field: FieldID
  /// From the top: 3 bits for the layout, 1 bit for the flag, 28 bits for a count of bytes or items.
  @usableFromInline var tag: UInt32
  @usableFromInline var payload: UInt64

  @usableFromInline static var flag: UInt32 { @inlinable get { 1 << 28 } }
  /// The largest count in the tag; it means this count or a larger one. Such a run starts at the beginning of a page,
  /// and its exact count is stored in the run's start instead.
  @usableFromInline static var countMask: UInt32 { @inlinable get { flag - 1 } }

  @usableFromInline package static let null = PackedValue(.null, count: 0, payload: 0)
  @usableFromInline package static let missing = PackedValue(.missing, count: 0, payload: 0)
  @usableFromInline package static func reference(_ record: RecordID) -> PackedValue { .reference(record, edge: .max) }

  init(_ layout: Layout, count: Int, payload: UInt64, flag: Bool = false) {
    field = FieldID(number: 0)
    let isShort = count < Int(Self.countMask)
    tag = layout.rawValue << 29 | (flag ? Self.flag : 0) | (isShort ? UInt32(count) : Self.countMask)
    self.payload = isShort ? payload : ArenaRun(page: ArenaRun(packed: payload).page, start: UInt32(count)).packed
  }

  @inlinable
  package var kind: StoredKind { StoredKind(rawValue: UInt8(truncatingIfNeeded: min(tag >> 29, 4))) ?? .scalar }
  @inlinable
  package var isOpen: Bool { tag & Self.flag != 0 }
  @inlinable
  package var isString: Bool { tag & Self.flag != 0 }
  @inlinable
  package var count: Int { hasLongCount ? Int(ArenaRun(packed: payload).start) : Int(tag & Self.countMask) }
  @inlinable
  package var target: RecordID { RecordID(number: UInt32(truncatingIfNeeded: payload)) }

  @inlinable var layout: Layout { Layout(rawValue: tag >> 29) ?? .null }
  @inlinable var hasLongCount: Bool { tag & Self.countMask == Self.countMask }
  @inlinable var run: ArenaRun {
    let run = ArenaRun(packed: payload)
    return hasLongCount ? ArenaRun(page: run.page, start: 0) : run
  }

  /// The edge of a reference that is stored in a record; `.max` otherwise.
  var edge: UInt32 { UInt32(truncatingIfNeeded: payload >> 32) }

  static func reference(_ record: RecordID, edge: UInt32) -> PackedValue {
    PackedValue(.reference, count: 0, payload: UInt64(edge) << 32 | UInt64(record.number))
  }

  /// Whether two short values have the same text.
  func hasSamePayload(as other: PackedValue) -> Bool { payload == other.payload }
}
