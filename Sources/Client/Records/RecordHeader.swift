/// A record's key, type and counts, and where its fields are.
@usableFromInline
struct RecordHeader: Sendable, BitwiseCopyable {
  /// The hash of the key; 0 for a number that is free.
  @usableFromInline var hash: UInt64
  /// The place of the key's text; for a path, its parent and its last component.
  @usableFromInline var first: UInt32
  @usableFromInline var second: UInt32
  @usableFromInline var third: UInt32
  /// The number of the typename, or `.max`.
  @usableFromInline var type: UInt32 = .max
  @usableFromInline var fields = ArenaRun(page: 0, start: 0)
  @usableFromInline var fieldCount: UInt32 = 0
  /// The bytes of the values.
  @usableFromInline var size: UInt32 = 0
  /// The number of uses that keep the key: its record, references to it, keys that continue it.
  var uses: UInt32 = 0
  /// The first of the edges that refer to this record.
  var firstReferrer: UInt32 = .max
  @usableFromInline var referrerCount: UInt32 = 0
  /// The number of the change that wrote the record last; 0 when there is no record under this key.
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

  /// Makes the record of a response the one of a cache.
  mutating func keep(stamp: UInt32, time: UInt32, size: Int) {
    self.size = UInt32(clamping: size)
    self.stamp = stamp
    if written == 0 { written = time }
  }

  /// Adds the newest of the edges that lead here. Returns the one before.
  mutating func addReferrer(_ edge: UInt32) -> UInt32 {
    let before = firstReferrer
    firstReferrer = edge
    referrerCount += 1
    uses += 1
    return before
  }

  /// Removes the record from under the key.
  mutating func forgetRecord() {
    (fieldCount, size) = (0, 0)
    (type, stamp, written, expires) = (.max, 0, 0, 0)
    uses -= 1
  }
}

/// A field of one record that refers to another record. The edges to a record are chained both ways, so that removing one
/// takes the same time however many there are.
struct ReferenceEdge: Sendable, BitwiseCopyable {
  let place: FieldPlace
  let target: RecordID
  var previous: UInt32
  var next: UInt32
}
