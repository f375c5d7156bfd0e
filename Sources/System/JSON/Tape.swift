#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A document's tape and text as bare memory, for the walk over a whole response.
///
/// It does not hold the document: whoever walks does. Only this package can make one; it is public so that what it does is
/// compiled into the walks of other modules, which run once for every value of a response.
public struct Tape: BitwiseCopyable {
  public let words: UnsafePointer<UInt64>
  public let text: UnsafePointer<UInt8>

  @inlinable static var lengthLimit: Int { (1 << 27) - 1 }

  package init(_ document: JSONDocument) {
    words = document.words
    text = document.textBytes
  }

  public enum Kind {
    @inlinable public static var null: UInt64 { 0 }
    @inlinable public static var number: UInt64 { 3 }
    @inlinable public static var string: UInt64 { 4 }
    @inlinable public static var array: UInt64 { 5 }
    @inlinable public static var object: UInt64 { 6 }
  }

  @inlinable @inline(__always)
  public func kind(_ index: Int) -> UInt64 { words[index] >> 60 }

  @inlinable @inline(__always)
  public func hasEscape(_ index: Int) -> Bool { words[index] >> 59 & 1 == 1 }

  @inlinable @inline(__always)
  public func start(_ index: Int) -> UnsafePointer<UInt8> { text + Int(words[index] & 0xFFFF_FFFF) }

  /// Of a scalar: the bytes of its text, a string's without its quotes.
  @inlinable @inline(__always)
  public func length(_ index: Int) -> Int {
    let short = Int(truncatingIfNeeded: words[index] >> 32) & Self.lengthLimit
    return short < Self.lengthLimit ? short : Int(words[index + 1])
  }

  @inlinable @inline(__always)
  public func raw(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: start(index), count: length(index))
  }

  /// The index behind a value.
  @inlinable @inline(__always)
  public func next(_ index: Int) -> Int {
    let word = words[index]
    if word >> 60 >= Kind.array { return Int(words[index + 1]) }
    return index + (Int(truncatingIfNeeded: word >> 32) & Self.lengthLimit == Self.lengthLimit ? 2 : 1)
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
