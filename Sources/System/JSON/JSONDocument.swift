import CSimdjson
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// One JSON text and the tape of positions in it. Immutable; its values are views on it.
package final class JSONDocument: Sendable {
  private let source: [UInt8]
  // `bytes` is where `source` stores its elements: they stay there for as long as the array lives, which is as long as
  // this object, and nobody changes them (it is a `let`, and arrays of numbers are never bridged). The tape is written
  // before anyone else can hold this object, only read after that, and freed in `deinit`: no access can race.
  private nonisolated(unsafe) let bytes: UnsafePointer<UInt8>
  nonisolated(unsafe) let tape: UnsafeMutablePointer<UInt64>
  let tapeCount: Int
  private let indexes = Mutex(ContainerIndexes())

  /// How many bytes the text has.
  package var byteCount: Int { source.count }

  /// It is no part of the text (RFC 8259, section 8.1, lets a parser ignore it).
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// How deep arrays and objects may nest in one another.
  package static let defaultMaximumDepth = 1024

  /// Parses a whole JSON text (RFC 8259), in UTF-8, with or without white space around it. The bytes are kept.
  package convenience init(
    parsing bytes: [UInt8], maximumDepth: Int = defaultMaximumDepth
  ) throws(JSONSyntaxError) {
    let source = bytes.starts(with: Self.byteOrderMark) ? Array(bytes.dropFirst(3)) : bytes
    try self.init(source, maximumDepth) { apus_json_parse($0.baseAddress, $0.count, UInt32(maximumDepth), $1, $2) }
  }

  /// Lets `parse` make the tape of a text without a byte order mark.
  init(
    _ source: [UInt8], _ maximumDepth: Int,
    by parse: (UnsafeBufferPointer<UInt8>, UnsafeMutablePointer<apus_json_tape>, UnsafeMutablePointer<Int>) -> Int32
  ) throws(JSONSyntaxError) {
    var result = apus_json_tape(words: nil, count: 0)
    var offset = 0
    let (code, base) = source.withUnsafeBufferPointer { (parse($0, &result, &offset), $0.baseAddress) }
    guard code == APUS_JSON_OK, let words = result.words, let base else {
      throw JSONSyntaxError(code: code, offset: offset, in: source, depth: maximumDepth)
    }
    self.source = source
    self.bytes = base
    tape = words
    tapeCount = result.count
  }

  package convenience init(parsing bytes: ArraySlice<UInt8>) throws(JSONSyntaxError) {
    try self.init(parsing: Array(bytes))
  }

  package convenience init(parsing text: String) throws(JSONSyntaxError) {
    try self.init(parsing: Array(text.utf8))
  }

  deinit { free(tape) }

  /// The text's one value.
  package var root: JSONValue { value(at: 0) }

  /// The tape's words, laid out as CSimdjson.h says, and the text that they point into, for code that walks them itself;
  /// valid while the document is held.
  package var words: UnsafePointer<UInt64> { UnsafePointer(tape) }
  package var textBytes: UnsafePointer<UInt8> { bytes }

  /// The text as it came; valid while the document is held.
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

  /// The value that the tape has at an index.
  package func value(at index: Int) -> JSONValue { JSONValue(storage: .tape(self, index)) }

  /// The member named `key` of the object at `index`. Of several, the last one counts.
  func member(_ key: UnsafeBufferPointer<UInt8>, ofObjectAt index: Int) -> Member? {
    let count = count(at: index)
    if count >= Self.largeObject { return indexedMember(key, ofObjectAt: index) }
    var place = index + 2
    var found: Member?
    for position in 0..<count {
      // Most keys differ in their length, which the word tells: their bytes are not looked at.
      let word = tape[place]
      let isPlain = word >> 59 & 1 == 0
      let length = Int(truncatingIfNeeded: word >> 32) & Self.lengthLimit
      let isEqual = (!isPlain || length == min(key.count, Self.lengthLimit)) && string(at: place, equals: key)
      let value = length < Self.lengthLimit ? place + 1 : place + 2
      if isEqual { found = Member(position: position, value: value) }
      place = next(after: value)
    }
    return found
  }
}

// Random access to large containers: what it takes is worked out once, when it is first wanted.
extension JSONDocument {
  /// A member of an object: which one it is, from 0, and where its value stands on the tape.
  struct Member: Sendable {
    var position: Int
    var value: Int
  }

  struct ContainerIndexes: Sendable {
    /// The place of every sixteenth element (of an object: member's key), by container.
    var places: [Int: [UInt32]] = [:]
    /// The members by key, by object.
    var members: [Int: [JSONKey: Member]] = [:]
  }

  private static let stride = 16
  fileprivate static let largeObject = 64

  /// Where the element (of an object: the member's key) number `position` of the container at `index` stands.
  func place(of position: Int, in container: Int) -> Int {
    let isObject = kind(at: container) == .object
    func following(_ place: Int) -> Int { isObject ? next(after: next(after: place)) : next(after: place) }
    var place = container + 2
    var steps = position
    if position >= 2 * Self.stride {
      place = indexes.withLock { indexes in
        if let known = indexes.places[container] { return Int(known[position / Self.stride]) }
        let count = count(at: container)
        var places: [UInt32] = []
        places.reserveCapacity(count / Self.stride + 1)
        var place = container + 2
        for number in 0..<count {
          if number % Self.stride == 0 { places.append(UInt32(truncatingIfNeeded: place)) }
          place = following(place)
        }
        indexes.places[container] = places
        return Int(places[position / Self.stride])
      }
      steps = position % Self.stride
    }
    for _ in 0..<steps { place = following(place) }
    return place
  }

  private func indexedMember(_ key: UnsafeBufferPointer<UInt8>, ofObjectAt object: Int) -> Member? {
    let key = JSONKey(key)
    return indexes.withLock { indexes -> Member? in
      if let known = indexes.members[object] { return known[key] }
      let count = count(at: object)
      var members: [JSONKey: Member] = [:]
      members.reserveCapacity(count)
      var place = object + 2
      for position in 0..<count {
        let value = next(after: place)
        members[JSONKey(string(at: place))] = Member(position: position, value: value)
        place = next(after: value)
      }
      indexes.members[object] = members
      return members[key]
    }
  }
}
