import CSimdjson

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// One JSON text and the tape of positions in it. Immutable; its values are views on it.
package final class JSONDocument: Sendable {
  // Both buffers are written in `init`, before anyone else can hold this object, are only read after that, and are
  // freed in `deinit`, when nobody holds it: no access can race.
  private nonisolated(unsafe) let bytes: UnsafeMutablePointer<UInt8>
  nonisolated(unsafe) let tape: UnsafeMutablePointer<UInt64>
  let tapeCount: Int

  /// How many bytes the text has.
  package let byteCount: Int

  /// How deep arrays and objects may nest in one another.
  package static let defaultMaximumDepth = 1024

  /// Parses a whole JSON text (RFC 8259), in UTF-8, with or without white space around it.
  package convenience init(
    parsing bytes: [UInt8], maximumDepth: Int = defaultMaximumDepth
  ) throws(JSONSyntaxError) {
    try self.init(bytes[...], maximumDepth: maximumDepth)
  }

  package convenience init(parsing bytes: ArraySlice<UInt8>) throws(JSONSyntaxError) {
    try self.init(bytes, maximumDepth: Self.defaultMaximumDepth)
  }

  package convenience init(parsing text: String) throws(JSONSyntaxError) {
    try self.init(Array(text.utf8)[...], maximumDepth: Self.defaultMaximumDepth)
  }

  private init(_ slice: ArraySlice<UInt8>, maximumDepth: Int) throws(JSONSyntaxError) {
    // A byte order mark is no part of the text (RFC 8259, section 8.1, lets a parser ignore it).
    let slice = slice.starts(with: [0xEF, 0xBB, 0xBF]) ? slice.dropFirst(3) : slice
    byteCount = slice.count
    bytes = .allocate(capacity: slice.count + 1)
    _ = UnsafeMutableBufferPointer(start: bytes, count: slice.count).initialize(from: slice)
    var result = apus_json_tape(words: nil, count: 0)
    var offset = 0
    let code = apus_json_parse(bytes, byteCount, UInt32(maximumDepth), &result, &offset)
    guard code == APUS_JSON_OK, let words = result.words else {
      let error = JSONSyntaxError(
        code: code, offset: offset, in: UnsafeBufferPointer(start: bytes, count: slice.count), depth: maximumDepth)
      bytes.deallocate()
      throw error
    }
    tape = words
    tapeCount = result.count
  }

  deinit {
    bytes.deallocate()
    free(tape)
  }

  /// The text's one value.
  package var root: JSONValue { value(at: 0) }

  /// The text as it came.
  package var text: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: byteCount) }
}

// What a tape's words say; CSimdjson.h has their layout.
extension JSONDocument {
  private static let lengthLimit = (1 << 27) - 1

  func kind(at index: Int) -> JSONValue.Kind {
    switch Int(tape[index] >> 60) {
    case Int(APUS_JSON_FALSE), Int(APUS_JSON_TRUE): .bool
    case Int(APUS_JSON_NUMBER): .number
    case Int(APUS_JSON_STRING): .string
    case Int(APUS_JSON_ARRAY): .array
    case Int(APUS_JSON_OBJECT): .object
    default: .null
    }
  }

  func isTrue(at index: Int) -> Bool { Int(tape[index] >> 60) == Int(APUS_JSON_TRUE) }

  private func shortLength(at index: Int) -> Int { Int(tape[index] >> 32) & Self.lengthLimit }

  /// The index behind the value at `index`.
  func next(after index: Int) -> Int {
    let word = tape[index]
    if Int(word >> 60) >= Int(APUS_JSON_ARRAY) { return Int(tape[index + 1]) }
    return index + (shortLength(at: index) == Self.lengthLimit ? 2 : 1)
  }

  /// How many elements or members the container at `index` has.
  func count(at index: Int) -> Int {
    let short = shortLength(at: index)
    if short < Self.lengthLimit { return short }
    var count = 0
    var position = index + 2
    let end = Int(tape[index + 1])
    while position < end {
      position = next(after: position)
      count += 1
    }
    return kind(at: index) == .object ? count / 2 : count
  }

  /// The bytes of the scalar at `index` as they stand in the text; a string's without its quotes.
  func rawBytes(at index: Int) -> UnsafeBufferPointer<UInt8> {
    let word = tape[index]
    let short = shortLength(at: index)
    let length = short < Self.lengthLimit ? short : Int(tape[index + 1])
    return UnsafeBufferPointer(start: bytes + Int(word & 0xFFFF_FFFF), count: length)
  }

  /// How many bytes of the text the container at `index` takes, but for what closes it.
  func span(at index: Int) -> Int {
    let start = Int(tape[index] & 0xFFFF_FFFF)
    let end = next(after: index)
    return (end < tapeCount ? Int(tape[end] & 0xFFFF_FFFF) : byteCount) - start
  }

  func hasEscape(at index: Int) -> Bool { tape[index] >> 59 & 1 == 1 }

  func string(at index: Int) -> String {
    let raw = rawBytes(at: index)
    return hasEscape(at: index) ? JSONStringDecoder.decode(raw) : String(decoding: raw, as: UTF8.self)
  }

  /// Whether the string at `index` is `key`, without building it.
  func string(at index: Int, equals key: UnsafeBufferPointer<UInt8>) -> Bool {
    if hasEscape(at: index) { return JSONStringDecoder.decode(rawBytes(at: index)).utf8.elementsEqual(key) }
    let raw = rawBytes(at: index)
    guard raw.count == key.count else { return false }
    guard let left = raw.baseAddress, let right = key.baseAddress else { return true }
    return memcmp(left, right, raw.count) == 0
  }

  func value(at index: Int) -> JSONValue { JSONValue(storage: .tape(self, index)) }

  /// The index of the value of the member named `key` of the object at `index`. Of several, the last one counts.
  func member(_ key: UnsafeBufferPointer<UInt8>, ofObjectAt index: Int) -> Int? {
    var position = index + 2
    let end = Int(tape[index + 1])
    var found: Int?
    while position < end {
      let value = next(after: position)
      if string(at: position, equals: key) { found = value }
      position = next(after: value)
    }
    return found
  }
}
