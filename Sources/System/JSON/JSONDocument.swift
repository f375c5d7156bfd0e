import CApusSimdjson
import Synchronization

/// A parsed JSON text: its bytes and an index of the values in them (the tape). Immutable; values are views on it.
package final class JSONDocument: Sendable {
  private let source: [UInt8]
  // The tape points into the storage of `source`, which lives as long as this object and is never mutated (it is a
  // `let`, and arrays of integers are never bridged). The memory of the tape is written before another thread can hold
  // this object, only read after that, and freed in `deinit`, so no accesses can race.
  nonisolated(unsafe) let tape: Tape
  private nonisolated(unsafe) var memory: apus_json_tape
  private let indexes = Mutex(ContainerIndexes())

  /// The size of the text, in bytes.
  package var byteCount: Int { source.count }
  /// The number of nonempty objects in the document.
  package var objectCount: Int { memory.object_count }

  /// Parsers may ignore the UTF-8 byte order mark (RFC 8259, section 8.1).
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The default limit on how deeply arrays and objects may nest.
  package static let defaultMaximumDepth = 1024

  /// Parses a UTF-8 JSON text (RFC 8259), which may be surrounded by white space, and keeps its bytes.
  package convenience init(
    parsing bytes: [UInt8], maximumDepth: Int = defaultMaximumDepth
  ) throws(JSONSyntaxError) {
    let source = bytes.starts(with: Self.byteOrderMark) ? Array(bytes.dropFirst(3)) : bytes
    try self.init(source, maximumDepth) { apus_json_parse($0.baseAddress, $0.count, UInt32(maximumDepth), $1, $2) }
  }

  /// Creates a document from the tape that `parse` builds for a text without a byte order mark.
  init(
    _ source: [UInt8], _ maximumDepth: Int,
    by parse: (UnsafeBufferPointer<UInt8>, UnsafeMutablePointer<apus_json_tape>, UnsafeMutablePointer<Int>) -> Int32
  ) throws(JSONSyntaxError) {
    var result = apus_json_tape()
    var offset = 0
    let (code, base) = source.withUnsafeBufferPointer { (parse($0, &result, &offset), $0.baseAddress) }
    guard code == APUS_JSON_OK, let units = result.units, let base else {
      throw JSONSyntaxError(code: code, offset: offset, in: source, depth: maximumDepth)
    }
    self.source = source
    memory = result
    tape = Tape(
      units: units, text: base,
      milestones: result.milestones.map {
        UnsafeRawPointer($0).bindMemory(to: TapePosition.self, capacity: result.milestone_count)
      },
      sizes: UnsafePointer(result.sizes))
  }

  package convenience init(parsing bytes: ArraySlice<UInt8>) throws(JSONSyntaxError) {
    try self.init(parsing: Array(bytes))
  }

  package convenience init(parsing text: String) throws(JSONSyntaxError) {
    try self.init(parsing: Array(text.utf8))
  }

  deinit { apus_json_tape_free(&memory) }

  package var root: JSONValue { value(at: .root) }

  /// The units of the tape. Valid only while the document is alive.
  var units: UnsafeBufferPointer<UInt16> { UnsafeBufferPointer(start: memory.units, count: memory.count) }

  /// The memory that the document uses in addition to its text.
  package var tapeByteCount: Int {
    memory.count * MemoryLayout<UInt16>.stride + memory.milestone_count * MemoryLayout<TapePosition>.stride
  }
}

// Access to the value at a tape position.
extension JSONDocument {
  func kind(at place: TapePosition) -> JSONValue.Kind { tape.valueKind(place) }

  func isTrue(at place: TapePosition) -> Bool { tape.kind(place) == Tape.Kind.true }

  /// Counts the elements or members of a container.
  func count(at container: TapePosition) -> Int {
    // Walking a large container is expensive, so its count is remembered.
    guard tape.end(container) - Int(container.unit) > Self.largeSize else { return walkedCount(container) }
    if let count = indexes.withLock({ $0.counts[container.unit] }) { return count }
    let count = walkedCount(container)
    indexes.withLock { $0.counts[container.unit] = count }
    return count
  }

  private func walkedCount(_ container: TapePosition) -> Int {
    var count = 0
    var place = tape.inside(container)
    let end = tape.end(container)
    while place.isBefore(end) {
      place = tape.next(place)
      count += 1
    }
    return tape.kind(container) == Tape.Kind.object ? count / 2 : count
  }

  /// Measures a container in the text, in bytes, without its closing bracket.
  func span(at container: TapePosition) -> Int {
    Int(tape.next(container).offset) - tape.offset(container)
  }

  func string(at place: TapePosition) -> String {
    let raw = tape.raw(place)
    return tape.hasEscape(place) ? JSONStringDecoder.decode(raw) : String(decoding: raw, as: UTF8.self)
  }

  /// Compares the string at a position with `key`, without building a string.
  func string(at place: TapePosition, equals key: UnsafeBufferPointer<UInt8>) -> Bool {
    if tape.hasEscape(place) { return JSONStringDecoder.decode(tape.raw(place)).utf8.elementsEqual(key) }
    guard tape.length(place) == key.count else { return false }
    guard let bytes = key.baseAddress else { return true }
    return Tape.areEqual(tape.start(place), bytes, count: key.count)
  }

  package func value(at place: TapePosition) -> JSONValue { JSONValue(storage: .tape(self, place)) }

  /// Finds the member named `key` of an object; the last one if there are several.
  func member(_ key: UnsafeBufferPointer<UInt8>, ofObjectAt object: TapePosition) -> Member? {
    var place = tape.inside(object)
    let end = tape.end(object)
    var found: Member?
    var position = 0
    while place.isBefore(end) {
      if position == Self.largeObject { return indexedMember(key, ofObjectAt: object) }
      let value = tape.next(place)
      // The tape has the length of each key, so most keys are ruled out without reading their bytes.
      let mayBeEqual = tape.hasEscape(place) || tape.length(place) == key.count
      if mayBeEqual, string(at: place, equals: key) { found = Member(position: position, value: value) }
      place = tape.next(value)
      position += 1
    }
    return found
  }
}

// Random access to large containers, with indexes that are built on first use.
extension JSONDocument {
  /// A member of an object: its index, and the tape position of its value.
  struct Member: Sendable {
    var position: Int
    var value: TapePosition
  }

  /// Indexes of containers, keyed by the container's first unit.
  struct ContainerIndexes: Sendable {
    var counts: [UInt32: Int] = [:]
    /// The tape position of every sixteenth element (in an object, every sixteenth key).
    var places: [UInt32: [TapePosition]] = [:]
    var members: [UInt32: [JSONKey: Member]] = [:]
  }

  private static let stride = 16
  private static let largeObject = 64
  /// The size from which the count of a container is remembered, in tape units.
  private static let largeSize = 128

  /// Skips an element; in an object, a key and its value.
  private func following(_ place: TapePosition, isObject: Bool) -> TapePosition {
    isObject ? tape.next(tape.next(place)) : tape.next(place)
  }

  /// Returns the tape position of the element at an index, in an object that of the member's key; nil if there is none.
  func position(of position: Int, in container: TapePosition) -> TapePosition? {
    let isObject = tape.kind(container) == Tape.Kind.object
    let end = tape.end(container)
    var place = tape.inside(container)
    var steps = position
    if position >= 2 * Self.stride {
      let places = indexes.withLock { indexes in
        if let places = indexes.places[container.unit] { return places }
        let places = findPlaces(in: container, isObject: isObject)
        indexes.places[container.unit] = places
        return places
      }
      guard position / Self.stride < places.count else { return nil }
      place = places[position / Self.stride]
      steps = position % Self.stride
    }
    while steps > 0, place.isBefore(end) {
      place = following(place, isObject: isObject)
      steps -= 1
    }
    return place.isBefore(end) ? place : nil
  }

  private func findPlaces(in container: TapePosition, isObject: Bool) -> [TapePosition] {
    var places: [TapePosition] = []
    var place = tape.inside(container)
    let end = tape.end(container)
    var number = 0
    while place.isBefore(end) {
      if number % Self.stride == 0 { places.append(place) }
      place = following(place, isObject: isObject)
      number += 1
    }
    return places
  }

  private func indexedMember(_ key: UnsafeBufferPointer<UInt8>, ofObjectAt object: TapePosition) -> Member? {
    let key = JSONKey(key)
    return indexes.withLock { indexes -> Member? in
      if let members = indexes.members[object.unit] { return members[key] }
      var members: [JSONKey: Member] = [:]
      var place = tape.inside(object)
      let end = tape.end(object)
      var position = 0
      while place.isBefore(end) {
        let value = tape.next(place)
        members[JSONKey(string(at: place))] = Member(position: position, value: value)
        place = tape.next(value)
        position += 1
      }
      indexes.members[object.unit] = members
      return members[key]
    }
  }
}
