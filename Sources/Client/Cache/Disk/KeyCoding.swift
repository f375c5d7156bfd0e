import ApusASCII
import ApusClientRecords

/// The encoding of cache keys in a file. A key's text is followed by the path components of an embedded record, each
/// preceded by a unit separator. Unlike the displayed text, it can be decoded without ambiguity: the text `Bird:b42.range`
/// is the field `range` embedded in `Bird:b42`, or a bird whose id is `b42.range`.
///
///     Bird:b42                          Bird:b42
///     Bird:b42.range.0                  Bird:b42 US range US 0
///     a key with US in its own text     … US SOH …
enum KeyCoding {
  private static let separator: UInt8 = 0x1F
  /// The byte after a separator that belongs to the key's own text.
  private static let literal: UInt8 = 0x01
  /// The maximum number of path components in a key. More than twice the depth of any response path.
  static let maximumDepth = 2048

  static func append(_ record: RecordID, of storage: StoredRecords, to bytes: ByteBuffer) {
    var components: [KeyComponent] = []
    let base = storage.base(of: record) { components.append($0) }
    storage.withKey(of: base) { text in
      guard text.contains(separator) else { return bytes.append(text) }
      for byte in text {
        bytes.append(byte)
        if byte == separator { bytes.append(literal) }
      }
    }
    for component in components.reversed() {
      bytes.append(separator)
      var text = storage.text(of: component)
      text.withUTF8 { bytes.append($0) }
    }
  }

  /// Splits a key into its text and its path components.
  private static func parts(_ bytes: UnsafeBufferPointer<UInt8>) -> (base: [UInt8], components: [Substring]) {
    guard bytes.contains(separator) else { return (Array(bytes), []) }
    var base: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == separator {
        guard index + 1 < bytes.count, bytes[index + 1] == literal else { break }
        base.append(separator)
        index += 2
      } else {
        base.append(bytes[index])
        index += 1
      }
    }
    guard index < bytes.count else { return (base, []) }
    let rest = String(decoding: bytes[(index + 1)...], as: UTF8.self)
    return (base, rest.split(separator: "\u{1F}", omittingEmptySubsequences: false))
  }

  /// Interns a key that was read from a file. A path that is too deep is damage: each component would add a record.
  static func intern(checking bytes: UnsafeBufferPointer<UInt8>, in storage: inout StoredRecords) throws -> RecordID {
    var depth = 0
    for byte in bytes where byte == separator { depth += 1 }
    guard depth <= maximumDepth else { throw RecordCoding.CorruptionError() }
    return intern(bytes, in: &storage)
  }

  /// Interns a key of this process, whose depth is that of a response.
  static func intern(_ bytes: UnsafeBufferPointer<UInt8>, in storage: inout StoredRecords) -> RecordID {
    guard bytes.contains(separator) else { return storage.record(bytes) }
    let (base, components) = parts(bytes)
    return components.reduce(base.withUnsafeBufferPointer { storage.record($0) }) { record, component in
      guard let index = index(component) else {
        return storage.record(in: record, at: .field(storage.fieldNames.intern(String(component))))
      }
      return storage.record(in: record, at: .index(index))
    }
  }

  static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    let (base, components) = parts(bytes)
    return components.reduce(base.withUnsafeBytes { KeyHash.of($0) }) { hash, component in
      KeyHash.combine(hash, index(component).map(KeyHash.ofIndex) ?? KeyHash.of(String(component)))
    }
  }

  /// Returns the key's displayed text.
  static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    let (base, components) = parts(bytes)
    return ([Substring(decoding: base, as: UTF8.self)] + components).joined(separator: ".")
  }

  /// Parses an index. Names never begin with a digit, so a component is one or the other.
  private static func index(_ component: Substring) -> UInt32? {
    guard let first = component.utf8.first, first >= 0x30, first <= 0x39 else { return nil }
    return UInt32(component).flatMap { $0 <= KeyComponent.maximumIndex ? $0 : nil }
  }

  /// Lists the keys that a displayed text can refer to: the text itself, and a path that starts at any of its dots. For
  /// `Bird:b42.range` these are a bird with that id, and the field of the bird `b42`.
  static func candidates(_ text: String) -> [[UInt8]] {
    let bytes = Array(text.utf8)
    var found = [escaped(bytes[...])]
    for dot in bytes.indices where bytes[dot] == UInt8(ascii: ".") && dot > 0 {
      guard let components = components(bytes[(dot + 1)...]) else { continue }
      found.append(components.reduce(escaped(bytes[..<dot])) { $0 + [separator] + $1 })
    }
    return found
  }

  private static func escaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    bytes.flatMap { $0 == separator ? [separator, literal] : [$0] }
  }

  /// Returns the components of a path such as `birds({"after":"a.b"}).edges.0`, or `nil` if it is not a path.
  private static func components(_ bytes: ArraySlice<UInt8>) -> [[UInt8]]? {
    var found: [[UInt8]] = []
    var start = bytes.startIndex
    var index = start
    while index <= bytes.endIndex {
      guard index < bytes.endIndex else {
        guard index > start else { return nil }
        found.append(Array(bytes[start...]))
        return found
      }
      switch bytes[index] {
      case UInt8(ascii: "."):
        guard index > start else { return nil }
        found.append(Array(bytes[start..<index]))
        start = index + 1
        index = start
      case UInt8(ascii: "("):
        guard index > start, let end = endOfArguments(bytes, index) else { return nil }
        index = end
      case let byte where byte.isNameByte: index += 1
      default: return nil
      }
    }
    return nil
  }

  /// Returns the index after the parenthesis that closes the arguments opened at `start`.
  private static func endOfArguments(_ bytes: ArraySlice<UInt8>, _ start: Int) -> Int? {
    var index = start + 1
    var isInString = false
    while index < bytes.endIndex {
      switch bytes[index] {
      case UInt8(ascii: "\\") where isInString: index += 1
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: ")") where !isInString:
        let next = index + 1
        return next == bytes.endIndex || bytes[next] == UInt8(ascii: ".") ? next : nil
      default: break
      }
      index += 1
    }
    return nil
  }
}
