/// One field of a record, or one item of a list, in 16 bytes.
///
/// A scalar is kept as its JSON text, so that it comes back as it went in, whatever its size; a string that needs no
/// escapes is kept without its quotes. Up to 8 bytes lie in the slot itself, more in the table's texts.
struct ValueSlot: Sendable, BitwiseCopyable {
  enum Kind: UInt32 {
    case null, shortText, text, longText, reference, list
    /// An item of a list that nobody knows, because only what stands around it was fetched.
    case gap
  }

  /// The field's symbol; meaningless in a list's items.
  var field: UInt32
  /// The kind in the upper 3 bits, then a flag, then a count of bytes or items.
  private var tag: UInt32
  private(set) var payload: UInt64

  private static let flag: UInt32 = 1 << 28
  /// The largest count in the tag. It stands for counts from there on: so long a run has a page of its own and begins at
  /// its start, so that the count itself is kept in the start's place.
  private static let countMask: UInt32 = flag - 1

  static let null = ValueSlot(kind: .null, count: 0, payload: 0)
  static let gap = ValueSlot(kind: .gap, count: 0, payload: 0)

  init(field: UInt32 = 0, kind: Kind, count: Int, payload: UInt64, flag: Bool = false) {
    self.field = field
    let isShort = count < Int(Self.countMask)
    tag = kind.rawValue << 29 | (flag ? Self.flag : 0) | (isShort ? UInt32(count) : Self.countMask)
    self.payload = isShort ? payload : ArenaRun(page: ArenaRun(packed: payload).page, start: UInt32(count)).packed
  }

  var kind: Kind { Kind(rawValue: tag >> 29) ?? .null }
  var count: Int { hasLongCount ? Int(ArenaRun(packed: payload).start) : Int(tag & Self.countMask) }
  private var hasLongCount: Bool { tag & Self.countMask == Self.countMask }
  /// Of a list: a streamed one that is not all there yet, so that reading it is not a whole hit.
  var isOpen: Bool { tag & Self.flag != 0 }
  /// Of a text: a string's characters, which need quotes and nothing else to be JSON.
  var isString: Bool { tag & Self.flag != 0 }
  var run: ArenaRun {
    let run = ArenaRun(packed: payload)
    return hasLongCount ? ArenaRun(page: run.page, start: 0) : run
  }

  static func reference(_ target: UInt32, edge: UInt32 = .max) -> ValueSlot {
    ValueSlot(kind: .reference, count: 0, payload: UInt64(edge) << 32 | UInt64(target))
  }

  /// Whether both are one stored value.
  func isSame(as other: ValueSlot) -> Bool { tag == other.tag && payload == other.payload && kind != .gap }

  var target: UInt32 { UInt32(truncatingIfNeeded: payload) }
  var edge: UInt32 { UInt32(truncatingIfNeeded: payload >> 32) }
}

/// A record's key, type and counts, and where its fields lie.
struct RecordHeader: Sendable, BitwiseCopyable {
  /// The hash of the key.
  var hash: UInt64
  /// A key with a text has here where it lies; a key that is a path has its parent and its last component.
  private var first: UInt32
  private var second: UInt32
  private var third: UInt32
  /// The symbol of the typename, or `RecordTable.none`.
  var type: UInt32 = .max
  var fields = ArenaRun(page: 0, start: 0)
  var fieldCount: UInt32 = 0
  /// How many bytes the values take.
  var size: UInt32 = 0
  /// What keeps the key: its record, references to it, keys that continue it.
  var uses: UInt32 = 0
  /// The first of the edges that refer to this record.
  var firstReferrer: UInt32 = .max
  var referrerCount: UInt32 = 0
  /// The number of the change that wrote the record last; 0 when there is no record under this key.
  var stamp: UInt32 = 0
  /// When the record was written last, in seconds since 1970.
  var written: UInt32 = 0
  /// When its fields expire, but for those that have a note of their own; 0 for never.
  var expires: UInt32 = 0

  private static let pathMark = UInt32.max
  private static let indexMark: UInt32 = 1 << 31

  init(hash: UInt64, text: ArenaRun, length: Int) {
    self.hash = hash
    first = text.page
    second = text.start
    third = UInt32(length)
  }

  /// There is a record under the key from now on. When it was written may be known already.
  mutating func begin(_ moment: ChangeMoment, size: Int) {
    self.size = UInt32(clamping: size)
    stamp = moment.stamp
    if written == 0 { written = moment.time }
    uses += 1
  }

  /// One more refers to it: the newest of the edges that lead here. Returns the one before.
  mutating func addReferrer(_ edge: UInt32) -> UInt32 {
    let before = firstReferrer
    firstReferrer = edge
    referrerCount += 1
    uses += 1
    return before
  }

  /// There is no record under the key any more.
  mutating func forgetRecord() {
    fieldCount = 0
    size = 0
    written = 0
    expires = 0
    stamp = 0
    type = RecordTable.none
    uses -= 1
  }

  init(hash: UInt64, parent: UInt32, component: KeyComponent) {
    self.hash = hash
    first = parent
    second =
      switch component {
      case .field(let symbol): symbol
      case .index(let index): index | Self.indexMark
      }
    third = Self.pathMark
  }

  var exists: Bool { stamp != 0 }
  /// Of a set that holds a part of a file: whether the file was asked for the record and had none.
  var isKnownAbsent: Bool {
    get { stamp == 0 && written == .max }
    set { written = newValue ? .max : 0 }
  }
  var isPath: Bool { third == Self.pathMark }
  var text: ArenaRun { ArenaRun(page: first, start: second) }
  var textLength: Int { Int(third) }
  var parent: UInt32 { first }
  var component: KeyComponent {
    second & Self.indexMark == 0 ? .field(second) : .index(second & ~Self.indexMark)
  }
}

/// What a path continues a key with.
enum KeyComponent: Equatable, Sendable {
  /// The symbol of a field key.
  case field(UInt32)
  /// Up to `maximumIndex`.
  case index(UInt32)

  static let maximumIndex = UInt32(Int32.max)
}

/// That a field of one record refers to another record. The edges to a record are chained both ways, so that any one
/// of them is taken out at once.
struct ReferenceEdge: Sendable, BitwiseCopyable {
  var source: UInt32
  var field: UInt32
  var target: UInt32
  var previous: UInt32
  var next: UInt32
}
