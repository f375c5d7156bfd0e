/// A record's key, type and counters, and the location of its fields.
@usableFromInline
struct RecordHeader: Sendable, BitwiseCopyable {
  /// The hash of the key; 0 if the header is free.
  @usableFromInline var hash: UInt64
  /// With `second` and `third`, the key: the location and length of its text, or for an embedded record its parent, its last
  /// component and `pathMark`.
  @usableFromInline var first: UInt32
  @usableFromInline var second: UInt32
  @usableFromInline var third: UInt32
  /// The number of the type's id, or `.max` if the type is unknown.
  @usableFromInline var type: UInt32 = .max
  @usableFromInline var fields = ArenaRun(page: 0, start: 0)
  @usableFromInline var fieldCount: UInt32 = 0
  /// The byte count of the values.
  @usableFromInline var size: UInt32 = 0
  /// The number of uses that keep the key alive: its record, references to it, and keys of embedded records.
  var uses: UInt32 = 0
  /// The most recent edge that refers to this record, or `.max`.
  var firstReferrer: UInt32 = .max
  @usableFromInline var referrerCount: UInt32 = 0
  /// The change that last wrote the record; 0 if the key has no record.
  @usableFromInline var stamp: UInt32 = 0
  @usableFromInline var written: UInt32 = 0
  @usableFromInline var expires: UInt32 = 0

  @usableFromInline static var pathMark: UInt32 { @inlinable get { .max } }
  @usableFromInline static var indexMark: UInt32 { @inlinable get { 1 << 31 } }

  init(hash: UInt64, text: ArenaRun, length: Int) {
    self.hash = hash
    (first, second, third) = (text.page, text.start, UInt32(length))
  }

  init(hash: UInt64, parent: RecordID, component: KeyComponent) {
    self.hash = hash
    first = parent.number
    second =
      switch component {
      case .field(let field): field.number
      case .index(let index): index | Self.indexMark
      }
    third = Self.pathMark
  }

  static let free = RecordHeader(hash: 0, text: ArenaRun(page: 0, start: 0), length: 0)

  @inlinable var exists: Bool { stamp != 0 }
  @inlinable var isPath: Bool { third == Self.pathMark }
  @inlinable var text: ArenaRun { ArenaRun(page: first, start: second) }
  @inlinable var textLength: Int { Int(third) }
  @inlinable var path: RecordPath {
    let component: KeyComponent =
      second & Self.indexMark == 0 ? .field(FieldID(number: second)) : .index(second & ~Self.indexMark)
    return RecordPath(parent: RecordID(number: first), component: component)
  }

  func isPath(_ parent: RecordID, _ component: KeyComponent) -> Bool {
    isPath && first == parent.number && path.component == component
  }

  @usableFromInline var info: RecordInfo {
    @inlinable get {
      RecordInfo(
        type: type == .max ? nil : TypeID(number: type), stamp: stamp, written: written, expires: expires)
    }
    set {
      type = newValue.type?.number ?? .max
      (stamp, written, expires) = (newValue.stamp, newValue.written, newValue.expires)
    }
  }

  mutating func begin(stamp: UInt32, time: UInt32) {
    (self.stamp, written, expires) = (stamp, time, 0)
    uses += 1
  }

  /// Converts the header from a response's record to a cache's record.
  mutating func retain(stamp: UInt32, time: UInt32, size: Int) {
    self.size = UInt32(clamping: size)
    self.stamp = stamp
    if written == 0 { written = time }
  }

  /// Adds an edge at the start of the record's list of referrers, and returns the previous first edge.
  mutating func addReferrer(_ edge: UInt32) -> UInt32 {
    let before = firstReferrer
    firstReferrer = edge
    referrerCount += 1
    uses += 1
    return before
  }

  /// Removes the record but keeps the key.
  mutating func forgetRecord() {
    (fieldCount, size) = (0, 0)
    (type, stamp, written, expires) = (.max, 0, 0, 0)
    uses -= 1
  }
}

/// A reference from a record's field to another record. The edges to a record form a doubly linked list, so that an edge is
/// removed in constant time.
struct ReferenceEdge: Sendable, BitwiseCopyable {
  let place: FieldLocation
  let target: RecordID
  var previous: UInt32
  var next: UInt32
}
