import ApusPlatform
import CApusSimdjson

/// Where a value is on a tape: its entry's first unit, and where in the text the entry before it ended.
public struct TapePlace: BitwiseCopyable, Sendable, Equatable {
  @usableFromInline let unit: UInt32
  @usableFromInline let offset: UInt32

  @inlinable @inline(__always)
  init(unit: Int, offset: Int) {
    self.unit = UInt32(truncatingIfNeeded: unit)
    self.offset = UInt32(truncatingIfNeeded: offset)
  }

  /// Of the text's one value.
  @inlinable public static var root: TapePlace { TapePlace(unit: 0, offset: 0) }

  /// Whether the place is before what is returned by `Tape.end`.
  @inlinable @inline(__always)
  public func isBefore(_ end: Int) -> Bool { Int(unit) < end }
}

/// A document's tape and text as bare memory, for the walk over a whole response; CApusSimdjson.h has the layout.
///
/// It does not hold the document: whoever walks does. Only this package can make one; it is public so that what it does is
/// compiled into the walks of other modules, which run once for every value of a response.
public struct Tape: BitwiseCopyable {
  @usableFromInline let units: UnsafePointer<UInt16>
  @usableFromInline let text: UnsafePointer<UInt8>
  @usableFromInline let milestones: UnsafePointer<TapePlace>?
  @usableFromInline let sizes: UnsafePointer<UInt32>?

  package init(_ document: JSONDocument) { self = document.tape }

  init(
    units: UnsafePointer<UInt16>, text: UnsafePointer<UInt8>, milestones: UnsafePointer<TapePlace>?,
    sizes: UnsafePointer<UInt32>?
  ) {
    self.units = units
    self.text = text
    self.milestones = milestones
    self.sizes = sizes
  }

  /// The numbers that stand for the kinds of values in an entry's head.
  public enum Kind {
    /// Null.
    @inlinable public static var null: UInt16 { 0 }
    /// True; false has the number before it.
    @inlinable public static var `true`: UInt16 { 2 }
    /// A number.
    @inlinable public static var number: UInt16 { 3 }
    /// A string, or a member's key.
    @inlinable public static var string: UInt16 { 4 }
    /// An array.
    @inlinable public static var array: UInt16 { 5 }
    /// An object.
    @inlinable public static var object: UInt16 { 6 }
  }

  @usableFromInline static var longGap: UInt16 { 31 << 7 }

  /// What stands only in the head of an entry of a string with escapes, or of an array or object with something in it.
  @usableFromInline static var mark: UInt16 { 1 << 15 }

  @inlinable @inline(__always)
  func head(_ place: TapePlace) -> UInt16 { units[Int(place.unit)] }

  @inlinable @inline(__always)
  static func isLong(_ head: UInt16) -> Bool { head & longGap == longGap }

  @inlinable @inline(__always)
  static func kind(_ head: UInt16) -> UInt16 { head >> 12 & 7 }

  /// Of a long entry: its gap (1), its length or its size (3), of an object its text (5). Of a short object its text (2).
  @inlinable @inline(__always)
  func wide(_ place: TapePlace, _ unit: Int) -> Int {
    let first = Int(place.unit) + unit
    return Int(units[first]) | Int(units[first + 1]) << 16
  }

  /// The kind of the value at a place, one of the numbers of `Kind`.
  @inlinable @inline(__always)
  public func kind(_ place: TapePlace) -> UInt16 { Self.kind(head(place)) }

  /// Of a string.
  @inlinable @inline(__always)
  public func hasEscape(_ place: TapePlace) -> Bool { head(place) >= Self.mark }

  /// Where the text of an entry begins, in the whole text.
  @inlinable @inline(__always)
  func offset(_ place: TapePlace) -> Int {
    let head = head(place)
    return Int(place.offset) &+ (Self.isLong(head) ? wide(place, 1) : Int(head >> 7 & 31))
  }

  /// The first byte of a value's text; of a string the one behind its quote.
  @inlinable @inline(__always)
  public func start(_ place: TapePlace) -> UnsafePointer<UInt8> { text + offset(place) }

  /// Of a scalar: the bytes of its text, a string's without its quotes.
  @inlinable @inline(__always)
  public func length(_ place: TapePlace) -> Int {
    let head = head(place)
    return Self.isLong(head) ? wide(place, 3) : Int(head & 127)
  }

  /// The bytes of a scalar's text as they were parsed; of a string without its quotes, escapes and all.
  @inlinable @inline(__always)
  public func raw(_ place: TapePlace) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: start(place), count: length(place))
  }

  /// The place behind a value, of an array or object behind all that is in it.
  @inlinable @inline(__always)
  public func next(_ place: TapePlace) -> TapePlace {
    let head = head(place)
    if Self.isLong(head) { return distantNext(place) }
    guard head < Self.mark else {
      guard Self.kind(head) == Kind.object else { return distantNext(place) }
      return TapePlace(unit: end(place), offset: Int(place.offset) &+ Int(head >> 7 & 31) &+ wide(place, 2))
    }
    return TapePlace(
      unit: Int(place.unit) &+ 1, offset: Int(place.offset) &+ Int(head >> 7 & 31) &+ Int(head & 127))
  }

  /// The place of the first element, or the first member's key, of an array or object.
  @inlinable @inline(__always)
  public func inside(_ container: TapePlace) -> TapePlace {
    let head = head(container)
    let hasContent = head >= Self.mark
    let forText = hasContent && Self.kind(head) == Kind.object ? 2 : 0
    if Self.isLong(head) {
      return TapePlace(
        unit: Int(container.unit) &+ 5 &+ forText, offset: Int(container.offset) &+ wide(container, 1) &+ 1)
    }
    return TapePlace(
      unit: Int(container.unit) &+ (hasContent ? 2 : 1) &+ forText,
      offset: Int(container.offset) &+ Int(head >> 7 & 31) &+ 1)
  }

  /// The unit behind an array or object; a place within is before it.
  @inlinable @inline(__always)
  public func end(_ container: TapePlace) -> Int {
    let head = head(container)
    let unit = Int(container.unit)
    if head >= Self.mark, !Self.isLong(head) {
      let size = Int(head & 127) << 16 | Int(units[unit &+ 1])
      if size < 1 << 22 { return unit &+ size }
    }
    return distantEnd(container)
  }

  @usableFromInline
  func distantEnd(_ container: TapePlace) -> Int {
    let head = head(container)
    let unit = Int(container.unit)
    guard head >= Self.mark else { return unit + (Self.isLong(head) ? 5 : 1) }
    if Self.isLong(head) { return unit + wide(container, 3) }
    let size = Int(head & 127) << 16 | Int(units[unit + 1])
    guard size >= 1 << 22, let sizes else { return unit + size }
    return unit + Int(sizes[size - 1 << 22])
  }

  /// Of what is not found in one step: walks over the entries, from the nearest milestone if that is nearer.
  @usableFromInline
  func distantNext(_ place: TapePlace) -> TapePlace {
    guard head(place) >= Self.mark, kind(place) == Kind.array else { return step(place) }
    let end = end(place)
    var walk = inside(place)
    let milestone = Int(APUS_JSON_MILESTONE)
    if end - Int(place.unit) > milestone, let milestones { walk = milestones[end / milestone - 1] }
    while walk.isBefore(end) { walk = step(walk) }
    return walk
  }

  /// The next entry, which may be within an array; an object is passed over.
  private func step(_ place: TapePlace) -> TapePlace {
    let head = head(place)
    if head >= Self.mark {
      if Self.kind(head) == Kind.array { return inside(place) }
      if Self.kind(head) == Kind.object {
        return TapePlace(unit: end(place), offset: offset(place) + wide(place, Self.isLong(head) ? 5 : 2))
      }
    }
    if Self.isLong(head) {
      return TapePlace(
        unit: Int(place.unit) + 5, offset: Int(place.offset) + wide(place, 1) + wide(place, 3))
    }
    return TapePlace(unit: Int(place.unit) + 1, offset: Int(place.offset) + Int(head >> 7 & 31) + Int(head & 127))
  }

  /// Whether two runs of bytes are the same; most that are compared here are short.
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
