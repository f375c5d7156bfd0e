import ApusPlatform
import CApusSimdjson

/// The position of a value: its first unit on the tape, and an offset in the text. Entries store distances, not
/// offsets, so a position carries the end of the previous entry.
public struct TapePosition: BitwiseCopyable, Sendable, Equatable {
  @usableFromInline let unit: UInt32
  @usableFromInline let offset: UInt32

  @inlinable @inline(__always)
  init(unit: Int, offset: Int) {
    self.unit = UInt32(truncatingIfNeeded: unit)
    self.offset = UInt32(truncatingIfNeeded: offset)
  }

  /// The position of the root value.
  @inlinable public static var root: TapePosition { TapePosition(unit: 0, offset: 0) }

  /// Whether the position is before `end`, which `Tape.end` returned.
  @inlinable @inline(__always)
  public func isBefore(_ end: Int) -> Bool { Int(unit) < end }
}

/// The tape and text of a document as unmanaged memory, for walking a whole response. CApusSimdjson.h describes the
/// layout.
///
/// It does not keep the document alive; the caller does. Only this package can create one. It is public so that it can
/// be inlined into the loops of other modules, which run once for every value of a response.
public struct Tape: BitwiseCopyable {
  @usableFromInline let units: UnsafePointer<UInt16>
  @usableFromInline let text: UnsafePointer<UInt8>
  @usableFromInline let milestones: UnsafePointer<TapePosition>?
  @usableFromInline let sizes: UnsafePointer<UInt32>?

  package init(_ document: JSONDocument) { self = document.tape }

  init(
    units: UnsafePointer<UInt16>, text: UnsafePointer<UInt8>, milestones: UnsafePointer<TapePosition>?,
    sizes: UnsafePointer<UInt32>?
  ) {
    self.units = units
    self.text = text
    self.milestones = milestones
    self.sizes = sizes
  }

  /// The kinds of values as numbers in the head of an entry.
  public enum Kind {
    /// Null.
    @inlinable public static var null: UInt16 { 0 }
    /// True. False is the preceding number.
    @inlinable public static var `true`: UInt16 { 2 }
    /// A number.
    @inlinable public static var number: UInt16 { 3 }
    /// A string or the key of a member.
    @inlinable public static var string: UInt16 { 4 }
    /// An array.
    @inlinable public static var array: UInt16 { 5 }
    /// An object.
    @inlinable public static var object: UInt16 { 6 }
  }

  @usableFromInline static var longGap: UInt16 { 31 << 7 }

  /// Marks a string with escapes, or a nonempty array or object.
  @usableFromInline static var mark: UInt16 { 1 << 15 }

  @inlinable @inline(__always)
  func head(_ place: TapePosition) -> UInt16 { units[Int(place.unit)] }

  @inlinable @inline(__always)
  static func isLong(_ head: UInt16) -> Bool { head & longGap == longGap }

  @inlinable @inline(__always)
  static func kind(_ head: UInt16) -> UInt16 { head >> 12 & 7 }

  /// Returns a 32-bit number in an entry. In a long entry, unit 1 has the gap, unit 3 the length or size, and unit 5 an
  /// object's text length. In a short object, unit 2 has the text length.
  @inlinable @inline(__always)
  func wide(_ place: TapePosition, _ unit: Int) -> Int {
    let first = Int(place.unit) + unit
    return Int(units[first]) | Int(units[first + 1]) << 16
  }

  /// Reads the kind of a value, as one of the numbers in `Kind`.
  @inlinable @inline(__always)
  public func kind(_ place: TapePosition) -> UInt16 { Self.kind(head(place)) }

  /// The kind of a value.
  @inlinable @inline(__always)
  public func valueKind(_ place: TapePosition) -> JSONValue.Kind {
    switch kind(place) {
    case Kind.null: .null
    case Kind.number: .number
    case Kind.string: .string
    case Kind.array: .array
    case Kind.object: .object
    default: .bool
    }
  }

  /// Whether a string contains escapes.
  @inlinable @inline(__always)
  public func hasEscape(_ place: TapePosition) -> Bool { head(place) >= Self.mark }

  /// Finds the offset of an entry in the text.
  @inlinable @inline(__always)
  func offset(_ place: TapePosition) -> Int {
    let head = head(place)
    return Int(place.offset) &+ (Self.isLong(head) ? wide(place, 1) : Int(head >> 7 & 31))
  }

  /// Points to the first byte of a value's text; for a string, to the byte after its opening quote.
  @inlinable @inline(__always)
  public func start(_ place: TapePosition) -> UnsafePointer<UInt8> { text + offset(place) }

  /// Measures a scalar's text in bytes, without the quotes of a string.
  @inlinable @inline(__always)
  public func length(_ place: TapePosition) -> Int {
    let head = head(place)
    return Self.isLong(head) ? wide(place, 3) : Int(head & 127)
  }

  /// Reads a scalar's text as in the source; a string without its quotes but with its escapes.
  @inlinable @inline(__always)
  public func raw(_ place: TapePosition) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: start(place), count: length(place))
  }

  /// Skips a value with its elements or members.
  @inlinable @inline(__always)
  public func next(_ place: TapePosition) -> TapePosition {
    let head = head(place)
    if Self.isLong(head) { return distantNext(place) }
    guard head < Self.mark else {
      guard Self.kind(head) == Kind.object else { return distantNext(place) }
      return TapePosition(unit: end(place), offset: Int(place.offset) &+ Int(head >> 7 & 31) &+ wide(place, 2))
    }
    return TapePosition(
      unit: Int(place.unit) &+ 1, offset: Int(place.offset) &+ Int(head >> 7 & 31) &+ Int(head & 127))
  }

  /// Enters a container, at its first element or first key.
  @inlinable @inline(__always)
  public func inside(_ container: TapePosition) -> TapePosition {
    let head = head(container)
    let hasContent = head >= Self.mark
    let forText = hasContent && Self.kind(head) == Kind.object ? 2 : 0
    if Self.isLong(head) {
      return TapePosition(
        unit: Int(container.unit) &+ 5 &+ forText, offset: Int(container.offset) &+ wide(container, 1) &+ 1)
    }
    return TapePosition(
      unit: Int(container.unit) &+ (hasContent ? 2 : 1) &+ forText,
      offset: Int(container.offset) &+ Int(head >> 7 & 31) &+ 1)
  }

  /// Returns the unit after an array or object. All positions inside are smaller.
  @inlinable @inline(__always)
  public func end(_ container: TapePosition) -> Int {
    let head = head(container)
    let unit = Int(container.unit)
    if head >= Self.mark, !Self.isLong(head) {
      let size = Int(head & 127) << 16 | Int(units[unit &+ 1])
      if size < 1 << 22 { return unit &+ size }
    }
    return distantEnd(container)
  }

  @usableFromInline
  func distantEnd(_ container: TapePosition) -> Int {
    let head = head(container)
    let unit = Int(container.unit)
    guard head >= Self.mark else { return unit + (Self.isLong(head) ? 5 : 1) }
    if Self.isLong(head) { return unit + wide(container, 3) }
    let size = Int(head & 127) << 16 | Int(units[unit + 1])
    guard size >= 1 << 22, let sizes else { return unit + size }
    return unit + Int(sizes[size - 1 << 22])
  }

  /// Skips a value whose end cannot be computed in one step: walks along the entries, from the nearest milestone if
  /// that is closer.
  @usableFromInline
  func distantNext(_ place: TapePosition) -> TapePosition {
    guard head(place) >= Self.mark, kind(place) == Kind.array else { return step(place) }
    let end = end(place)
    var walk = inside(place)
    let milestone = Int(APUS_JSON_MILESTONE)
    if end - Int(place.unit) > milestone, let milestones { walk = milestones[end / milestone - 1] }
    while walk.isBefore(end) { walk = step(walk) }
    return walk
  }

  /// Moves to the next entry, entering arrays and skipping objects.
  private func step(_ place: TapePosition) -> TapePosition {
    let head = head(place)
    if head >= Self.mark {
      if Self.kind(head) == Kind.array { return inside(place) }
      if Self.kind(head) == Kind.object {
        return TapePosition(unit: end(place), offset: offset(place) + wide(place, Self.isLong(head) ? 5 : 2))
      }
    }
    if Self.isLong(head) {
      return TapePosition(
        unit: Int(place.unit) + 5, offset: Int(place.offset) + wide(place, 1) + wide(place, 3))
    }
    return TapePosition(unit: Int(place.unit) + 1, offset: Int(place.offset) + Int(head >> 7 & 31) + Int(head & 127))
  }

  /// Compares two byte sequences. Optimized for short ones, which are most common.
  @inlinable @inline(__always)
  public static func areEqual(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, count: Int) -> Bool {
    let (left, right) = (UnsafeRawPointer(left), UnsafeRawPointer(right))
    if count >= 8 {
      guard load64(left, 0) == load64(right, 0) else { return false }
      if count <= 16 { return load64(left, count - 8) == load64(right, count - 8) }
      return memcmp(left, right, count) == 0
    }
    if count >= 4 { return load32(left, 0) == load32(right, 0) && load32(left, count - 4) == load32(right, count - 4) }
    for index in 0..<count
    where left.load(fromByteOffset: index, as: UInt8.self) != right.load(fromByteOffset: index, as: UInt8.self) {
      return false
    }
    return true
  }

  @inlinable @inline(__always)
  static func load64(_ bytes: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  @inlinable @inline(__always)
  static func load32(_ bytes: UnsafeRawPointer, _ offset: Int) -> UInt32 {
    bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
  }
}
